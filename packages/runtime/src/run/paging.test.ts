import { describe, expect, test } from "vitest";
import { type Received, type Reply, startServer } from "@plasm/testkit/servers";
import { crates, depot } from "../testing/depot-catalog.ts";
import { compute } from "../testing/nodes.ts";
import { run } from "../testing/fixture-run.ts";

interface Case {
  readonly list: string;
  readonly method?: string;
  readonly args?: Record<string, { lit: string | number }>;
  readonly reply: (request: Received, origin: string) => Reply;
}

/** Reads a whole list, as a sort does; gives the ids and what was asked. */
async function readAll(how: Case) {
  let origin = "";
  const server = await startServer((request) => how.reply(request, origin));
  origin = server.url;
  const { list, method } = how;
  const catalog = depot({ backend: server.url, list, ...(method === undefined ? {} : { method }) });
  const outcome = await run({ catalogs: [catalog], backends: {} }, [
    crates({ args: how.args ?? {} }),
    compute("n2", "n1", { sort: [{ path: ["id"], desc: false }] }, { result: crates().result }),
  ]);
  await server.close();
  const [result] = outcome.results;
  return {
    outcome,
    ids: result?.rows.map(({ values }) => values["id"]),
    partial: result?.partial,
    codes: outcome.diagnostics.map(({ code }) => code),
    urls: server.log.map(({ url }) => url),
    log: server.log,
  };
}

const rows = (...ids: readonly (string | number)[]) => ids.map((id) => ({ id: String(id) }));

const slice = (from: number, count: number, total: number) =>
  rows(...Array.from({ length: Math.max(0, Math.min(count, total - from)) }, (_n, i) => from + i));

describe("RUN-071, RUN-073: counters", () => {
  test("an offset advances by the rows a page held and ends at a short page", async () => {
    const { ids, urls } = await readAll({
      list: "pagination: { params: { offset: { counter: 0 }, limit: { fixed: 3 } } }",
      reply: ({ query }) => ({ json: { results: slice(Number(query.get("offset")), 3, 7) } }),
    });
    expect(ids).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
    expect(urls.map((url) => new URLSearchParams(url.slice(8)).get("offset"))).toEqual([
      "0",
      "3",
      "6",
    ]);
  });

  test("a name in brackets counts as what is in them", async () => {
    const { ids, urls } = await readAll({
      list: 'pagination: { params: { "page[offset]": { counter: 0 }, "page[size]": { fixed: 3 } } }',
      reply: ({ query }) => ({ json: { results: slice(Number(query.get("page[offset]")), 3, 5) } }),
    });
    expect(ids).toEqual(["0", "1", "2", "3", "4"]);
    expect(urls).toHaveLength(2);
  });

  test.each(["query.skip", "firstRow", "search[first_result]"])(
    "%s counts rows as `skip` does",
    async (name) => {
      const { ids, urls } = await readAll({
        list: `pagination: { params: { "${name}": { counter: 0 }, limit: { fixed: 3 } } }`,
        reply: ({ query }) => ({ json: { results: slice(Number(query.get(name)), 3, 5) } }),
      });
      expect(ids).toEqual(["0", "1", "2", "3", "4"]);
      expect(urls).toHaveLength(2);
    },
  );

  test("a first page that an API cut to what it gives at once does not end it", async () => {
    const { ids, urls, partial } = await readAll({
      list: "pagination: { params: { page: { counter: 1 }, per_page: { fixed: 50 } } }",
      reply: ({ query }) => ({
        json: { results: slice(10 * (Number(query.get("page")) - 1), 10, 23) },
      }),
    });
    expect(ids).toHaveLength(23);
    expect(urls).toHaveLength(3);
    expect(partial).toBeNull();
  });

  test("an offset goes on behind such a page by the rows it held", async () => {
    const { ids, urls } = await readAll({
      list: "pagination: { params: { offset: { counter: 0 }, limit: { fixed: 200 } } }",
      reply: ({ query }) => ({ json: { results: slice(Number(query.get("offset")), 25, 50) } }),
    });
    expect(ids).toHaveLength(50);
    expect(urls).toHaveLength(3);
  });

  test.each<[string, Reply]>([
    ["has no rows", { json: { results: [] } }],
    ["is the first again", { json: { results: slice(0, 10, 10) } }],
    ["is refused", { status: 404, json: { detail: "Invalid page." } }],
    ["is refused with 416", { status: 416, json: { detail: "Out of range." } }],
  ])("a list whose next page %s ends there without a mark", async (_how, reply) => {
    const { ids, urls, partial, codes } = await readAll({
      list: "pagination: { params: { page: { counter: 1 }, per_page: { fixed: 50 } } }",
      reply: ({ query }) =>
        query.get("page") === "1" ? { json: { results: slice(0, 10, 10) } } : reply,
    });
    expect(ids).toHaveLength(10);
    expect(urls).toHaveLength(2);
    expect([partial, codes]).toEqual([null, []]);
  });

  test.each<[string, Reply]>([
    ["is forbidden", { status: 403, json: { detail: "Not for you." } }],
    ["is refused in words", { json: { error: { message: "Not for you." } } }],
  ])(
    "RUN-073: a list whose next page %s has its rows, and says that others may be missing",
    async (_how, reply) => {
      const { ids, partial, outcome } = await readAll({
        list: "pagination: { params: { page: { counter: 1 }, per_page: { fixed: 50 } } }",
        reply: ({ query }) =>
          query.get("page") === "1" ? { json: { results: slice(0, 10, 10) } } : reply,
      });
      expect([ids?.length, partial]).toEqual([10, "rows_unread"]);
      expect(outcome.diagnostics[0]?.detail).toContain("Not for you.");
    },
  );

  test.each<[string, Reply, string]>([
    ["the API counts no more", { json: { results: slice(0, 10, 10), total: "10" } }, ""],
    ["the API says that none follow", { json: { results: slice(0, 10, 10), next: "" } }, ""],
    ["the counter has a step", { json: { results: slice(0, 10, 10) } }, ", step: 1"],
  ])("no other page is asked for where %s", async (_why, reply, step) => {
    const { urls } = await readAll({
      list: `pagination: { params: { page: { counter: 1${step} }, per_page: { fixed: 50 } } }`,
      reply: () => reply,
    });
    expect(urls).toHaveLength(1);
  });

  test("without a size it ends at an empty page", async () => {
    const { ids, urls } = await readAll({
      list: "pagination: { params: { startAt: { counter: 0 } } }",
      reply: ({ query }) => ({ json: { results: slice(Number(query.get("startAt")), 2, 4) } }),
    });
    expect(ids).toHaveLength(4);
    expect(urls).toEqual(["/crates?startAt=0", "/crates?startAt=2", "/crates?startAt=4"]);
  });

  test("a step wins over the name", async () => {
    const { urls } = await readAll({
      list: "pagination: { params: { skip: { counter: 10, step: 5 }, top: { fixed: 2 } } }",
      reply: ({ query }) => ({ json: { results: slice(Number(query.get("skip")), 2, 14) } }),
    });
    expect(urls).toEqual(["/crates?skip=10&top=2", "/crates?skip=15&top=2"]);
  });

  test("a page that repeats the one before ends it, its rows given once", async () => {
    const { ids, codes, urls } = await readAll({
      list: "pagination: { params: { page: { counter: 1 } } }",
      reply: () => ({ json: { results: rows("a", "b") } }),
    });
    expect(ids).toEqual(["a", "b"]);
    expect(codes).toContain("page_repeated");
    expect(urls).toHaveLength(2);
  });

  test("the caller's argument starts the counter", async () => {
    const { urls } = await readAll({
      list: "pagination: { params: { offset: { counter: 0 }, limit: { fixed: 5 } } }",
      args: { offset: { lit: 5 } },
      reply: ({ query }) => ({ json: { results: slice(Number(query.get("offset")), 5, 7) } }),
    });
    expect(urls).toEqual(["/crates?limit=5&offset=5"]);
  });

  describe("a first page that is as long as APIs' own limits are", () => {
    const capped = (most: number, total: number) => ({
      reply: ({ query }: Received) => {
        const page = Number(query.get("page") ?? 1) - 1;
        const from = Number(query.get("offset") ?? page * most);
        return { json: { results: slice(from, most, total) } };
      },
    });
    const size = "per_page: { fixed: 100 }";

    test.each([
      ["page numbers", `pagination: { params: { page: { counter: 1 }, ${size} } }`],
      ["offsets", `pagination: { params: { offset: { counter: 0 }, ${size} } }`],
      [
        "offsets with a step",
        `pagination: { params: { offset: { counter: 0, step: 100 }, ${size} } }`,
      ],
    ])("is not the last one by that: %s", async (_name, list) => {
      const { ids, urls } = await readAll({ list, ...capped(50, 120) });
      expect(ids).toHaveLength(120);
      expect(urls).toHaveLength(3);
    });

    test("may be the whole: one more request says so", async () => {
      const list = `pagination: { params: { page: { counter: 1 }, ${size} } }`;
      const { ids, partial, urls } = await readAll({ list, ...capped(50, 50) });
      expect([ids?.length, partial, urls.length]).toEqual([50, null, 2]);
    });

    test("is the whole where the API answers any page with it", async () => {
      const list = `pagination: { params: { page: { counter: 1 }, ${size} } }`;
      const { ids, partial } = await readAll({
        list,
        reply: () => ({ json: { results: slice(0, 20, 20) } }),
      });
      expect([ids?.length, partial]).toEqual([20, null]);
    });

    test("of another length it is the last one", async () => {
      const list = `pagination: { params: { page: { counter: 1 }, ${size} } }`;
      const { ids, urls } = await readAll({ list, ...capped(50, 37) });
      expect([ids?.length, urls.length]).toEqual([37, 1]);
    });
  });

  test("stop_when is tested on every page, and then a short page does not end it", async () => {
    const { ids, urls } = await readAll({
      list: "pagination: { params: { page: { counter: 1 }, per_page: { fixed: 9 } }, stop_when: { field: more, eq: false } }",
      reply: ({ query }) => {
        const page = Number(query.get("page"));
        return { json: { results: rows(page), more: page < 3 } };
      },
    });
    expect(ids).toEqual(["1", "2", "3"]);
    expect(urls).toHaveLength(3);
  });
});

describe("RUN-072: cursors", () => {
  const list = "pagination: { params: { limit: { fixed: 2 }, cursor: { from_response: next } } }";

  test.each([
    ["missing", {}],
    ["null", { next: null }],
    ["empty", { next: "" }],
  ])("a cursor that is %s ends it; it is omitted until known", async (_name, last) => {
    const { ids, urls } = await readAll({
      list,
      reply: ({ query }) =>
        query.get("cursor") === null
          ? { json: { results: rows("a", "b"), next: "k1" } }
          : { json: { results: rows("c"), ...last } },
    });
    expect(ids).toEqual(["a", "b", "c"]);
    expect(urls).toEqual(["/crates?limit=2", "/crates?cursor=k1&limit=2"]);
  });

  test("a loop of cursors ends with a diagnostic", async () => {
    const { codes, urls } = await readAll({
      list,
      reply: ({ query }) => {
        const at = query.get("cursor");
        return { json: { results: rows(at ?? "first"), next: at === "k1" ? "k2" : "k1" } };
      },
    });
    expect(codes).toContain("cursor_repeated");
    expect(urls).toHaveLength(3);
  });

  test("empty pages are passed over, ten in a row at most", async () => {
    let page = 0;
    const { ids, urls } = await readAll({
      list,
      reply: () => ({
        json: { results: ++page === 4 ? rows("x") : [], next: page < 4 ? `k${page}` : null },
      }),
    });
    expect([ids, urls.length]).toEqual([["x"], 4]);
    page = 0;
    const endless = await readAll({
      list,
      reply: () => ({ json: { results: [], next: `k${++page}` } }),
    });
    expect(endless.urls).toHaveLength(10);
    expect(endless.codes).toContain("empty_pages");
  });

  test("in the body, under a prefix, with a stop field", async () => {
    const { ids, log } = await readAll({
      method: "POST",
      list: `
body: { type: object, fields: [[q, { type: const, value: all }]] }
response: { items_path: [data, nodes] }
pagination:
  location: body
  body_merge_path: [variables]
  response_prefix: [data, pageInfo]
  params: { first: { fixed: 2 }, after: { from_response: endCursor } }
  stop_when: { field: hasNextPage, eq: false }`,
      reply: ({ body }) => {
        const { variables } = JSON.parse(body) as { variables: { after?: string } };
        const last = variables.after !== undefined;
        const pageInfo = { endCursor: last ? "z" : "y", hasNextPage: !last };
        return { json: { data: { nodes: rows(last ? "b" : "a"), pageInfo } } };
      },
    });
    expect(ids).toEqual(["a", "b"]);
    expect(log.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { q: "all", variables: { first: 2 } },
      { q: "all", variables: { first: 2, after: "y" } },
    ]);
  });

  test("PLAN-081 a row that moved to a later page is given once", async () => {
    const { ids, codes } = await readAll({
      list,
      reply: ({ query }) =>
        query.get("cursor") === null
          ? { json: { results: rows("a", "b"), next: "k" } }
          : { json: { results: rows("b", "c") } },
    });
    expect(ids).toEqual(["a", "b", "c"]);
    expect(codes).toContain("row_repeated");
  });
});

describe("RUN-072: the last row of a page as the cursor of the next", () => {
  const list =
    "pagination: { params: { limit: { fixed: 2 }, starting_after: { from_last: id } }, stop_when: { field: has_more, eq: false } }";
  const after = (query: URLSearchParams): number => Number(query.get("starting_after") ?? -1) + 1;

  test("the flag ends it, also behind a short page", async () => {
    const { ids, urls, partial } = await readAll({
      list,
      reply: ({ query }) => {
        const from = after(query);
        const results = slice(from, from === 2 ? 1 : 2, 5);
        return { json: { results, has_more: from + results.length < 5 } };
      },
    });
    expect(ids).toEqual(["0", "1", "2", "3", "4"]);
    expect(partial).toBeNull();
    expect(urls).toEqual([
      "/crates?limit=2",
      "/crates?limit=2&starting_after=1",
      "/crates?limit=2&starting_after=2",
    ]);
  });

  test("without a flag an empty page ends it; it starts from the caller's argument", async () => {
    const { ids, urls } = await readAll({
      list: "pagination: { params: { since_id: { from_last: id } } }",
      reply: ({ query }) => ({ json: { results: slice(Number(query.get("since_id")) + 1, 2, 4) } }),
    });
    expect(ids).toEqual(["1", "2", "3"]);
    expect(urls).toEqual(["/crates", "/crates?since_id=2", "/crates?since_id=3"]);
  });

  test("an API that does not look at it is told, not read for ever", async () => {
    const { codes, urls, partial } = await readAll({
      list,
      reply: () => ({ json: { results: rows("a", "b"), has_more: true } }),
    });
    expect(codes).toContain("cursor_repeated");
    expect(partial).not.toBeNull();
    expect(urls).toHaveLength(2);
  });

  test("a flag that says more, and rows that do not say where they end", async () => {
    const { ids, partial } = await readAll({
      list: "pagination: { params: { starting_after: { from_last: serial } } }",
      reply: () => ({ json: { results: rows("a", "b"), has_more: true } }),
    });
    expect(ids).toEqual(["a", "b"]);
    expect(partial).not.toBeNull();
  });
});

describe("RUN-074: next URLs", () => {
  test("a Link header is followed alone, with the fixed parameters first", async () => {
    const { ids, urls } = await readAll({
      list: "pagination: { location: link_header, params: { n: { fixed: 2 } } }",
      reply: ({ query }, origin) =>
        query.get("last") === null
          ? {
              json: rows("a", "b"),
              headers: { link: `<${origin}/crates?last=b&n=2>; rel="next", </x>; rel="prev"` },
            }
          : { json: rows("c"), headers: { link: '</crates?n=2>; rel="first"' } },
    });
    expect(ids).toEqual(["a", "b", "c"]);
    expect(urls).toEqual(["/crates?n=2", "/crates?last=b&n=2"]);
  });

  test("a next field may be relative, and its name may have dots", async () => {
    const { ids, urls } = await readAll({
      list: "response: { items: value }\npagination: { location: response_next_url, params: { $top: { fixed: 1 } } }",
      reply: ({ query }) =>
        query.get("skip") === null
          ? { json: { value: rows("a"), "@odata.nextLink": "crates?skip=1" } }
          : { json: { value: rows("b") } },
    });
    expect(ids).toEqual(["a", "b"]);
    expect(urls).toEqual(["/crates?%24top=1", "/crates?skip=1"]);
  });

  test("another origin is refused, with the rows so far", async () => {
    const { ids, codes, partial, urls, outcome } = await readAll({
      list: "pagination: { location: link_header, params: {} }",
      reply: () => ({
        json: rows("a"),
        headers: { link: '<http://169.254.169.254/x>; rel="next"' },
      }),
    });
    expect(outcome.status).toBe("succeeded");
    expect(ids).toEqual(["a"]);
    expect(partial).toBe("origin_refused");
    expect(codes).toContain("origin_refused");
    expect(urls).toHaveLength(1);
  });

  test("a next URL that was read already ends it", async () => {
    const { ids, codes, urls } = await readAll({
      list: "pagination: { location: link_header, params: {} }",
      reply: ({ query }) => ({
        json: rows(query.get("p") ?? "0"),
        headers: { link: `</crates?p=${query.get("p") === "1" ? 2 : 1}>; rel=next` },
      }),
    });
    expect(ids).toEqual(["0", "1", "2"]);
    expect(codes).toContain("cursor_repeated");
    expect(urls).toHaveLength(3);
  });
});

describe("RUN-030: where a list's rows are", () => {
  const cases: readonly (readonly [string, string, unknown, readonly string[]])[] = [
    ["a root array", "response: bare_list", [{ id: "a" }, { id: "b" }], ["a", "b"]],
    ["the default key", "response: results_list", { results: [{ id: "a" }] }, ["a"]],
    [
      "a path with an index",
      "response: { items_path: [pages, '0', list] }",
      { pages: [{ list: [{ id: "a" }] }] },
      ["a"],
    ],
    [
      "a path that begins with an index",
      "response: { items_path: ['1'] }",
      [[], [{ id: "a" }]],
      ["a"],
    ],
    [
      "an inner key",
      "response: { items: l, item_inner_key: crate }",
      { l: [{ crate: { id: "a" } }] },
      ["a"],
    ],
    ["scalars as identities", "response: items_list", { items: ["a", "b"] }, ["a", "b"]],
    ["a single row", "response: single", { id: "a" }, ["a"]],
    ["a wrapped root scalar", "response: { wrap_root_scalar: true }", 7, ["7"]],
    ["nothing there", "response: items_list", { list: [] }, []],
  ];
  test.each(cases)("%s", async (_name, list, json, expected) => {
    const { ids, codes } = await readAll({ list, reply: () => ({ json }) });
    expect(ids).toEqual(expected);
    expect(codes.includes("collection_missing")).toBe(expected.length === 0);
  });

  test("an object there is an error naming the path and its keys", async () => {
    const { outcome } = await readAll({
      list: "response: { items: box }",
      reply: () => ({ json: { box: { a: 1, b: 2 } } }),
    });
    expect(outcome.nodes[0]?.error?.code).toBe("decode");
    expect(outcome.nodes[0]?.error?.message).toMatch(/box.*a, b/);
    expect(outcome.nodes[0]?.error?.request).toMatchObject({
      pathTemplate: "/crates",
      status: 200,
    });
  });
});
