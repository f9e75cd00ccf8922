import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeBoats, startQuay, type TestServer } from "@plasm/testkit/servers";
import { fixture, goOn, run, type Setting } from "../testing/fixture-run.ts";
import { boats, compute } from "../testing/nodes.ts";

const all = makeBoats(45);
let quay: TestServer;
let setting: Setting;

beforeAll(async () => {
  quay = await startQuay(all);
  setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
});
afterAll(() => quay.close());

const asked = (): readonly string[] => quay.log.splice(0).map(({ url }) => url);

describe("RUN-057, RUN-076: what a list costs", () => {
  test("C-001 a returned list is one page and a cursor", async () => {
    const { results, status } = await run(setting, [boats()]);
    expect(status).toBe("succeeded");
    expect(asked()).toEqual(["/boats?page=1&per_page=20"]);
    expect(results[0]?.rows.map(({ ref }) => ref)).toEqual(
      all.slice(0, 20).map(({ id }) => `Boat:${id}`),
    );
    expect(results[0]?.notLoaded).toEqual(["flags", "meta", "note", "papers.id"]);
    expect(results[0]?.cursor).not.toBeNull();
    expect(results[0]?.partial).toBeNull();
  });

  test("C-002 a limit stops the read", async () => {
    const { results } = await run(setting, [boats({ limit: 2 })]);
    expect(asked()).toHaveLength(1);
    expect(results[0]?.rows).toHaveLength(2);
    expect(results[0]?.cursor).toBeNull();
  });

  test("C-087 columns in the list cost nothing, others one get a row", async () => {
    const nodes = (paths: string[][]) => [
      boats({ limit: 2, wanted: paths.map(([name]) => name ?? "") }),
      compute("n2", "n1", { project: paths }),
    ];
    const cheap = await run(setting, nodes([["id"], ["name"]]));
    expect(asked()).toHaveLength(1);
    expect(cheap.results[0]?.rows[1]?.values).toEqual({ id: "b2", name: "Boat 2" });
    const dear = await run(setting, nodes([["id"], ["note"]]));
    expect(asked().toSorted()).toEqual(["/boats/b1", "/boats/b2", "/boats?page=1&per_page=20"]);
    expect(dear.results[0]?.rows[1]?.values).toEqual({ id: "b2", note: "note of b2" });
  });

  test("C-009 a sort sees all pages", async () => {
    const { results } = await run(setting, [
      boats(),
      compute("n2", "n1", { sort: [{ path: ["length"], desc: true }] }),
      compute("n3", "n2", { limit: 2 }),
      compute("n4", "n3", { project: [["id"], ["length"]] }),
    ]);
    expect(asked()).toHaveLength(3);
    const longest = [...all].toSorted((a, b) => Number(b.length) - Number(a.length)).slice(0, 2);
    expect(results[0]?.rows.map(({ values }) => values)).toEqual(
      longest.map(({ id, length }) => ({ id, length })),
    );
  });

  test("C-007 a local condition is tested before any limit", async () => {
    const filter = { op: ">", path: ["length"], value: { lit: 20 } } as const;
    const { results } = await run(setting, [boats({ filter, limit: 3 })]);
    const expected = all.filter(({ length }) => Number(length) > 20).slice(0, 3);
    expect(results[0]?.rows.map(({ values }) => values["id"])).toEqual(
      expected.map(({ id }) => id),
    );
    asked();
  });

  test("C-119 page_size(50) reads three pages and keeps ten rows", async () => {
    const more = await startQuay(makeBoats(70));
    const own = { ...setting, backends: { quay: more.url } };
    const first = await run(own, [boats()], [{ label: "it", node: "n1", page_size: 50 }]);
    expect(more.log).toHaveLength(3);
    expect(first.results[0]?.rows).toHaveLength(50);
    const cursor = first.results[0]?.cursor;
    if (cursor === null || cursor === undefined) throw new Error("no cursor");
    more.log.splice(0);
    const second = await goOn(own, cursor, 10);
    expect(more.log).toHaveLength(0);
    expect(second.status === "succeeded" && second.result.rows.map(({ ref }) => ref)).toEqual(
      makeBoats(70)
        .slice(50, 60)
        .map(({ id }) => `Boat:${id}`),
    );
    await more.close();
  });
});
