import { kiteCatalog, kiteMapping } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { type ServedAgent, useServedCatalog } from "../../../test/served-catalog.ts";

const filesOf = (materialize: string) => ({
  ...kiteCatalog({
    fields: { total: "count" },
    relations: { lines: `{ target: Line, cardinality: many, materialize: ${materialize} }` },
    entities: {
      Line: "{ id_field: id, fields: { id: { value_ref: text }, length: { value_ref: count } } }",
    },
    capabilities: {
      kite_get: ["{ kind: get, entity: Kite }", kiteMapping("GET", null, "response: single")],
    },
  }),
  entity: ["Kite", "Line"],
});

const LISTED =
  "{ kind: from_parent_get, path: [{ key: lines }, { key: data }, { wildcard: true }] }";
const PLAIN = "{ kind: from_parent_get, path: [{ key: lines }, { wildcard: true }] }";
const EDGES =
  "{ kind: from_parent_get, path: [{ key: lines }, { key: edges }, { wildcard: true }, { key: node }] }";
const MAP = "{ kind: from_parent_get, path: [{ key: lines }, { wildcard: true }], key_into: id }";
const SIZES =
  "{ kind: from_parent_get, path: [{ key: lines }, { wildcard: true }], key_into: id, value_into: length }";

const served = useServedCatalog();

/** Kites whose lines are as given, one after the other. */
function serve(materialize: string, ...lines: readonly unknown[]): Promise<ServedAgent> {
  const kites = lines.map((each, at) => ({ id: `k${at}`, total: 99, lines: each }));
  return served(filesOf(materialize), (_method, url) => ({
    body: url === "/kites" ? { kites } : kites.find(({ id }) => url === `/kites/${id}`),
  }));
}

const line = (id: string, length = 1) => ({ id, length });
const headOf = ({ text }: { readonly text: string }): string | undefined => text.split("\n")[0];

describe("17.4 RUN-003, RUN-037: rows that stand in a row, and are not all", () => {
  const SAYS =
    "rows_unread: Kite.lines: the API says that more follow (has_more), 2 came with the row";

  it("what their collection says beside them makes them partial, as a list", async () => {
    const on = await serve(LISTED, { data: [line("a"), line("b")], has_more: true });
    const list = await on.run('Kite("k0").lines');
    expect(headOf(list)).toBe("Line · 2 rows, partial (rows_unread)");
    expect(list.text).toContain(SAYS);
    const count = await on.run('Kite("k0").lines.aggregate(count)');
    expect(count.text).toContain("≥ 2");
  });

  it("of several rows one is enough, wherever it stands", async () => {
    const whole = { data: [line("c")], has_more: false };
    const cut = { data: [line("a"), line("b")], has_more: true };
    for (const lines of [
      [cut, whole],
      [whole, cut],
    ]) {
      const on = await serve(LISTED, ...lines);
      const { text } = await on.run("Kite.lines");
      expect(text.split("\n")[0]).toBe("Line · 3 rows, partial (rows_unread)");
      expect(text).toContain(SAYS);
    }
  });

  it("numbers, and pages of GraphQL", async () => {
    const counted = await serve(LISTED, { data: [line("a")], total_count: 7 });
    expect((await counted.run("Kite.lines")).text).toContain(
      "Kite.lines: the API says 7 (total_count), 1 came with the row",
    );
    const edges = [{ node: line("a") }];
    const more = { edges, pageInfo: { hasNextPage: true, endCursor: "x" } };
    const cut = await (await serve(EDGES, more)).run("Kite.lines");
    expect(headOf(cut)).toContain("partial (rows_unread)");
    const last = { edges, pageInfo: { hasNextPage: false, endCursor: "x" } };
    const whole = await (await serve(EDGES, last)).run("Kite.lines");
    expect(headOf(whole)).toBe("Line · 1 row");
  });

  it("what stands in the row itself are its fields, and a denial counts", async () => {
    const fields = await (await serve(PLAIN, [line("a")])).run("Kite.lines");
    expect(headOf(fields)).toBe("Line · 1 row");
    const denied = await serve(LISTED, { data: [line("a")], has_more: false, next: "/lines" });
    expect(headOf(await denied.run("Kite.lines"))).toBe("Line · 1 row");
  });

  it("the same of a row that a cursor kept", async () => {
    const cut = { data: [line("a"), line("b")], has_more: true };
    const on = await serve(LISTED, cut, { data: [line("c")], has_more: false });
    const first = await on.run("Kite.page_size(1).lines.page_size(1)");
    const texts = [first.text];
    for (let next = /page\((\w+)\)/.exec(first.text); next !== null;) {
      const { text } = await on.run(`page(${next[1]})`);
      texts.push(text);
      next = /page\((\w+)\)/.exec(text);
    }
    expect(texts).toHaveLength(3);
    expect(texts.at(-1)).toContain(SAYS);
  });
});

describe("17.7 RUN-037: a map of rows in a row", () => {
  it("each key goes into the declared member", async () => {
    const on = await serve(MAP, { a: { length: 3 }, b: { length: 4, id: "own" } }, {}, []);
    const { text } = await on.run("Kite.lines[id, length]");
    expect(text).toContain("a\t3\nb\t4");
    expect(headOf({ text })).toBe("Line · 2 rows");
  });

  it("values that are no objects go into theirs", async () => {
    const on = await serve(SIZES, { a: 3, b: 4 });
    expect((await on.run('Kite("k0").lines[id, length]')).text).toContain("a\t3\nb\t4");
  });

  it("an undeclared one is partial and says how to declare it, and so is a list where one is declared", async () => {
    const undeclared = await (await serve(PLAIN, { a: { length: 3 } })).run("Kite.lines");
    expect(headOf(undeclared)).toBe("Line · 0 rows, partial (rows_unread)");
    expect(undeclared.text).toContain(
      "Kite.lines: an object stands where a list was expected; its keys: a; if it is a map of rows, declare key_into beside path",
    );
    const list = await (await serve(MAP, [line("a")])).run("Kite.lines");
    expect(headOf(list)).toBe("Line · 1 row, partial (rows_unread)");
    expect(list.text).toContain("an array stands where a map was expected");
  });
});
