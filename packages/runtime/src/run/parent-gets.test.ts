import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { TestServer } from "@plasm/testkit/servers";
import { goOn } from "../testing/fixture-run.ts";
import { type GroveProvides, groves, startGroves } from "../testing/grove-catalog.ts";
import { runText } from "../testing/run-text.ts";

const FIELDS = ["id", "name", "size"] as const;

/** What list and get declare to fill: neither names the relations, only the list, or nothing is declared. */
const DECLARED: readonly (readonly [string, GroveProvides])[] = [
  ["list and get name other fields", { list: FIELDS, get: FIELDS }],
  ["the get declares nothing", { list: FIELDS, get: null }],
  ["neither declares anything", { list: null, get: null }],
  [
    "the list declares it and does not have it",
    { list: [...FIELDS, "trees", "warden"], get: FIELDS },
  ],
];

let server: TestServer;
beforeAll(async () => {
  server = await startGroves(5);
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

const setting = (declared: GroveProvides, url = server.url) => ({
  catalogs: [groves(declared)],
  backends: { groves: url },
});
const asked = (from = server): readonly string[] => from.log.splice(0).map(({ url }) => url);
const pages = (count: number): readonly string[] =>
  ["/groves", "/groves?after=g2", "/groves?after=g4"].slice(0, count);
const gets = (...numbers: readonly number[]): readonly string[] =>
  numbers.map((n) => `/groves/g${n}`);
const trees = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `Tree:t${name}`);

const ALL = trees("1-0", "2-0", "2-1", "4-0", "5-0", "5-1");

describe.each(DECLARED)(
  "17.1 RUN-037, RUN-050: the parent's get gives the rows; %s",
  (_, declared) => {
    test.each<[string, string, readonly string[], readonly string[]]>([
      ["a limit", "Grove.limit(2).trees", trees("1-0", "2-0", "2-1"), [...pages(1), ...gets(1, 2)]],
      ["all pages", "Grove.trees", ALL, [...pages(3), ...gets(1, 2, 3, 4, 5)]],
      [
        "a filter",
        "Grove{size>15}.limit(2).trees",
        trees("2-0", "2-1"),
        [...pages(2), ...gets(2, 3)],
      ],
      ["a search", 'Grove~"x".trees', trees("2-0", "2-1", "1-0"), ["/search?q=x", ...gets(2, 1)]],
      [
        "another relation",
        'Ranger("r1").groves.trees',
        trees("1-0", "2-0", "2-1"),
        ["/rangers/r1/groves", ...gets(1, 2)],
      ],
      [
        "sort and limit",
        "Grove.sort(name, desc).limit(2).trees",
        trees("5-0", "5-1", "4-0"),
        [...pages(3), ...gets(5, 4)],
      ],
      [
        "a projection",
        "Grove.limit(2)[name].trees",
        trees("1-0", "2-0", "2-1"),
        [...pages(1), ...gets(1, 2)],
      ],
      ["distinct", "Grove.distinct(name).trees", ALL, [...pages(3), ...gets(1, 2, 3, 4, 5)]],
      [
        "a read per row, which is that get",
        "x = Grove.limit(2) => Grove(_.id)\nx.trees",
        trees("1-0", "2-0", "2-1"),
        [...pages(1), ...gets(1, 2)],
      ],
      [
        "a condition of its own",
        "Grove.limit(3).trees{kind=oak}",
        trees("1-0", "2-0"),
        [...pages(2), ...gets(1, 2, 3)],
      ],
      [
        "a limit of its own",
        "Grove.limit(3).trees.limit(1)",
        trees("1-0"),
        [...pages(1), ...gets(1)],
      ],
      [
        "one row to another",
        "Grove.limit(2).warden",
        ["Warden:w1", "Warden:w2"],
        [...pages(1), ...gets(1, 2)],
      ],
      ["the row itself", 'Grove("g2").trees', trees("2-0", "2-1"), gets(2)],
      [
        "the same rows twice",
        "g = Grove.limit(2)\ng.warden\ng.trees",
        ["Warden:w1", "Warden:w2"],
        [...pages(1), ...gets(1, 2)],
      ],
      ["a field of its name", "Grove.limit(1).paths", ["Tree:p1"], [...pages(1), ...gets(1)]],
    ])("behind %s", async (_name, text, refs, requests) => {
      const { results, status } = await runText(setting(declared), text);
      expect(status).toBe("succeeded");
      expect(results[0]?.rows.map(({ ref }) => ref)).toEqual(refs);
      expect(results[0]?.partial).toBeNull();
      expect(asked().toSorted()).toEqual([...requests].toSorted());
    });

    test.each<[string, string, readonly object[]]>([
      [
        "a column",
        "Grove.limit(2)[id, warden]",
        [
          { id: "g1", warden: "w1" },
          { id: "g2", warden: "w2" },
        ],
      ],
      ["a cell of a row", "Grove.limit(1) => {w: _.warden}", [{ w: "w1" }]],
      [
        "a column of it",
        "Grove.limit(1)[id, warden.name]",
        [{ id: "g1", "warden.name": "Warden 1" }],
      ],
      ["a condition", 'Grove{warden.name="Warden 3"}[id]', [{ id: "g3" }]],
      ["a count", "Grove.limit(3).trees.aggregate(n=count)", [{ n: 3 }]],
    ])("as %s", async (_name, text, values) => {
      const { results } = await runText(setting(declared), text);
      expect(results[0]?.rows.map((row) => row.values)).toEqual(values);
    });

    test("pages and a cursor behind a budget: each row once, one get a parent", async () => {
      const own = { ...setting(declared), limits: { requests: 4 } };
      const { results } = await runText(own, "Grove.trees");
      let [page] = results;
      expect(page?.partial).toBe("requests");
      const refs = [...(page?.rows ?? [])];
      for (let more = page?.cursor ?? null; more !== null; more = page?.cursor ?? null) {
        const next = await goOn(own, more);
        if (next.status !== "succeeded") throw new Error(next.status);
        page = next.result;
        refs.push(...(page?.rows ?? []));
      }
      expect(refs.map(({ ref }) => ref)).toEqual(ALL);
      expect(asked().filter((url) => /g\d$/.test(url) && !url.includes("after"))).toEqual(
        gets(1, 2, 3, 4, 5),
      );
    });

    test("RUN-130: fan_out bounds the parents that are asked", async () => {
      const own = { ...setting(declared), limits: { fan_out: 2 } };
      const { results } = await runText(own, "Grove.trees");
      expect(results[0]?.partial).toBe("fan_out");
      expect(asked().filter((url) => url.startsWith("/groves/"))).toEqual(gets(1, 2));
    });
  },
);

describe("17.1 what no answer has is told", () => {
  const reply =
    (some: Readonly<Record<string, object>>) => (request: { readonly path: string }) => {
      const [, kind, id = ""] = request.path.split("/");
      return kind === "groves" && id !== "" ? { json: some[id] ?? { id } } : null;
    };

  test("no get has the path: no rows, and why", async () => {
    const own = await startGroves(2, reply({}));
    const { results } = await runText(
      setting({ list: FIELDS, get: FIELDS }, own.url),
      "Grove.trees.aggregate(n=count)",
    );
    expect(results[0]?.partial).toBe("edge_missing");
    const { results: rows } = await runText(
      setting({ list: FIELDS, get: FIELDS }, own.url),
      "Grove.trees",
    );
    expect(rows[0]).toMatchObject({ partial: "edge_missing", rows: [] });
    expect(rows[0]?.diagnostics.map(({ code, detail }) => [code, detail])).toEqual([
      ["edge_missing", "Grove:g1 came without trees, so it counts as none"],
      ["edge_missing", "Grove:g2 came without trees, so it counts as none"],
    ]);
    await own.close();
  });

  test("the API leaves out what is empty: nothing is missing", async () => {
    const own = await startGroves(3, reply({ g2: { id: "g2", trees: [{ id: "t1" }] } }));
    const { results } = await runText(setting({ list: FIELDS, get: null }, own.url), "Grove.trees");
    expect(results[0]?.rows.map(({ ref }) => ref)).toEqual(["Tree:t1"]);
    expect(results[0]?.partial).toBeNull();
    await own.close();
  });

  test("RUN-035: a get that declares the relation and leaves it out says that there is none", async () => {
    const own = await startGroves(2, reply({}));
    const declared = { list: FIELDS, get: [...FIELDS, "trees"] };
    const { results } = await runText(setting(declared, own.url), "Grove.trees");
    expect(results[0]).toMatchObject({ partial: null, rows: [] });
    await own.close();
  });

  test("RUN-054: a get that fails is a row's failure, the others are there", async () => {
    const own = await startGroves(3, ({ path }) =>
      path === "/groves/g1" ? { status: 500, json: {} } : null,
    );
    const { results } = await runText(
      setting({ list: FIELDS, get: FIELDS }, own.url),
      "g = Grove\ng[id, warden]\ng.warden",
    );
    expect(results[0]?.partial).toBe("hydration_failed");
    expect(results[1]?.partial).toBe("source_failed");
    expect(results[1]?.rows.map(({ ref }) => ref)).toEqual(["Warden:w2", "Warden:w3"]);
    await own.close();
  });

  test("RUN-047: a parent without identity cannot be asked, which is its error", async () => {
    const own = await startGroves(1, ({ path }) =>
      path === "/groves" ? { json: { rows: [{ name: "x" }] } } : null,
    );
    const { nodes } = await runText(setting({ list: FIELDS, get: FIELDS }, own.url), "Grove.trees");
    expect(nodes.at(-1)?.error?.code).toBe("identity_missing");
    await own.close();
  });

  test("no get can be asked: refused when planned, nothing is sent", async () => {
    const catalogs = [groves({ list: FIELDS, get: null }, false)];
    const own = { catalogs, backends: { groves: server.url } };
    await expect(runText(own, "Grove.limit(2).trees")).rejects.toThrow("relation_unavailable");
    expect(asked()).toEqual([]);
  });

  test("no get, and the list may have it: told if it does not", async () => {
    const catalogs = [groves({ list: null, get: null }, false)];
    const { results } = await runText(
      { catalogs, backends: { groves: server.url } },
      "Grove.limit(2).trees",
    );
    expect(results[0]).toMatchObject({ partial: "edge_missing", rows: [] });
  });
});
