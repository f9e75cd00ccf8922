import { afterEach, describe, expect, it } from "vitest";
import { type Served, type ServedAgent, serveCatalog } from "../testing/served-catalog.ts";
import type { Told } from "../testing/engine-on.ts";

const DOMAIN = `
version: 1
http_backend: BACKEND
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
entities:
  Kite:
    id_field: id
    fields: { id: { value_ref: text }, length: { value_ref: count } }
    relations:
      tails:
        target: Tail
        cardinality: many
        materialize: { kind: query_scoped_bindings, capability: tail_query, bindings: { kite: id } }
  Tail:
    id_field: id
    fields: { id: { value_ref: text } }
capabilities:
  kite_query: { kind: query, entity: Kite }
  kite_delete: { kind: delete, entity: Kite }
  tail_query:
    kind: query
    entity: Tail
    parameters: [{ name: kite, type: entity_ref, target: Kite, required: true, role: scope }]
`;

/** How the awkward server has its pages asked for. */
const PAGINATION = {
  cursor: "{ params: { cursor: { from_response: next } } }",
  page: "{ params: { page: { counter: 1 } } }",
  sized: "{ params: { page: { counter: 1 }, size: { fixed: 3 } } }",
  offset: "{ params: { offset: { counter: 0 }, limit: { fixed: 3 } } }",
  link: "{ location: link_header }",
  none: null,
} as const;

type Paging = keyof typeof PAGINATION;

const mappings = (paging: Paging) => `
kite_query:
  method: GET
  path: [{ type: literal, value: kites }]
  response: { items: kites }
  ${PAGINATION[paging] === null ? "" : `pagination: ${PAGINATION[paging]}`}
kite_delete: { method: DELETE, path: [{ type: literal, value: kites }, { type: var, name: id }] }
tail_query:
  method: GET
  path: [{ type: literal, value: kites }, { type: var, name: kite }, { type: literal, value: tails }]
  response: { items: tails }
`;

type Body = Record<string, unknown>;

/** Kites by number. */
const kites = (...numbers: readonly number[]): Body => ({
  kites: numbers.map((n) => ({ id: `k${n}`, length: n })),
});

let agent: ServedAgent | null = null;
afterEach(async () => {
  await agent?.close();
  agent = null;
});

async function serve(paging: Paging, answer: (query: URLSearchParams, at: number) => Served) {
  let at = 0;
  agent = await serveCatalog(
    { domain: DOMAIN, mappings: mappings(paging), entity: "Kite" },
    (method, address) => {
      if (method === "DELETE") return { status: 204 };
      const url = new URL(address, "http://api");
      at += 1;
      return answer(url.searchParams, at);
    },
  );
  return agent;
}

/** The pages of a server, in the order in which they are asked for; the last is answered for ever. */
const inOrder =
  (...pages: readonly Body[]) =>
  (_query: URLSearchParams, at: number): Served => ({
    body: pages[Math.min(at, pages.length) - 1],
  });

interface Partial {
  readonly rows: number;
  readonly reason: string;
  /** what the text says of it */
  readonly says: string;
}

const resultsOf = ({ meta }: Told) =>
  meta["steps"] as readonly { readonly partial: string | null }[];

/** What is incomplete is partial in the text and in `partial`, with its reason; what is made of it, too. */
async function expectPartial(on: ServedAgent, { rows, reason, says }: Partial): Promise<void> {
  const list = await on.run("Kite.sort(length)", { force: true, wait: true });
  expect(list.text.split("\n")[0]).toBe(
    `Kite · ${rows} row${rows === 1 ? "" : "s"}, partial (${reason})`,
  );
  expect(list.text).toContain(says);
  expect(resultsOf(list).map(({ partial }) => partial)).toEqual([reason]);
}

async function expectBound(on: ServedAgent, rows: number, reason: string): Promise<void> {
  const { text } = await on.run("Kite.aggregate(count)", { force: true, wait: true });
  expect(text.split("\n")[0]).toContain(`partial (${reason})`);
  expect(text).toContain(`≥ ${rows}`);
}

async function expectWhole(on: ServedAgent, rows: number): Promise<void> {
  const list = await on.run("Kite.sort(length)", { force: true, wait: true });
  expect(list.text).not.toContain("partial");
  expect(list.text.split("\n")[0]).toBe(`Kite · ${rows} row${rows === 1 ? "" : "s"}`);
  expect(resultsOf(list).map(({ partial }) => partial)).toEqual([null]);
}

describe("18.1 RUN-003, SURF-5: an incomplete read is partial, in the text and in `partial`", () => {
  it("18.1 empty pages with a cursor that goes on", async () => {
    const answer = (_query: URLSearchParams, at: number): Served => ({
      body: { ...(at === 1 ? kites(1, 2) : kites()), next: `c${at}` },
    });
    const on = await serve("cursor", answer);
    await expectPartial(on, {
      rows: 2,
      reason: "rows_unread",
      says: "kite_query: 10 empty pages in a row, and the API names a next one",
    });
    expect(on.asked).toHaveLength(11);
  });

  it("18.1 empty pages whose Link leads on", async () => {
    const answer = (_query: URLSearchParams, at: number): Served => ({
      body: kites(),
      headers: { link: `</kites?at=${at}>; rel="next"` },
    });
    await expectPartial(await serve("link", answer), {
      rows: 0,
      reason: "rows_unread",
      says: "10 empty pages in a row",
    });
  });

  it("18.1 a cursor that comes back at once", async () => {
    const on = await serve("cursor", inOrder({ ...kites(1, 2), next: "a" }));
    await expectPartial(on, {
      rows: 2,
      reason: "rows_unread",
      says: "kite_query: the API names a page that was read already",
    });
    await on.close();
  });

  it("18.1 a cycle of cursors", async () => {
    const on = await serve("cursor", (query) => {
      const at = query.get("cursor") ?? "";
      const [rows, next] =
        at === "" ? [kites(1), "a"] : at === "a" ? [kites(2), "b"] : [kites(3), "a"];
      return { body: { ...rows, next } };
    });
    await expectPartial(on, {
      rows: 3,
      reason: "rows_unread",
      says: "the API names a page that was read already",
    });
    expect(on.asked).toHaveLength(3);
    await expectBound(on, 3, "rows_unread");
  });

  it("18.1 a cycle of next pages", async () => {
    const on = await serve("link", (_query, at) => ({
      body: kites(at),
      headers: { link: `</kites?at=${at % 2}>; rel="next"` },
    }));
    await expectPartial(on, {
      rows: 3,
      reason: "rows_unread",
      says: "the API names a page that was read already",
    });
  });

  it("18.1 a cursor that stays on an empty page, or where the API says that none follow, is the end", async () => {
    await expectWhole(
      await serve("cursor", inOrder({ ...kites(1), next: "a" }, { ...kites(), next: "a" })),
      1,
    );
    await agent?.close();
    const said = { ...kites(1), next: "a", has_more: false };
    await expectWhole(await serve("cursor", inOrder(said)), 1);
  });

  it("18.1 an API that ignores the page", async () => {
    const on = await serve("page", inOrder(kites(1, 2, 3)));
    await expectPartial(on, {
      rows: 3,
      reason: "rows_unread",
      says: "kite_query: the API answers the second page with the first",
    });
    expect(on.asked).toHaveLength(2);
    await expectBound(on, 3, "rows_unread");
  });

  it("18.1 and one that gives its last page for those behind it, or counts no more rows, is whole", async () => {
    await expectWhole(await serve("page", inOrder(kites(1, 2), kites(3))), 3);
    await agent?.close();
    await expectWhole(await serve("page", inOrder({ ...kites(1, 2), total: 2 })), 2);
  });

  it.each([
    ["a number of rows", { total: 7 }, "the API says 7 (total), 5 were read"],
    ["a flag", { has_more: true }, "the API says that more follow (has_more)"],
    ["a number of pages", { pages: 3 }, "the API says that more follow (pages)"],
  ])("18.1 a short middle page, with %s", async (_what, more, says) => {
    const on = await serve(
      "sized",
      inOrder(
        { ...kites(1, 2, 3), ...more },
        { ...kites(4, 5), ...more },
        { ...kites(6, 7), ...more },
      ),
    );
    await expectPartial(on, { rows: 5, reason: "rows_unread", says });
    await expectBound(await again(on, "sized", { ...kites(1), ...more }), 1, "rows_unread");
  });

  it("18.1 200 with an empty body; 204 says that there is nothing", async () => {
    const on = await serve("none", () => ({ status: 200 }));
    await expectPartial(on, {
      rows: 0,
      reason: "collection_missing",
      says: "collection_missing: nothing at kites: the answer is empty",
    });
    await expectBound(on, 0, "collection_missing");
    await on.close();
    await expectWhole(await serve("none", () => ({ status: 204 })), 0);
  });

  it("18.1 `null` in place of an answer, or no collection in it", async () => {
    await expectPartial(await serve("none", () => ({ body: "null" })), {
      rows: 0,
      reason: "collection_missing",
      says: "the answer is empty",
    });
    await agent?.close();
    const on = await serve("none", () => ({ body: { items: [{ id: "k1" }], ok: true } }));
    await expectPartial(on, {
      rows: 0,
      reason: "collection_missing",
      says: "collection_missing: nothing at kites; the answer has items, ok",
    });
    await expectBound(on, 0, "collection_missing");
    const deleted = await on.run("Kite => _.delete()", { force: true, wait: true });
    expect(deleted.text).toContain("collection_missing");
    expect(on.asked.some((each) => each.startsWith("DELETE"))).toBe(false);
  });

  it("18.1 a page without collection among others", async () => {
    const on = await serve(
      "cursor",
      inOrder({ ...kites(1), next: "a" }, { next: "b" }, { ...kites(2), next: null }),
    );
    await expectPartial(on, { rows: 2, reason: "collection_missing", says: "nothing at kites" });
  });

  it("18.1 a collection that is null is an empty list at the beginning, and partial behind rows", async () => {
    await expectWhole(await serve("none", () => ({ body: { kites: null } })), 0);
    await agent?.close();
    await expectPartial(await serve("none", () => ({ body: { kites: null, total: 4 } })), {
      rows: 0,
      reason: "rows_unread",
      says: "the API says 4 (total), 0 were read",
    });
    await agent?.close();
    const on = await serve(
      "cursor",
      inOrder({ ...kites(1), next: "a" }, { kites: null, next: null }),
    );
    await expectPartial(on, { rows: 1, reason: "collection_null", says: "nothing at kites" });
  });

  it("18.1 a page that repeats rows of an earlier one: rows moved while they were read", async () => {
    const on = await serve("offset", inOrder(kites(1, 2, 3), kites(3, 4, 5), kites(6)));
    await expectPartial(on, {
      rows: 6,
      reason: "row_repeated",
      says: "row_repeated: a later page repeats rows: the list changed while it was read",
    });
    await expectBound(await again(on, "offset", kites(1, 2, 3), kites(3, 4)), 4, "row_repeated");
  });

  it("18.1 a list that lost rows while it was read, so that later ones slid onto pages that were read", async () => {
    const on = await serve(
      "offset",
      inOrder(
        { ...kites(1, 2, 3), total: 7 },
        { ...kites(5, 6, 7), total: 6 },
        { ...kites(), total: 6 },
      ),
    );
    await expectPartial(on, {
      rows: 6,
      reason: "rows_unread",
      says: "kite_query: the API counted 7 rows at first and 6 later",
    });
  });

  it("18.1 a cursor that begins with the row it names repeats that row alone: nothing moved", async () => {
    const on = await serve(
      "cursor",
      inOrder(
        { ...kites(1, 2), next: "k2" },
        { ...kites(2, 3), next: "k3" },
        { ...kites(3), next: null },
      ),
    );
    await expectWhole(on, 3);
  });

  it("18.1 who stops before the end lacks nothing", async () => {
    const on = await serve("page", inOrder(kites(1, 2, 3)));
    const { text } = await on.run("Kite.limit(2)");
    expect(text).not.toContain("partial");
  });
});

/** Another server of the same kind. */
async function again(before: ServedAgent, paging: Paging, ...pages: readonly Body[]) {
  await before.close();
  return serve(paging, inOrder(...pages));
}
