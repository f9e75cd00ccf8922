import { expect, test } from "vitest";
import { errorsOf, planOf } from "../../test/plan-of.ts";
import type { ErrorCode } from "../diagnostics/codes.ts";

type Row = readonly [
  id: string,
  program: string,
  code: ErrorCode,
  at: string,
  /** the suggested program, or null for none */
  suggested: string | null,
  ...contains: string[],
];

const rows: readonly Row[] = [
  ["C-068", 'Visit("x")', "bad_key", '"x"', null, "boat=", "day="],
  [
    "C-068",
    'Visit("b1/2026-01-05")',
    "bad_key",
    '"b1/2026-01-05"',
    'Visit(boat="b1", day="2026-01-05")',
  ],
  [
    "C-068",
    'Visit(boat=Person("a"), day=2026-01-05)',
    "wrong_entity",
    "Person",
    null,
    'Boat("text")',
  ],
  [
    "a reference to another entity",
    'b = Boat("b1")\nBoat(b.owner)',
    "argument_invalid",
    "b.owner",
    null,
    "a reference to Boat",
    'Boat("text")',
  ],
  ["a missing part", "Visit(boat=b1)", "bad_key", "", null, "boat=", "day="],
  ["no such part", "Boat(nme=b1)", "bad_key", "nme", null, "Boat("],
  ["no key", "Boat()", "bad_key", "", null, "Boat("],
  ["C-078", "Boat{near!=x}", "predicate_unsupported", "near", null, "near=x", "!="],
  ["C-078", "Boat{colour=red}", "unknown_slot", "colour", null, "owner", "state", "near"],
  ["C-078", "Boat{flags>1}", "bad_operator", ">", null, "= != ~"],
  ["a near slot", "Boat{stat=lost}", "unknown_slot", "stat", "Boat{state=lost}", "state"],
  ["only sent, inside any", "Boat{any{near=x}}", "predicate_unsupported", "near", null, "near=x"],
  [
    "only sent, behind a limit",
    "Boat.limit(5).filter{near=x}",
    "predicate_unsupported",
    "near",
    null,
    ".limit(5)",
    "query",
  ],
  ["only sent, two values", "Boat{near=x, near=y}", "predicate_unsupported", "near", null],
  ["exists on a parameter", "Boat{exists(near)}", "predicate_unsupported", "near", null],
  ["search text as condition", "Boat{q=Al}", "predicate_unsupported", "q", null, "Boat~Al"],
  ["null with an order", "Boat{built>null}", "bad_operator", ">", null, "= null", "exists(built)"],
  ["option of another case", "Boat{state=LOST}", "argument_invalid", "LOST", "Boat{state=lost}"],
  ["no option", "Boat{state=gone}", "argument_invalid", "gone", null, "moored, sailing, lost"],
  ["no number", 'Boat{length="x"}', "argument_invalid", '"x"', null, "12.5"],
  ["no date", "Boat{built=maybe}", "argument_invalid", "maybe", null, "today-7d"],
  ["no whole number", "Log(1.5)", "argument_invalid", "1.5", null, "12"],
  ["no text", "Boat{name=true}", "argument_invalid", "true", 'Boat{name="true"}', "quotes"],
  ["C-049", "Boat{length=007}", "bad_literal", "007", "Boat{length=7}", "7", '"007"'],
  ["C-049", "Boat{length=1e999}", "bad_literal", "1e999", null, '"1e999"'],
  ["in without list", "Boat{state in lost}", "argument_invalid", "lost", null, "[lost]"],
  ["a list in a list", "Boat{flags=[[a]]}", "argument_invalid", "[a]", null],
  ["C-044", 'Boat{owner=Boat("x")}', "wrong_entity", "Boat", null, 'Person("text")'],
  ["C-110", "Boat($)", "placeholder", "$", null, "id", "str", '"text"'],
  ["C-110", "Boat{owner=$, near=$}", "placeholder", "$", null, "owner", "Person(str)"],
  ["positional", "Boat.query-owner(ann)", "argument_invalid", "ann", null, "owner="],
  [
    "no such argument",
    "Boat.query(stat=lost)",
    "argument_unknown",
    "stat",
    "Boat.query(state=lost)",
  ],
  ["missing argument", "Boat.query-owner()", "argument_missing", "", null, "owner="],
  ["twice", "Boat.query(state=lost, state=lost)", "argument_invalid", "state=lost", null],
  ["required condition", "Visit", "capability_unsatisfied", "Visit", null, "query needs boat"],
  ["no list", "Log", "capability_unsatisfied", "Log", null, "Log(12)"],
  ["C-086", "Boat[nme]", "unknown_column", "nme", "Boat[name]", "name", "owner"],
  ["C-086", "Boat[id].sort(length)", "unknown_column", "length", null, "[id]"],
  ["C-086", "Boat[id,id]", "duplicate_column", "id", null],
  ["C-090", "Boat.sort(flags)", "bad_column_type", "flags", null, "length", "name"],
  ["no parts", "Boat[length.unit]", "unknown_column", "unit", null],
  ["a lost condition", "Boat[id].filter{length>1}", "unknown_column", "length", null, "[id]"],
  ["many rows as one", "a = Boat\nPerson(a.owner)", "not_singleton", "a.owner", null, "a.limit(1)"],
  [
    "a cell of another type",
    'b = Boat("b1")\nBoat{length=b.built}',
    "argument_invalid",
    "b.built",
    null,
  ],
  [
    "a row of another entity",
    'b = Boat("b1")\nBoat{owner=b}',
    "wrong_entity",
    "b",
    null,
    "Person(",
  ],
  ["a row as text", 'b = Boat("b1")\nBoat{name=b}', "argument_invalid", "b", null, "b.name"],
  [
    "no such cell",
    'b = Boat("b1")\nBoat{name=b.nme}',
    "unknown_column",
    "nme",
    'b = Boat("b1")\nBoat{name=b.name}',
  ],
];

test.each(rows.map((row) => ({ row })))("$row.0: $row.1 is $row.2", ({ row }) => {
  const [, program, code, at, suggested, ...contains] = row;
  const errors = errorsOf(program);
  expect(new Set(errors.map((error) => error.code))).toEqual(new Set([code]));
  const [error] = errors;
  expect(program.slice(error?.span.start, error?.span.end)).toBe(at);
  expect(error?.suggestedProgram).toBe(suggested);
  for (const part of contains) expect(error?.correction).toContain(part);
});

test("ERR-002: one mistake, one error; independent ones are all told, in order", () => {
  const errors = errorsOf("Boat[nme].sort(nme)\nBoat{stat=lost}.limit(2)\nVisit\nbota");
  expect(errors.map(({ code, span }) => `${code} ${span.line}`)).toEqual([
    "unknown_column 1",
    "unknown_slot 2",
    "capability_unsatisfied 3",
    "unknown_name 4",
  ]);
});

test("ERR-005: what is made from an erroneous line reports nothing more", () => {
  const errors = errorsOf("a = Vist\na{boat=b1}.limit(2), a[id]\nb = Visit{bot=b1}\nb.limit(2)");
  expect(errors.map(({ code, span }) => `${code} ${span.line}`)).toEqual([
    "unknown_name 1",
    "unknown_slot 3",
  ]);
});

test("PLAN-002: what no root needs is checked, too", () => {
  expect(errorsOf("a = Visit\nBoat")).toMatchObject([{ code: "capability_unsatisfied" }]);
  expect(planOf("a = Visit\nb = a{boat=b1}\nBoat").nodes).toHaveLength(1);
});

test("C-106, reading: a number fills text, a key as text of its slot", () => {
  const plan = planOf("l = Log(7)\nBoat{name=l.id}");
  expect(plan.nodes).toMatchObject([{ filter: { op: "=", path: ["name"], value: { lit: "7" } } }]);
});
