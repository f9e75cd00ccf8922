import fc from "fast-check";
import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { exposureOf } from "../../test/exposure-of.ts";
import { planOf } from "../../test/plan-of.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import type { Plan } from "./ir.ts";

/** Books by authors: authors are listed by name, books of an author, of authors, or all. */
const shelf = exposureOf([
  buildCatalog("shelf", {
    entities: {
      Author: { fields: { id: "str", name: "str", born: "int", home: "→Town" } },
      Town: { key: ["land", "name"], fields: { land: "str", name: "str", size: "int" } },
      Book: { fields: { id: "str", title: "str", author: "→Author", kind: "a|b", pages: "int" } },
      Copy: { fields: { id: "str", book: "→Book", state: "a|b" } },
      Loan: { fields: { id: "str", author: "→Author", book: "→Book" } },
    },
    capabilities: {
      author_query: { kind: "query", entity: "Author", paged: true, params: { "name?": "str" } },
      author_in: { kind: "query", entity: "Author", params: { home: "→Town" } },
      author_get: { kind: "get", entity: "Author" },
      town_query: { kind: "query", entity: "Town", params: { "size?": "int" } },
      town_get: { kind: "get", entity: "Town" },
      book_query: { kind: "query", entity: "Book", paged: true, params: { "kind?": "a|b" } },
      book_of: { kind: "query", entity: "Book", params: { author: "→Author", "kind?": "a|b" } },
      book_get: { kind: "get", entity: "Book" },
      copy_query: { kind: "query", entity: "Copy", params: { "book?": "[→Book]" } },
      loan_query: { kind: "query", entity: "Loan", params: { "author?": "→Author" } },
    },
  }),
]);

const plan = (text: string): Plan => planOf(text, shelf, { features: ALL_FEATURES });
const kinds = (text: string): readonly string[] => plan(text).nodes.map(({ kind }) => kind);

const byName = { kind: "query", capability: "author_query", args: { name: { lit: "Ann" } } };
const ofThem = {
  kind: "query",
  capability: "book_of",
  args: { author: { from: "n1", path: ["id"], type: "str", many: true } },
};

test("RUN-114: foreign identities are read first and sent as in RUN-111", () => {
  const { nodes, edges, summary } = plan('Book{author.name="Ann"}');
  expect(nodes).toMatchObject([
    { ...byName, filter: null, limit: null, wanted: ["id"] },
    { ...ofThem, filter: null },
  ]);
  expect(nodes).toHaveLength(2);
  expect(edges).toEqual([{ from: "n1", to: "n2" }]);
  // Judged like a relation fan-out, since the authors are many (RUN-111, PLAN-021).
  expect(summary.reasons).toContainEqual(
    expect.objectContaining({ code: "relation_fanout", node: "n2", severity: "expensive" }),
  );
  expect(summary.bill.nodes["n2"]?.requests).toEqual({ unknown: "one per row of n1" });
});

test("further conditions on it are tested on the foreign rows, the book's own beside its list", () => {
  const one = plan('Book{author.name="Ann", not{author.born<1900}, kind=a, pages>10}');
  expect(one.nodes).toMatchObject([
    { ...byName, filter: { not: { op: "<", path: ["born"], value: { lit: 1900 } } } },
    { ...ofThem, args: { kind: { lit: "a" } }, filter: { op: ">", path: ["pages"] } },
  ]);
  for (const other of [
    'Book{kind=a, pages>10}.filter{author.name="Ann", not{author.born<1900}}',
    'a = Book{all{author.name="Ann", not{author.born<1900}}}\na{pages>10, kind=a}',
  ]) {
    expect(plan(other).commit).toBe(one.commit);
  }
});

test("a limit reaches the list; a list parameter takes all at once", () => {
  expect(plan('Book{author.name="Ann"}.limit(3)').nodes[1]).toMatchObject({ ...ofThem, limit: 3 });
  const { nodes, summary } = plan("Copy{book.kind=a}");
  expect(nodes).toMatchObject([
    { capability: "book_query", args: { kind: { lit: "a" } } },
    { capability: "copy_query", args: { book: { from: "n1", path: ["id"], many: true } } },
  ]);
  expect(summary.reasons.map(({ code }) => code)).not.toContain("relation_fanout");
});

test("a column of it is still fetched, for the rows that are left", () => {
  expect(plan('Book{author.name="Ann"}.limit(3)[title, author.name]').nodes).toMatchObject([
    byName,
    { ...ofThem, limit: 3 },
    { kind: "join", source: "n2", path: ["author"], wanted: ["name"] },
    { op: { project: [["title"], ["author", "name"]] } },
  ]);
});

test("a compound key is sent as the rows' references", () => {
  expect(plan("Author{home.size=3}").nodes).toMatchObject([
    { capability: "town_query" },
    { capability: "author_in", args: { home: { from: "n1", path: [], many: true } } },
  ]);
});

test.each([
  ["no list takes the condition", "Book{author.born>1900}", ["query", "join", "compute"]],
  ["nor any other operator", 'Book{author.name!="Ann"}', ["query", "join", "compute"]],
  ["an alternative", 'Book{any{author.name="Ann", pages>3}}', ["query", "join", "compute"]],
  ["a negation", 'Book{not{author.name="Ann"}}', ["query", "join", "compute"]],
  ["null", "Book{author.name=null}", ["query", "join", "compute"]],
  [
    "an optional parameter takes one value",
    'Loan{author.name="Ann"}',
    ["query", "join", "compute"],
  ],
  [
    "the parameter has a value already",
    'Book{author=x, author.name="Ann"}',
    ["query", "join", "compute"],
  ],
  ["the key is known", 'Book{id=x, author.name="Ann"}', ["get", "join", "compute"]],
  ["the key of the foreign row", "Book{author.id=x}", ["query", "join", "compute"]],
  ["behind a limit", 'Book.limit(3).filter{author.name="Ann"}', ["query", "join", "compute"]],
  [
    "the list is used otherwise, too",
    'a = Book\na{author.name="Ann"}\na',
    ["query", "join", "compute"],
  ],
])("else the join, %s: %s", (_, text, expected) => {
  expect(kinds(text)).toEqual(expected);
});

test("one fan-out a read: the second reference is joined", () => {
  const { nodes } = plan('Loan{book.kind=a, author.name="Ann"}');
  expect(nodes.map(({ kind }) => kind)).toEqual(["query", "join", "join", "compute"]);
  expect(kinds('Book{author.name="Ann", author.home.size=2}')).toEqual([
    "query",
    "query",
    "join",
    "join",
    "compute",
  ]);
});

test("values come from labels as elsewhere; in the body of a => nothing is read beside", () => {
  expect(plan('a = Author("x")\nBook{author.name=a.name}').nodes).toMatchObject([
    { kind: "get" },
    { capability: "author_query", args: { name: { from: "n1", path: ["name"] } } },
    { capability: "book_of" },
  ]);
});

test("C-112: mistakes are told once", () => {
  const compiled = () => plan('Book{author.nme="Ann"}');
  expect(compiled).toThrow(/unknown_column/);
  expect(compiled).not.toThrow(/unknown_column[^]*unknown_column/);
});

const CONDITIONS = [
  'author.name="Ann"',
  "author.born=1900",
  "not{author.born=1901}",
  "author.home.size=2",
  "kind=a",
  "pages>10",
  'any{author.name="Bo", pages>3}',
  "author=w1",
  "id=k1",
  "exists(author.name)",
];
const STEPS = ["", ".limit(2)", "[id, author.name]", ".sort(author.born).limit(1)"];

test("PLAN-003: neither the order of conditions nor their division into filters changes a plan", () => {
  const drawn = fc.record({
    chosen: fc.uniqueArray(fc.constantFrom(...CONDITIONS), { minLength: 1, maxLength: 5 }),
    ranks: fc.array(fc.nat(9), { minLength: 5, maxLength: 5 }),
    cuts: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    step: fc.constantFrom(...STEPS),
  });
  fc.assert(
    fc.property(drawn, ({ chosen, ranks, cuts, step }) => {
      const at = (text: string): number => ranks[chosen.indexOf(text)] ?? 0;
      const other = chosen
        .toSorted((a, b) => at(a) - at(b))
        .map((each, index) => (index > 0 && cuts[index] === true ? `}.filter{${each}` : each))
        .join(", ")
        .replaceAll(", }", "}");
      const one = plan(`Book{${chosen.join(", ")}}${step}`);
      expect(plan(`Book{${other}}${step}`).commit).toBe(one.commit);
    }),
    { numRuns: 300 },
  );
});
