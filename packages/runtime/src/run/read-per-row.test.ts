import type { Json } from "@plasm/core";
import type { ForEachBody, ForEachNode } from "@plasm/core/internal";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  makeBoats,
  type Received,
  type Reply,
  startQuay,
  type TestServer,
} from "@plasm/testkit/servers";
import { forEach, lit, row } from "../testing/effect-nodes.ts";
import { fixture, goOn, run, type Setting } from "../testing/fixture-run.ts";
import { boat, boats } from "../testing/nodes.ts";
import type { Cursor, RunResult } from "./run-types.ts";

let quay: TestServer;
let setting: Setting;
let before: (request: Received) => Reply | null;

beforeEach(async () => {
  before = () => null;
  quay = await startQuay(makeBoats(45), (request) => before(request));
  setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
});
afterEach(() => quay.close());

const catalog = (entity: string) => ({ entry_id: "quay", digest: "sha256:test", entity });
const reads = (id: string, source: string, body: ForEachBody): ForEachNode => ({
  ...forEach(id, 0, source, body),
  effect_class: "read",
});
const getBoat: ForEachBody = {
  kind: "get",
  catalog: catalog("Boat"),
  capability: "boat_get",
  args: {},
  key: { id: row("id") },
  missing: "error",
  wanted: ["id"],
};
const ofOwner: ForEachBody = {
  kind: "query",
  catalog: catalog("Boat"),
  capability: "boat_query_owner",
  args: { owner: row("owner") },
  filter: null,
  limit: null,
  wanted: ["id"],
};
const visitsOf: ForEachBody = {
  kind: "relation",
  catalog: catalog("Visit"),
  capability: "visit_query",
  args: {},
  relation: "visits",
  owner: "Boat",
  via: "query_scoped",
  anchor: { id: row("id") },
  filter: null,
  limit: null,
  wanted: [],
};

const ids = (result: RunResult | undefined) => result?.rows.map(({ values }) => values["id"]);
const refs = (result: RunResult | undefined) => result?.rows.map(({ ref }) => ref);

describe("LANG-071: a read per row", () => {
  test("rows in the order of their source, whichever answer comes first", async () => {
    before = ({ path }) => {
      const [, kind, id] = path.split("/");
      if (kind !== "boats" || id === undefined) return null;
      return { json: { id, name: "late" }, delay: id === "b1" ? 60 : 20 };
    };
    const { results } = await run(setting, [boats({ limit: 8 }), reads("n2", "n1", getBoat)]);
    expect(ids(results[0])).toEqual(["b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8"]);
    expect(quay.mostOpen()).toBe(6);
  });

  test("deduplicated by identity; equal requests are sent once", async () => {
    const owned = boats({ filter: { exists: ["owner"] }, limit: 6 });
    const { results } = await run(setting, [owned, reads("n2", "n1", ofOwner)]);
    const rows = ids(results[0]) ?? [];
    expect(new Set(rows).size).toBe(rows.length);
    expect(quay.log.filter(({ path }) => path.startsWith("/owners/"))).toHaveLength(3);
  });

  test("RUN-054 a failing row is a diagnostic and makes the result partial", async () => {
    before = ({ path }) => (path === "/boats/b2" ? { status: 404, json: {} } : null);
    const { results, status } = await run(setting, [
      boats({ limit: 3 }),
      reads("n2", "n1", getBoat),
    ]);
    expect([status, ids(results[0]), results[0]?.partial]).toEqual([
      "succeeded",
      ["b1", "b3"],
      "source_failed",
    ]);
    expect(results[0]?.diagnostics).toMatchObject([{ code: "source_failed", row: 1, count: 1 }]);
  });

  test("only if all fail does the node fail", async () => {
    before = ({ path }) => (path.startsWith("/boats/") ? { status: 404, json: {} } : null);
    const { nodes, status } = await run(setting, [boats({ limit: 3 }), reads("n2", "n1", getBoat)]);
    expect([status, nodes[1]?.error?.code]).toEqual(["failed", "not_found"]);
  });

  test("null in a key or condition is that row's failure", async () => {
    const { results } = await run(setting, [boats({ limit: 4 }), reads("n2", "n1", ofOwner)]);
    expect(results[0]?.diagnostics).toMatchObject([{ code: "source_failed", row: 3 }]);
    expect(results[0]?.diagnostics[0]?.detail).toContain("null_value");
  });

  test("a relation from each row's key", async () => {
    const { results } = await run(setting, [boats({ limit: 3 }), reads("n2", "n1", visitsOf)]);
    expect(results[0]?.entity).toEqual({ entryId: "quay", entity: "Visit" });
    expect(results[0]?.rows).toHaveLength(25);
  });

  test("an input that failed: skipped", async () => {
    const body: ForEachBody = {
      ...ofOwner,
      args: { owner: { from: "n1", path: ["owner"], type: "str", many: false } },
    };
    const nodes = [boat("b99"), boats({ id: "n2", limit: 2 }), reads("n3", "n2", body)];
    const outcome = await run(setting, nodes);
    expect(outcome.nodes[2]).toMatchObject({ status: "skipped", reason: "input n1 failed" });
  });
});

describe("RUN-054: a budget that cuts it leaves a cursor at that row and page", () => {
  async function all(nodes: Parameters<typeof run>[1], limits: Setting["limits"]) {
    const own = { ...setting, ...(limits === undefined ? {} : { limits }) };
    const first = (await run(own, nodes)).results[0];
    const pages: (string | null)[][] = [refs(first) ?? []];
    let cursor: Cursor | null = first?.cursor ?? null;
    while (cursor !== null && pages.length < 40) {
      const rest = await goOn(own, cursor);
      if (rest.status === "failed") throw new Error(rest.error.message);
      pages.push(refs(rest.result) ?? []);
      cursor = rest.result.cursor;
    }
    return { first, pages, rows: pages.flat() };
  }

  test.each<[string, Setting["limits"]]>([
    ["fan_out", { fan_out: 2 }],
    ["requests", { requests: 4 }],
    ["rows", { rows: 12 }],
  ])("P8 %s: pages joined are the whole, each row once", async (budget, limits) => {
    const nodes = [boats({ limit: 8 }), reads("n2", "n1", visitsOf)];
    const whole = (await run(setting, nodes)).results[0];
    const { first, pages, rows } = await all(nodes, limits);
    expect(first?.partial).toBe(budget);
    expect(pages.length).toBeGreaterThan(1);
    expect(rows).toEqual(refs(whole));
  });

  test("page_size reads no more rows than it shows", async () => {
    const shown = [{ label: "x", node: "n2", page_size: 2 }];
    const { results } = await run(
      setting,
      [boats({ limit: 8 }), reads("n2", "n1", getBoat)],
      shown,
    );
    expect(ids(results[0])).toEqual(["b1", "b2"]);
    expect(quay.log).toHaveLength(3);
    const { cursor } = results[0] ?? {};
    if (cursor === null || cursor === undefined) throw new Error("no cursor");
    const rest = await goOn(setting, cursor);
    if (rest.status === "failed") throw new Error(rest.error.message);
    expect(ids(rest.result)).toEqual(["b3", "b4"]);
  });
});

test("LANG-045 a row's cell is filled by its slot's type", async () => {
  const byState: ForEachBody = {
    ...ofOwner,
    capability: "boat_query",
    args: { state: row("name") },
  };
  const { nodes } = await run(setting, [boats({ limit: 1 }), reads("n2", "n1", byState)]);
  expect(nodes[1]?.error).toMatchObject({ code: "argument_invalid" });
  const listed: Json = "x";
  const body: ForEachBody = { ...getBoat, key: { id: lit(listed) }, missing: "empty" };
  const { results } = await run(setting, [boats({ limit: 2 }), reads("n2", "n1", body)]);
  expect(results[0]?.rows).toEqual([]);
});
