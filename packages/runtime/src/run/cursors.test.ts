import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlanNode } from "@plasm/core";
import { makeBoats, startQuay, startServer } from "@plasm/testkit/servers";
import type { Cursor, RunResult } from "./run-types.ts";
import { fixture, goOn, run, type Setting } from "../testing/fixture-run.ts";
import { boats, compute, relation } from "../testing/nodes.ts";
import { crates, depot } from "../testing/depot-catalog.ts";

const refs = (result: RunResult | undefined) => result?.rows.map(({ ref }) => ref) ?? [];

/** Reads a result to its end by pages of random sizes; a failed page is asked for again. */
async function readPages(
  setting: Setting,
  nodes: readonly PlanNode[],
  pageSize: number | null,
  sizes: readonly (number | null)[],
): Promise<{ readonly rows: (string | null)[]; readonly failures: number }> {
  const node = nodes.at(-1)?.id ?? "";
  const first = await run(setting, nodes, [{ label: "it", node, page_size: pageSize }]);
  let cursor: Cursor | null = first.results[0]?.cursor ?? null;
  const rows = refs(first.results[0]);
  let failures = 0;
  for (let i = 0; cursor !== null; i++) {
    if (i > 400) throw new Error("the cursor never ends");
    const outcome = await goOn(setting, cursor, sizes[i % sizes.length] ?? undefined);
    if (outcome.status === "failed") {
      failures++;
      continue;
    }
    if (outcome.skipped !== rows.length) throw new Error("the cursor lost count");
    rows.push(...refs(outcome.result));
    cursor = outcome.result.cursor;
  }
  return { rows, failures };
}

const longer = { op: ">", path: ["length"], value: { lit: 9 } } as const;
const visits = relation("visits", "query_scoped", "Visit", {
  source: "n1",
  capability: "visit_query",
});

const long = (count: number): number =>
  makeBoats(count).filter(({ length }) => Number(length) > 9).length;

const shapes: readonly (readonly [string, readonly PlanNode[], number])[] = [
  ["a list", [boats()], 45],
  ["a list tested locally", [boats({ filter: longer })], long(45)],
  ["a limit not reached by the first page", [boats({ limit: 33 })], 33],
  ["a projection", [boats(), compute("n2", "n1", { project: [["id"], ["name"]] })], 45],
  [
    "a filter after a limit",
    [boats({ limit: 30 }), compute("n2", "n1", { filter: longer })],
    long(30),
  ],
  [
    "a limit on a local filter",
    [boats(), compute("n2", "n1", { filter: longer }), compute("n3", "n2", { limit: 17 })],
    17,
  ],
  ["a sort", [boats(), compute("n2", "n1", { sort: [{ path: ["length"], desc: true }] })], 45],
  ["a to-many relation", [boats({ limit: 9 }), visits], 23 + 8],
];

const quay = fixture("quay");

describe("P8: pages joined are the whole result, in order, each row once", () => {
  test.each(shapes)("%s", async (_name, nodes, count) => {
    const server = await startQuay(makeBoats(45));
    const setting = { catalogs: [quay], backends: { quay: server.url } };
    const node = nodes.at(-1)?.id ?? "";
    const whole = await run(setting, nodes, [{ label: "it", node, page_size: 1000 }]);
    const expected = refs(whole.results[0]);
    expect(expected).toHaveLength(count);
    const sizes = fc.array(fc.option(fc.integer({ min: 1, max: 40 }), { nil: null }), {
      minLength: 1,
      maxLength: 5,
    });
    const first = fc.option(fc.integer({ min: 1, max: 40 }), { nil: null });
    await fc.assert(
      fc.asyncProperty(first, sizes, async (pageSize, given) => {
        const { rows } = await readPages(setting, nodes, pageSize, given);
        expect(rows).toEqual(expected);
      }),
      { numRuns: 12 },
    );
    await server.close();
  });

  test("and with faults: a failed page leaves the cursor where it was (SESS-31)", async () => {
    let count = 0;
    const server = await startQuay(makeBoats(45), () =>
      ++count % 4 === 3 ? { status: 500, json: { message: "now and then" } } : null,
    );
    const setting = { catalogs: [quay], backends: { quay: server.url } };
    const all = makeBoats(45).map(({ id }) => `Boat:${id}`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        async (sizes) => {
          count = 0;
          const { rows, failures } = await readPages(setting, [boats()], 7, sizes);
          expect(rows).toEqual(all);
          expect(failures).toBeGreaterThan(0);
        },
      ),
      { numRuns: 10 },
    );
    await server.close();
  });

  test("cursor paging and next URLs, too", async () => {
    const total = 23;
    for (const list of [
      "pagination: { params: { limit: { fixed: 4 }, cursor: { from_response: next } } }",
      "pagination: { location: response_next_url, params: {}, response_next_url_field: url }",
    ]) {
      const server = await startServer(({ query }) => {
        const at = Number(query.get("cursor") ?? 0);
        const results = Array.from({ length: Math.min(4, total - at) }, (_n, i) => ({
          id: `c${at + i}`,
        }));
        const more = at + 4 < total ? at + 4 : null;
        return {
          json: {
            results,
            next: more === null ? null : String(more),
            url: more === null ? null : `/crates?cursor=${more}`,
          },
        };
      });
      const setting = { catalogs: [depot({ backend: server.url, list })], backends: {} };
      const { rows } = await readPages(setting, [crates()], null, [3, null, 1, 9]);
      expect(rows).toEqual(Array.from({ length: total }, (_n, i) => `Crate:c${i}`));
      await server.close();
    }
  });
});

describe("cursors", () => {
  test("RUN-076 hold no credential, not even where the API echoes it", async () => {
    const server = await startServer(({ url }) => ({
      json: { items: [{ id: "a" }] },
      headers: { link: `<${url}&page=2>; rel="next"` },
    }));
    const catalog = depot({
      backend: server.url,
      top: "auth: { scheme: api_key_query, param: key, env: DEPOT_KEY }",
      list: "response: items_list\npagination: { location: link_header, params: {} }",
    });
    const setting = { catalogs: [catalog], backends: {}, env: { DEPOT_KEY: "topsecret" } };
    const { results } = await run(setting, [crates()]);
    expect(server.log[0]?.query.get("key")).toBe("topsecret");
    expect(results[0]?.cursor).not.toBeNull();
    expect(JSON.stringify(results[0])).not.toContain("topsecret");
    await server.close();
  });

  test("RUN-171 a catalog that changed is catalog_changed", async () => {
    const server = await startQuay(makeBoats(25));
    const setting = { catalogs: [quay], backends: { quay: server.url } };
    const { results } = await run(setting, [boats()]);
    const cursor = results[0]?.cursor ?? null;
    if (cursor === null) throw new Error("no cursor");
    const other = { ...setting, catalogs: [{ ...quay, digest: "sha256:other" }] };
    const outcome = await goOn(other, cursor);
    expect(outcome.status === "failed" && outcome.error.code).toBe("catalog_changed");
    await server.close();
  });
});
