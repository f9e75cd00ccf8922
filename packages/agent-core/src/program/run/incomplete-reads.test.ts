import { kiteCatalog, kiteMapping } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { type Served, type ServedAgent, useServedCatalog } from "../../../test/served-catalog.ts";
import type { Told } from "../../../test/engine-on.ts";

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

const filesOf = (paging: Paging) => ({
  ...kiteCatalog({
    fields: { length: "count" },
    relations: {
      tails:
        "{ target: Tail, cardinality: many, materialize: { kind: query_scoped_bindings, capability: tail_query, bindings: { kite: id } } }",
    },
    entities: { Tail: "{ id_field: id, fields: { id: { value_ref: text } } }" },
    capabilities: {
      kite_delete: ["{ kind: delete, entity: Kite }", kiteMapping("DELETE")],
      tail_query: [
        "{ kind: query, entity: Tail, parameters: [{ name: kite, type: entity_ref, target: Kite, required: true, role: scope }] }",
        "{ method: GET, path: [{ type: literal, value: kites }, { type: var, name: kite }, { type: literal, value: tails }], response: { items: tails } }",
      ],
    },
    pagination: PAGINATION[paging],
  }),
  entity: "Kite",
});

type Body = Record<string, unknown>;

/** Kites by number. */
const kites = (...numbers: readonly number[]): Body => ({
  kites: numbers.map((n) => ({ id: `k${n}`, length: n })),
});

const served = useServedCatalog();

function serve(paging: Paging, answer: (query: URLSearchParams, at: number) => Served) {
  let at = 0;
  return served(filesOf(paging), (method, address) => {
    if (method === "DELETE") return { status: 204 };
    const url = new URL(address, "http://api");
    at += 1;
    return answer(url.searchParams, at);
  });
}

/** The pages of a server, in the order in which they are asked for; the last is answered for ever. */
const inOrder =
  (...pages: readonly Body[]) =>
  (_query: URLSearchParams, at: number): Served => ({
    body: pages[Math.min(at, pages.length) - 1],
  });

const stepsOf = ({ meta }: Told) => meta["steps"] as readonly { readonly partial: string | null }[];

/** What a read of the whole list says: its first line, why it is partial, and the whole text. */
async function read(on: ServedAgent) {
  const told = await on.run("Kite.sort(length)", { force: true, wait: true });
  const [head = ""] = told.text.split("\n");
  return { head, partial: stepsOf(told).map(({ partial }) => partial), text: told.text };
}

/** A number of rows as the head of a result has it, and why they are not all. */
function partly(rows: number, reason: string, ...says: readonly string[]) {
  return {
    head: `Kite · ${rows} row${rows === 1 ? "" : "s"}, partial (${reason})`,
    partial: [reason],
    text: expect.stringContaining(says.join("")) as string,
  };
}

/** The same of a list that is whole. */
const wholly = (rows: number) => ({
  head: `Kite · ${rows} row${rows === 1 ? "" : "s"}`,
  partial: [null],
  text: expect.not.stringContaining("partial") as string,
});

/** What the text says of how many there are. */
const counted = async (on: ServedAgent): Promise<string> =>
  (await on.run("Kite.aggregate(count)", { force: true, wait: true })).text;

/** The text of a count that is a bound, since the rows are not all. */
const bound = (rows: number, reason: string): RegExp =>
  new RegExp(`^Kite · 1 row, partial \\(${reason}\\)[^]*≥ ${rows}`);

describe("18.1 RUN-003, SURF-5: an incomplete read is partial, in the text and in `partial`", () => {
  it("18.1 empty pages with a cursor that goes on", async () => {
    const answer = (_query: URLSearchParams, at: number): Served => ({
      body: { ...(at === 1 ? kites(1, 2) : kites()), next: `c${at}` },
    });
    const on = await serve("cursor", answer);
    expect(await read(on)).toEqual(
      partly(2, "rows_unread", "kite_query: 10 empty pages in a row, and the API names a next one"),
    );
    expect(on.asked).toHaveLength(11);
  });

  it("18.1 empty pages whose Link leads on", async () => {
    const answer = (_query: URLSearchParams, at: number): Served => ({
      body: kites(),
      headers: { link: `</kites?at=${at}>; rel="next"` },
    });
    expect(await read(await serve("link", answer))).toEqual(
      partly(0, "rows_unread", "10 empty pages in a row"),
    );
  });

  it("18.1 a cursor that comes back at once", async () => {
    const on = await serve("cursor", inOrder({ ...kites(1, 2), next: "a" }));
    expect(await read(on)).toEqual(
      partly(2, "rows_unread", "kite_query: the API names a page that was read already"),
    );
  });

  it("18.1 a cycle of cursors", async () => {
    const on = await serve("cursor", (query) => {
      const at = query.get("cursor") ?? "";
      const [rows, next] =
        at === "" ? [kites(1), "a"] : at === "a" ? [kites(2), "b"] : [kites(3), "a"];
      return { body: { ...rows, next } };
    });
    expect(await read(on)).toEqual(
      partly(3, "rows_unread", "the API names a page that was read already"),
    );
    expect(on.asked).toHaveLength(3);
    expect(await counted(on)).toMatch(bound(3, "rows_unread"));
  });

  it("18.1 a cycle of next pages", async () => {
    const on = await serve("link", (_query, at) => ({
      body: kites(at),
      headers: { link: `</kites?at=${at % 2}>; rel="next"` },
    }));
    expect(await read(on)).toEqual(
      partly(3, "rows_unread", "the API names a page that was read already"),
    );
  });

  it("18.1 a cursor that stays on an empty page, or where the API says that none follow, is the end", async () => {
    const stays = inOrder({ ...kites(1), next: "a" }, { ...kites(), next: "a" });
    expect(await read(await serve("cursor", stays))).toEqual(wholly(1));
    const said = { ...kites(1), next: "a", has_more: false };
    expect(await read(await serve("cursor", inOrder(said)))).toEqual(wholly(1));
  });

  it("18.1 an API that ignores the page", async () => {
    const on = await serve("page", inOrder(kites(1, 2, 3)));
    expect(await read(on)).toEqual(
      partly(3, "rows_unread", "kite_query: the API answers the second page with the first"),
    );
    expect(on.asked).toHaveLength(2);
    expect(await counted(on)).toMatch(bound(3, "rows_unread"));
  });

  it("18.1 and one that gives its last page for those behind it, or counts no more rows, is whole", async () => {
    expect(await read(await serve("page", inOrder(kites(1, 2), kites(3))))).toEqual(wholly(3));
    expect(await read(await serve("page", inOrder({ ...kites(1, 2), total: 2 })))).toEqual(
      wholly(2),
    );
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
    expect(await read(on)).toEqual(partly(5, "rows_unread", says));
    expect(await counted(await serve("sized", inOrder({ ...kites(1), ...more })))).toMatch(
      bound(1, "rows_unread"),
    );
  });

  it("18.1 200 with an empty body; 204 says that there is nothing", async () => {
    const on = await serve("none", () => ({ status: 200 }));
    expect(await read(on)).toEqual(
      partly(0, "collection_missing", "collection_missing: nothing at kites: the answer is empty"),
    );
    expect(await counted(on)).toMatch(bound(0, "collection_missing"));
    expect(await read(await serve("none", () => ({ status: 204 })))).toEqual(wholly(0));
  });

  it("18.1 `null` in place of an answer, or no collection in it", async () => {
    expect(await read(await serve("none", () => ({ body: "null" })))).toEqual(
      partly(0, "collection_missing", "the answer is empty"),
    );
    const on = await serve("none", () => ({ body: { items: [{ id: "k1" }], ok: true } }));
    expect(await read(on)).toEqual(
      partly(
        0,
        "collection_missing",
        "collection_missing: nothing at kites; the answer has items, ok",
      ),
    );
    expect(await counted(on)).toMatch(bound(0, "collection_missing"));
    const deleted = await on.run("Kite => _.delete()", { force: true, wait: true });
    expect(deleted.text).toContain("collection_missing");
    expect(on.asked.some((each) => each.startsWith("DELETE"))).toBe(false);
  });

  it("18.1 a page without collection among others", async () => {
    const on = await serve(
      "cursor",
      inOrder({ ...kites(1), next: "a" }, { next: "b" }, { ...kites(2), next: null }),
    );
    expect(await read(on)).toEqual(partly(2, "collection_missing", "nothing at kites"));
  });

  it("18.1 a collection that is null is an empty list at the beginning, and partial behind rows", async () => {
    expect(await read(await serve("none", () => ({ body: { kites: null } })))).toEqual(wholly(0));
    expect(await read(await serve("none", () => ({ body: { kites: null, total: 4 } })))).toEqual(
      partly(0, "rows_unread", "the API says 4 (total), 0 were read"),
    );
    const on = await serve(
      "cursor",
      inOrder({ ...kites(1), next: "a" }, { kites: null, next: null }),
    );
    expect(await read(on)).toEqual(partly(1, "collection_null", "nothing at kites"));
  });

  it("18.1 a page that repeats rows of an earlier one: rows moved while they were read", async () => {
    const on = await serve("offset", inOrder(kites(1, 2, 3), kites(3, 4, 5), kites(6)));
    expect(await read(on)).toEqual(
      partly(
        6,
        "row_repeated",
        "row_repeated: a later page repeats rows: the list changed while it was read",
      ),
    );
    expect(await counted(await serve("offset", inOrder(kites(1, 2, 3), kites(3, 4))))).toMatch(
      bound(4, "row_repeated"),
    );
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
    expect(await read(on)).toEqual(
      partly(6, "rows_unread", "kite_query: the API counted 7 rows at first and 6 later"),
    );
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
    expect(await read(on)).toEqual(wholly(3));
  });

  it("18.1 who stops before the end lacks nothing", async () => {
    const on = await serve("page", inOrder(kites(1, 2, 3)));
    const { text } = await on.run("Kite.limit(2)");
    expect(text).not.toContain("partial");
  });
});
