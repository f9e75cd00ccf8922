import { afterEach, describe, expect, test } from "vitest";
import { type Received, type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import { crates, depot } from "../testing/depot-catalog.ts";
import { goOn, run, type Setting } from "../testing/fixture-run.ts";
import { compute } from "../testing/nodes.ts";

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_n, at) => ({ id: String(from + at), size: at }));

async function depotOf(
  reply: (request: Received, origin: string) => Reply,
  list = "{}",
): Promise<{ setting: Setting; server: TestServer }> {
  let origin = "";
  const server = await startServer((request) => reply(request, origin));
  origin = server.url;
  servers.push(server);
  const catalog = depot({ backend: server.url, list: list === "{}" ? "x-none: 1" : list });
  return { setting: { catalogs: [catalog], backends: {} }, server };
}

/** Reads a whole list; gives what is said of its end. */
async function readAll(
  reply: (request: Received, origin: string) => Reply,
  list = "{}",
  args: Record<string, { lit: string | number }> = {},
) {
  const { setting, server } = await depotOf(reply, list);
  const outcome = await run(setting, [
    crates({ args }),
    compute("n2", "n1", { sort: [{ path: ["id"], desc: false }] }, { result: crates().result }),
  ]);
  const [result] = outcome.results;
  return {
    count: result?.rows.length,
    partial: result?.partial,
    detail: result?.diagnostics.find(({ code }) => code === "rows_unread")?.detail ?? null,
    requests: server.log.length,
  };
}

const asked = (json: unknown, headers: Record<string, string> = {}, list = "{}") =>
  readAll(() => ({ json, headers }), list);

describe("17.4 RUN-003: a list without paging whose answer shows more is partial", () => {
  test.each([
    ["has_more", { results: rows(3), has_more: true }],
    ["hasMore", { results: rows(3), hasMore: true }],
    ["more", { results: rows(3), more: true }],
    ["isLast", { results: rows(3), isLast: false }],
    ["last", { results: rows(3), last: false }],
    ["IsTruncated", { results: rows(3), IsTruncated: true }],
    ["pageInfo.hasNextPage", { results: rows(3), pageInfo: { hasNextPage: true, endCursor: "x" } }],
    ["next", { results: rows(3), next: "https://depot.example/crates?page=2" }],
    ["next", { results: rows(3), next: { after: "NTI1Cg" } }],
    ["paging.next", { results: rows(3), paging: { next: { after: "3", link: "?after=3" } } }],
    ["_links.next", { results: rows(3), _links: { self: { href: "/" }, next: { href: "/p2" } } }],
    ["links.next", { results: rows(3), links: { next: "/p2" } }],
    ["@odata.nextLink", { results: rows(3), "@odata.nextLink": "https://x/y" }],
    ["nextPageToken", { results: rows(3), nextPageToken: "t2" }],
    ["next_page", { results: rows(3), next_page: 2 }],
    [
      "response_metadata.next_cursor",
      { results: rows(3), response_metadata: { next_cursor: "d" } },
    ],
    ["cursor", { results: rows(3), cursor: "abc" }],
    ["meta.after_cursor", { results: rows(3), meta: { after_cursor: "abc" } }],
    ["continuation_token", { results: rows(3), continuation_token: "abc" }],
    ["metadata.continue", { results: rows(3), metadata: { continue: "abc" } }],
    ["LastEvaluatedKey", { results: rows(3), LastEvaluatedKey: { id: { S: "2" } } }],
    ["offset", { results: rows(3), offset: "itr9/rec2" }],
    ["total", { results: rows(3), total: 143 }],
    ["total", { results: rows(3), total: "143" }],
    ["total", { results: rows(3), total: { value: 143, relation: "eq" } }],
    ["count", { results: rows(3), count: 143 }],
    ["total_count", { results: rows(3), total_count: 143 }],
    ["meta.total", { results: rows(3), meta: { total: 143 } }],
    ["meta.pagination.total", { results: rows(3), meta: { pagination: { total: 143 } } }],
    ["total_pages", { results: rows(3), page: 1, total_pages: 8 }],
    ["info.pages", { results: rows(3), info: { pages: 42 } }],
    [
      "additional_data.pagination.more_items_in_collection",
      { results: rows(3), additional_data: { pagination: { more_items_in_collection: true } } },
    ],
  ])("%s", async (key, json) => {
    const { count, partial, detail, requests } = await asked(json);
    expect({ count, partial, requests }).toEqual({ count: 3, partial: "rows_unread", requests: 1 });
    expect(detail).toContain(`(${key}`);
    expect(detail).toContain("3 were read");
    expect(detail).toContain("declares no paging");
    const says = JSON.stringify(json).includes("143")
      ? "the API says 143"
      : "the API says that more";
    expect(detail).toContain(says);
  });

  test.each<[string, Record<string, string>]>([
    ["link", { Link: '</crates?page=1>; rel="first", </crates?page=2>; rel="next"' }],
    ["X-Total-Count", { "X-Total-Count": "143" }],
    ["X-WP-Total", { "X-WP-Total": "143" }],
    ["Content-Range", { "Content-Range": "crates 0-2/143" }],
    ["X-Next-Page", { "X-Next-Page": "2" }],
    ["X-Total-Pages", { "X-Total-Pages": "8" }],
  ])("header %s of a bare list", async (_name, headers) => {
    const { count, partial } = await asked(rows(3), headers, "response: bare_list");
    expect({ count, partial }).toEqual({ count: 3, partial: "rows_unread" });
  });

  test("around rows at a path, and of the first of two elements", async () => {
    const nodes = { nodes: rows(3), totalCount: 143, pageInfo: { hasNextPage: true } };
    const graph = await asked(
      { data: { depot: { crates: nodes, total: 9 } } },
      {},
      "response: { items_path: [data, depot, crates, nodes] }",
    );
    expect(graph).toMatchObject({ count: 3, partial: "rows_unread" });
    const pair = await asked(
      [{ page: 1, pages: 7 }, rows(3)],
      {},
      'response: { items_path: ["1"] }',
    );
    expect(pair).toMatchObject({ count: 3, partial: "rows_unread" });
  });
});

describe("17.4: no false alarm", () => {
  test.each<[string, unknown]>([
    ["has_more false", { results: rows(3), has_more: false, total: 143, next_cursor: "x" }],
    [
      "hasNextPage false beside endCursor",
      { results: rows(3), pageInfo: { hasNextPage: false, endCursor: "x" } },
    ],
    ["null next beside a count", { results: rows(3), next: null, previous: null, count: 3 }],
    ["empty tokens", { results: rows(3), nextPageToken: "", cursor: null, next_cursor: "" }],
    ["the total is the rows", { results: rows(3), total: 3, count: 3, total_pages: 1, page: 1 }],
    ["a count below the rows", { results: rows(3), count: 1 }],
    ["the page size asked for", { results: rows(3), paging: { start: 0, count: 10, total: 3 } }],
    ["last_page as a number", { results: rows(3), current_page: 1, last_page: 1 }],
    ["page 0 of 1", { results: rows(3), page: 0, totalPages: 1 }],
    ["isLast", { results: rows(3), isLast: true, total: 5 }],
    [
      "tokens of other kinds",
      {
        results: rows(3),
        access_token: "a",
        csrf_token: "b",
        nextSyncToken: "c",
        token: "d",
        refreshToken: "e",
        delta_token: "f",
        next_run: "2026-01-01",
        session: { token: "g" },
      },
    ],
    [
      "cursors of the page itself",
      { results: rows(3), paging: { cursors: { before: "a", after: "b" } } },
    ],
    ["a sum of money", { results: rows(3), subtotal: 120, tax: 23, total: 143 }],
    ["a sum that is no whole number", { results: rows(3), total: 99.5 }],
    ["a total elsewhere", { results: rows(3), depot: { total: 143, next: "x" } }],
    [
      "rows that have such keys",
      { results: rows(3).map((row) => ({ ...row, total: 143, next: "x" })) },
    ],
    ["no rows at all", { results: [], total: 0, next: null }],
  ])("%s", async (_name, json) => {
    expect((await asked(json)).partial).toBeNull();
  });

  test.each<[string, Record<string, string>]>([
    ["Link without next", { Link: '</crates?page=1>; rel="first"' }],
    ["as many as came", { "X-Total-Count": "3", "X-Total-Pages": "1", "X-Next-Page": "" }],
    ["other headers", { "X-Request-Total": "9", "X-RateLimit-Remaining": "59" }],
  ])("header: %s", async (_name, headers) => {
    expect((await asked(rows(3), headers, "response: bare_list")).partial).toBeNull();
  });

  test("the body is the row", async () => {
    const json = { id: "a", total: 143, next: "b", has_more: true };
    expect((await asked(json, {}, "response: single")).partial).toBeNull();
  });

  test("what was sent comes back, and an offset that was given counts", async () => {
    const echo = () => ({ json: { results: rows(3), cursor: "c7", total: 10 } });
    const list = "query: { type: object, fields: [[cursor, { type: var, name: cursor }]] }";
    expect((await readAll(echo, list, { cursor: { lit: "c7" } })).partial).toBeNull();
    const from = "query: { type: object, fields: [[offset, { type: var, name: offset }]] }";
    const counted = () => ({ json: { results: rows(3), total: 10 } });
    expect((await readAll(counted, from, { offset: { lit: 7 } })).partial).toBeNull();
    expect((await readAll(counted, from, { offset: { lit: 6 } })).partial).toBe("rows_unread");
  });
});

describe("17.4: a limit that is reached has all it asked for (LANG-061, RUN-076)", () => {
  const reply = () => ({ json: { results: rows(20), total: 143 } });

  test.each([
    [5, null],
    [20, null],
    [21, "rows_unread"],
  ])(".limit(%i) of 20 rows", async (limit, partial) => {
    const { setting } = await depotOf(reply);
    const pushed = await run(setting, [crates({ limit })]);
    expect(pushed.results[0]?.partial).toBe(partial);
    const own = await run(setting, [
      crates(),
      compute("n2", "n1", { limit }, { result: crates().result }),
    ]);
    expect(own.results[0]?.partial).toBe(partial);
    expect(own.results[0]?.rows).toHaveLength(Math.min(limit, 20));
  });

  test("pages of the rows in hand, the mark on the last of them and on all that show it", async () => {
    const { setting, server } = await depotOf(reply);
    const first = await run(setting, [crates()], [{ label: "it", node: "n1", page_size: 15 }]);
    const [shown] = first.results;
    expect(shown?.rows).toHaveLength(15);
    const cursor = shown?.cursor ?? null;
    if (cursor === null) throw new Error("no cursor");
    const last = await goOn(setting, cursor, 15);
    if (last.status === "failed") throw new Error(last.error.message);
    expect(last.result.rows).toHaveLength(5);
    expect(last.result.cursor).toBeNull();
    expect(last.result.partial).toBe("rows_unread");
    expect(last.result.diagnostics).toContainEqual(
      expect.objectContaining({ code: "rows_unread", detail: expect.stringContaining("143") }),
    );
    expect(server.log).toHaveLength(1);
  });

  test("a page that shows all rows in hand has no cursor and the mark", async () => {
    const { setting } = await depotOf(reply);
    const { results } = await run(setting, [crates()]);
    expect(results[0]).toMatchObject({ partial: "rows_unread", cursor: null });
  });
});

describe("17.4 LANG-067: what is made of such rows is partial", () => {
  const reply = () => ({ json: { results: rows(4), total: 143 } });
  const result = (columns: readonly (readonly [string, string])[]) => ({
    card: "many" as const,
    entity: null,
    columns,
  });

  test.each([
    ["aggregate", { aggregate: [{ as: "count", fn: "count" as const, path: null }] }],
    [
      "group_by",
      {
        group_by: { keys: [["id"]], aggs: [{ as: "count", fn: "count" as const, path: null }] },
      },
    ],
    ["sort", { sort: [{ path: ["id"], desc: true }] }],
    ["distinct", { distinct: [["id"]] }],
    ["project", { project: [["id"]] }],
    ["filter", { filter: { path: ["size"], op: ">" as const, value: { lit: 1 } } as never }],
    ["template", { render: { text: "{{ rows | length }}", uses: {} } }],
  ])("%s", async (_name, op) => {
    const { setting } = await depotOf(reply);
    const outcome = await run(setting, [
      crates({ wanted: ["id", "size"] }),
      compute("n2", "n1", op as never, { result: result([["id", "str"]]) }),
    ]);
    expect(outcome.nodes.map(({ status }) => status)).toEqual(["done", "done"]);
    expect(outcome.results[0]?.partial).toBe("rows_unread");
    expect(outcome.results[0]?.diagnostics.map(({ code }) => code)).toContain("rows_unread");
  });

  test("the first of them sorted is of the rows read alone", async () => {
    const { setting } = await depotOf(reply);
    const outcome = await run(setting, [
      crates(),
      compute("n2", "n1", { sort: [{ path: ["id"], desc: true }] }, { result: crates().result }),
      compute("n3", "n2", { limit: 1 }, { result: crates().result }),
    ]);
    expect(outcome.results[0]).toMatchObject({
      partial: "rows_unread",
      rows: [{ ref: "Crate:3" }],
    });
  });

  test("a list that is asked for with their values", async () => {
    const { setting, server } = await depotOf(
      (request) =>
        request.query.has("label")
          ? { json: { results: rows(1, 50) } }
          : { json: { results: rows(4), total: 143 } },
      "query: { type: object, fields: [[label, { type: var, name: label }]] }",
    );
    const outcome = await run(setting, [
      crates(),
      compute(
        "n2",
        "n1",
        { aggregate: [{ as: "count", fn: "count", path: null }] },
        {
          result: { card: "one", entity: null, columns: [["count", "int"]] },
        },
      ),
      crates({ id: "n3", args: { label: { from: "n2", path: ["count"], many: false } as never } }),
    ]);
    expect(server.log.map(({ url }) => url)).toContain("/crates?label=4");
    expect(outcome.results[0]?.partial).toBe("rows_unread");
  });
});

describe("17.4: paging that is declared and ends although the answer says more", () => {
  test("a page size that the API does not keep to", async () => {
    const { count, partial, detail, requests } = await readAll(
      () => ({ json: { results: rows(20), total: 143 } }),
      "pagination: { params: { page: { counter: 1 }, per_page: { fixed: 50 } } }",
    );
    expect({ count, partial, requests }).toEqual({
      count: 20,
      partial: "rows_unread",
      requests: 2,
    });
    expect(detail).toContain("ended after page 2");
    expect(detail).toContain("correct pagination");
  });

  test("a cursor that is sought in the wrong place", async () => {
    const { partial } = await readAll(
      () => ({ json: { results: rows(3), meta: { has_more: true, next_cursor: "c" } } }),
      "pagination: { params: { cursor: { from_response: next_cursor } } }",
    );
    expect(partial).toBe("rows_unread");
  });

  test("a page parameter that the API does not know", async () => {
    const { count, partial } = await readAll(
      () => ({ json: { results: rows(3), total: 143 } }),
      "pagination: { params: { p: { counter: 1 } } }",
    );
    expect({ count, partial }).toEqual({ count: 3, partial: "rows_unread" });
  });

  test("paging that is right says nothing, whatever is counted on its way", async () => {
    const page = (query: URLSearchParams) => Number(query.get("page"));
    const reply = ({ query }: Received): Reply => ({
      json: { results: page(query) > 3 ? [] : rows(3, page(query) * 3), total: 10, total_pages: 4 },
    });
    const { count, partial } = await readAll(
      reply,
      "pagination: { params: { page: { counter: 1 } } }",
    );
    expect({ count, partial }).toEqual({ count: 9, partial: null });
    const cursors = ({ query }: Received): Reply => {
      const at = Number(query.get("cursor") ?? 0);
      return {
        json: { results: rows(2, at), total: 6, next_cursor: at < 4 ? String(at + 2) : null },
      };
    };
    const all = await readAll(
      cursors,
      "pagination: { params: { cursor: { from_response: next_cursor } } }",
    );
    expect(all).toMatchObject({ count: 6, partial: null, requests: 3 });
  });
});

describe("RUN-077: a list whose first answer is not its first page is partial", () => {
  const pages = "pagination: { params: { page: { counter: 1 } } }";
  const page = (signs: object) => (request: Received) => ({
    json: { results: request.query.get("page") === "1" ? rows(3) : [], ...signs },
  });

  test.each([
    ["first: false", { first: false, number: 1 }],
    ["meta.has_previous: true", { meta: { has_previous: true } }],
    ["isFirstPage: false", { isFirstPage: "false" }],
  ])("%s", async (sign, json) => {
    const { partial, detail } = await readAll(page(json), pages);
    expect([partial, detail]).toEqual([
      "rows_unread",
      expect.stringContaining(sign.split(":")[0] ?? ""),
    ]);
  });

  test.each([{ first: true }, { hasPrevPage: false }, { first: { href: "/crates?page=1" } }, {}])(
    "nothing is said of %j",
    async (json) => {
      expect((await readAll(page(json), pages)).partial).toBeNull();
    },
  );
});
