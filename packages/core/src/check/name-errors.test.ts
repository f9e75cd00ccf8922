import { expect, test } from "vitest";
import {
  e,
  fixtureExposure,
  m,
  p,
  quayAndYard,
  quayExposure,
} from "../../test/fixture-exposure.ts";
import { errorsOf, planOf } from "../../test/plan-of.ts";
import type { ErrorCode } from "../diagnostics/codes.ts";
import type { Exposure } from "../symbols/exposure.ts";

/** A session that holds quay's Boat alone. */
const boatOnly: Exposure = fixtureExposure([["quay", "Boat"]]);

type Row = readonly [
  id: string,
  program: string,
  code: ErrorCode,
  /** the offending text */
  at: string,
  /** what the correction must contain */
  ...contains: string[],
];

/** The only error of a program: its code, the text it points at, what the correction lacks. */
function found(exposure: Exposure, [, program, , , ...contains]: Row): object {
  const [error, ...more] = errorsOf(program, exposure);
  const lacks = contains.filter((part) => error?.correction.includes(part) !== true);
  const at = program.slice(error?.span.start, error?.span.end);
  return { code: error?.code, at, more: more.map(({ code }) => code), lacks };
}

/** What {@link found} gives for a row that holds. */
function stated([, , code, at]: Row): object {
  return { code, at, more: [], lacks: [] };
}

const { entities, methods, names } = quayExposure.symbols;
const E_RANGE = `e1..e${entities.length}`;
const M_RANGE = `m1..m${methods.length}`;
const P_RANGE = `p1..p${names.length}`;

const quay: readonly Row[] = [
  ["C-063", "e99", "unknown_symbol", "e99", E_RANGE],
  ["C-063", "e1.m99()", "unknown_symbol", "m99", M_RANGE],
  ["C-063", "e1[p99]", "unknown_symbol", "p99", P_RANGE],
  ["another family", "p1", "unknown_symbol", "p1", E_RANGE],
  ["another family as step", 'e1("b1").e2', "unknown_symbol", "e2", P_RANGE],
  [
    "another entity's method",
    `e1("b1").${m("Person", "get")}()`,
    "unknown_method",
    m("Person", "get"),
    `${m("Boat", "get")} (get)`,
    `${p("owner")} (owner)`,
  ],
  ["C-109", "pc0", "unknown_name", "pc0", "plan_commit_ref"],
  ["a page handle", "s0_pg1", "unknown_name", "s0_pg1", "page(s0_pg1)"],
  ["an operation's handle", "s0_o1", "unknown_name", "s0_o1", "wait(s0_o1)"],
  ["no such name", "Bota.limit(1)", "unknown_name", "Bota", "Boat", "Person"],
  ["C-066", "Person(x)\nx = Boat", "unbound_label", "x", "line 2", '"x"'],
  ["a label's own line", "a = a.limit(2)\nBoat", "unbound_label", "a"],
  ["C-060", "a = Boat\na = Log(1)\na", "duplicate_label", "a", "a_2"],
  ["C-060", "Boat = Log(1)\nPerson", "label_is_entity", "Boat", "boat_2", "e1 (Boat)"],
  ["C-085", "Boat.sort(visits)", "relation_as_value", "visits", ".visits"],
  ["C-024 plain field", 'Boat("b1").name', "not_navigable", "name", "[name]", "owner", "visits"],
  ["no parentheses", 'Boat("b1").get', "missing_call", "get", ".get()"],
  ["required arguments in a call", "Boat.query-owner", "missing_call", "query-owner", "owner="],
  ["an operator without brackets", "Boat.limit", "unknown_method", "limit", ".limit(10)"],
  ["another language's operator", "Boat.count()", "unknown_method", "count", ".aggregate(n=count)"],
  ["another language's operator", "Boat.where(a=1)", "unknown_method", "where", ".filter{"],
  ["a relation with parentheses", 'Boat("b1").owner()', "unknown_method", "owner", ".owner"],
  [
    "no such step",
    'Boat("b1").double',
    "unknown_method",
    "double",
    "Relations: logs",
    "query-owner",
  ],
  ["C-058", "x = Boat", "no_result", "", "x"],
  ["a get on the entity", "Boat.get()", "needs_target", "get", 'Boat("text").get()'],
  ["a list on a row", 'Boat("b1").query()', "unknown_method", "query", "Boat.query()"],
  ["C-096", "a = Boat.limit(5)\na.get()", "not_singleton", "a", "a.limit(1)"],
  ["RUN-111", "p = Person\nBoat{near=p.login}", "not_singleton", "p.login", "near in p.login"],
  ["RUN-111", "p = Person\nBoat{owner=p}", "not_singleton", "p", "owner in p.login"],
  ["C-103", "Boat(_.id)", "no_cursor", "_.id", "=>"],
  ["a cursor as source", "_.owner", "no_cursor", "_", "=>"],
  ["C-073", "Person~x", "no_search", "Person", "name~x", "query"],
  ["search on a label", "a = Boat\na~x", "no_search", "a"],
  ["key on a label", 'a = Boat\na("b1")', "bad_key", "a"],
];

test.each(quay.map((row) => ({ row })))("names, $row.0: $row.1 is $row.2", ({ row }) => {
  expect(found(quayExposure, row)).toEqual(stated(row));
});

test("C-064: a name of two catalogs lists both symbols", () => {
  const row: Row = [
    "",
    "Boat",
    "ambiguous_entity",
    "Boat",
    "e1 (quay)",
    `${e("yard", "Boat", quayAndYard)} (yard)`,
  ];
  expect(found(quayAndYard, row)).toEqual(stated(row));
});

test("C-062: strings and bare values are opaque, symbols included", () => {
  expect(planOf('Person("p1")').nodes).toMatchObject([{ key: { login: { lit: "p1" } } }]);
  expect(planOf("Person(e1)").nodes).toMatchObject([{ key: { login: { lit: "e1" } } }]);
});

test("C-065: a step follows the relation, a column reads the field", () => {
  const plan = planOf('p = Person("ann")\np.boats, p[boats]');
  expect(plan.nodes).toMatchObject([
    { kind: "relation", relation: "boats" },
    { kind: "get" },
    { op: { project: [["boats"]] }, result: { columns: [["boats", "int"]] } },
  ]);
});

test("C-067: a word is text; a label one edit away is noted", () => {
  const plain = planOf("Person(ann.b)");
  expect(plain.nodes).toMatchObject([{ key: { login: { lit: "ann.b" } } }]);
  expect(plain.summary.reasons.map(({ code }) => code)).not.toContain("text_not_binding");
  const near = planOf('anm = Person("q")\nPerson(ann.b), anm');
  expect(near.nodes).toMatchObject([{ key: { login: { lit: "ann.b" } } }, {}]);
  expect(near.summary.reasons).toContainEqual(
    expect.objectContaining({ code: "text_not_binding", severity: "info" }),
  );
});

test("C-113: an option and an own name are text whatever the labels", () => {
  expect(planOf("lost = Boat{state=lost}\nBoat{state=lost}, lost").nodes).toMatchObject([
    { args: { state: { lit: "lost" } } },
  ]);
  expect(planOf("ann = Person(ann)\nann").nodes).toMatchObject([
    { key: { login: { lit: "ann" } } },
  ]);
});

test("not_exposed names the seed (LANG-020)", () => {
  const rows: readonly Row[] = [
    ["", 'Person("ann")', "not_exposed", "Person", '{"api": "quay", "entity": "Person"}'],
    ["", 'Boat("b1").owner', "not_exposed", "owner", '"entity": "Person"'],
  ];
  for (const row of rows) expect(found(boatOnly, row)).toEqual(stated(row));
});

test("C-122, reading: a reference to an entity that is not exposed is a value nonetheless", () => {
  expect(planOf('Boat{owner=Person("ann")}', boatOnly).nodes).toMatchObject([
    { args: { owner: { lit: "ann" } } },
  ]);
});

test("policy: what was taught and is forbidden since, and what was never taught (SURF-25)", () => {
  const exposure = { ...quayExposure, policy: { apis: { quay: { deny: ["boat_search"] } } } };
  const rows: readonly Row[] = [
    ["", 'Boat~"Al"', "policy_denied", "Boat", "quay"],
    ["", 'Boat.search(q="Al")', "policy_denied", "search", "quay"],
  ];
  for (const row of rows) expect(found(exposure, row)).toEqual(stated(row));
  const untaught = new Set(["quay/boat_search"]);
  expect(errorsOf('Boat.search(q="Al")', exposure, { untaught })).toMatchObject([
    { code: "unknown_method", correction: expect.not.stringContaining("search") },
  ]);
  expect(errorsOf('Boat~"Al"', exposure, { untaught })).toMatchObject([{ code: "no_search" }]);
});
