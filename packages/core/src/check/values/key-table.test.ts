import { expect, test } from "vitest";
import { toldErrors } from "../../../test/effect-args.ts";
import { errorsOf, planOf } from "../../../test/plan-of.ts";
import { slots } from "../../../test/slots-catalog.ts";

const BAY = 'The key of Bay is hall, row. write Bay(hall="text", row="text")';
const DOOR =
  'The key of Door is wall, no, day. write Door(wall=Bay(hall="text", row="text"), no=12, day=2026-01-31)';

type Row = readonly [
  program: string,
  code: string,
  marks: string,
  says: string,
  suggests?: string | null,
];

const rows: readonly Row[] = [
  ["Peg(007)", "bad_literal", "007", 'write 7; where text is meant, "007"', "Peg(7)"],
  ["Peg(1e500)", "bad_literal", "1e500", '"1e500"'],
  ["Peg(a)", "argument_invalid", "a", "no takes a whole number, not a. write a value like 12"],
  ["Peg(7.5)", "argument_invalid", "7.5", "no takes a whole number, not 7.5."],
  ["Peg(no=7, no=8)", "bad_key", "no=8", "The key of Peg is no. write Peg(12)"],
  ["Peg(1, 2)", "bad_key", "1", "write Peg(12); for several rows Peg{no in [a, b]}"],
  ["Peg(1, no=2)", "bad_key", "1", "The key of Peg is no. write Peg(12)"],
  ["Peg()", "bad_key", "", "Peg() names no row. write Peg(12)"],
  [
    "Peg($)",
    "placeholder",
    "$",
    "$ stands for a value of no that is still missing. no takes int, like 12",
  ],
  [
    "Peg([1])",
    "argument_invalid",
    "[1]",
    "no takes a reference to Peg, not a list. write Peg(12) or its key",
  ],
  ["Peg(true)", "argument_invalid", "true", "no takes a reference to Peg, not true."],
  ["Peg(nno=1)", "bad_key", "nno", "nno is no part of the key of Peg. write Peg(12)"],
  [
    "Peg(Bay(hall=a, row=b))",
    "wrong_entity",
    "Bay",
    "no refers to Peg, not to Bay. write Peg(12) or its key",
  ],
  ["Bay(a)", "bad_key", "a", BAY],
  ['Bay("a")', "bad_key", '"a"', BAY],
  [
    'Bay("a/b")',
    "bad_key",
    '"a/b"',
    'The key of Bay is hall, row. write Bay(hall="a", row="b")',
    'Bay(hall="a", row="b")',
  ],
  ['Bay("a/b/c")', "bad_key", '"a/b/c"', BAY],
  ['Bay("a/b", x)', "bad_key", '"a/b"', BAY, 'Bay(hall="a/b", row=x)'],
  ["Bay(7)", "bad_key", "7", BAY],
  ["Bay(hall=a)", "bad_key", "", BAY],
  ["Bay(hall=a, hall=b)", "bad_key", "hall=b", BAY],
  ["Bay(hall=a, hall=b, row=c)", "bad_key", "hall=b", BAY],
  ["Bay(hall=a, c)", "bad_key", "c", BAY],
  ["Bay(a, b)", "bad_key", "a", BAY, "Bay(hall=a, row=b)"],
  ["Bay(a, b, c)", "bad_key", "a", BAY],
  ["Bay(hall=a, c, d)", "bad_key", "c", BAY],
  ["Bay(c, row=a)", "bad_key", "c", BAY],
  [
    "Bay([a])",
    "argument_invalid",
    "[a]",
    'Bay takes a reference to Bay, not a list. write Bay(hall="text", row="text") or its key',
  ],
  ["Bay($)", "placeholder", "$", 'Bay takes Bay(str, str), like Bay(hall="text", row="text")'],
  ["Bay(hall=$, row=b)", "placeholder", "$", 'hall takes str, like "text"'],
  ["Bay(hall=a, row=null)", "argument_invalid", "null", "row cannot be null here. give row text"],
  [
    "Bay({hall: a})",
    "argument_invalid",
    "{hall: a}",
    "Bay takes a reference to Bay, not an object.",
  ],
  ["Bay(hall=a, x=b)", "bad_key", "x", "x is no part of the key of Bay. write Bay(hall="],
  ["Bay(p99=a)", "unknown_symbol", "p99", "p99 is not in the table. use p1..p"],
  [
    "Bay(e1=a, row=b)",
    "unknown_symbol",
    "e1",
    "e1 is an entity, a field, relation or argument stands here.",
  ],
  [
    "Bay(m1=a, row=b)",
    "unknown_symbol",
    "m1",
    "m1 is a method, a field, relation or argument stands here.",
  ],
  ["b = Bay\nBay(b)", "not_singleton", "b", "b.limit(1)"],
  ["b = Box(x)\nBay(b)", "wrong_entity", "b", "Bay refers to Bay, but b is a row of Box."],
  ["b = Box(x)\nBay(b.text)", "bad_key", "b.text", BAY],
  ["b = Box(x)\nBay(b.peg)", "bad_key", "b.peg", BAY],
  [
    "b = Box(x)\nPeg(b.bay)",
    "argument_invalid",
    "b.bay",
    "no takes a whole number, but b.bay is Bay(str, str).",
  ],
  ["Bay(b)\nb = Box(x)", "unbound_label", "b", "b is bound on line 2"],
  ["Door()", "bad_key", "", `Door() names no row. ${DOOR.slice(DOOR.indexOf("write"))}`],
  ["Door(no=1)", "bad_key", "", DOOR],
  ["Door(a, 1, 2026-01-05)", "bad_key", "a", DOOR],
  ["Door(a/b, 1, 2026-01-05)", "bad_key", "a/b", DOOR, "Door(wall=a/b, no=1, day=2026-01-05)"],
  ['Door("a/1")', "bad_key", '"a/1"', DOOR],
  ["Tag()", "bad_key", "", "Tag() names no row. write Tag(Peg(12))"],
  ['Tag("a")', "argument_invalid", '"a"', "peg takes a reference to Peg"],
  ["Tag(a)", "argument_invalid", "a", "peg takes a reference to Peg"],
  ["Tag(Bay(hall=a, row=b))", "wrong_entity", "Bay", "not to Bay."],
  ["Box(x, y)", "bad_key", "x", 'write Box("text"); for several rows Box{id in [a, b]}'],
  ["Box(id=x, y)", "bad_key", "y", "The key of Box is id."],
];

test.each(rows.map((row) => ({ row })))("LANG-028: $row.0 is $row.1", ({ row }) => {
  const [program, code, marks, says, suggests = null] = row;
  const [error, ...others] = toldErrors(program, slots);
  expect(others).toEqual([]);
  expect([error?.code, error?.marks, error?.suggests]).toEqual([code, marks, suggests]);
  expect(error?.says).toContain(says);
  const told = error?.says ?? "";
  // Several rows are offered to values without names alone.
  expect(told.includes("for several rows")).toBe(says.includes("for several rows"));
});

test("LANG-028: what is missing is told before the closing parenthesis", () => {
  const at = (program: string): string => program.slice(errorsOf(program, slots)[0]?.span.start);
  expect([at("Bay(hall=a)"), at("Peg()"), at("Door(no=1)")]).toEqual([")", ")", ")"]);
});

test("LANG-028: E() names the gets without a key, and only those", () => {
  expect(toldErrors("Bay()", slots)).toMatchObject([
    {
      code: "bad_key",
      says: 'Bay() names no row. write Bay(hall="text", row="text"); without key: Bay.first(), Bay.last()',
    },
  ]);
});

test("LANG-023: a key is told in the notation of its entity", () => {
  const [error] = toldErrors("e1(a)", slots);
  expect(error?.says).toMatch(
    /^The key of e1 \(Bay\) is p\d+ \(hall\), p\d+ \(row\)\. write e1\(p\d+="text", p\d+="text"\)$/,
  );
});

test("ERR-002: each part that is wrong is told", () => {
  const told = (program: string): readonly string[] =>
    toldErrors(program, slots).map(({ code, marks }) => `${code} ${marks}`);
  expect(told("Peg(a=1, 2)")).toEqual(["bad_key a", "bad_key 2"]);
  expect(told("Bay(hall=$, row=$)")).toEqual(["placeholder $", "placeholder $"]);
  expect(told("Bay(hall=[a], row={b: c})")).toEqual([
    "argument_invalid [a]",
    "argument_invalid {b: c}",
  ]);
  expect(told("Door(wall=x, no=1.5, day=maybe)")).toEqual([
    "argument_invalid x",
    "argument_invalid 1.5",
    "argument_invalid maybe",
  ]);
});

const bay = { hall: { lit: "a" }, row: { lit: "b" } };
const cell = (path: readonly string[], type: string): object => ({
  from: "n1",
  path,
  type,
  many: false,
});

test.each<readonly [program: string, key: unknown]>([
  ["Peg(7)", { no: { lit: 7 } }],
  ['Peg("7")', { no: { lit: 7 } }],
  ["Peg(no=7)", { no: { lit: 7 } }],
  ["Peg({no: 7})", { no: { lit: 7 } }],
  ["Peg(Hook(7))", { no: { lit: 7 } }],
  ["Peg(12345678901234567890)", { no: { dec: "12345678901234567890" } }],
  ["p = Peg(7)\nPeg(p)", { no: { lit: 7 } }],
  ["Bay(hall=a, row=b)", bay],
  ["Bay(row=b, hall=a)", bay],
  ["Bay({row: b, hall: a})", bay],
  ["Bay(Bay(hall=a, row=b))", bay],
  ["Bay(a/b)", bay],
  ["b = Bay(hall=a, row=b)\nBay(b)", bay],
  [
    "b = Box(x)\nBay(b.bay)",
    { hall: cell(["bay", "hall"], "str"), row: cell(["bay", "row"], "str") },
  ],
  ["b = Box(x)\nBay(hall=b.text, row=c)", { hall: cell(["text"], "str"), row: { lit: "c" } }],
  ["b = Box(x)\nPeg(b.peg)", { no: cell(["peg"], "Peg(int)") }],
  ["b = Box(x)\nPeg(b.count)", { no: cell(["count"], "int") }],
  ["Tag(7)", { peg: { lit: 7 } }],
  ["Tag(Peg(7))", { peg: { lit: 7 } }],
  ["Tag(peg=Peg(7))", { peg: { lit: 7 } }],
  ["Tag(Tag(7))", { peg: { lit: 7 } }],
  ["p = Peg(7)\nTag(p)", { peg: { lit: 7 } }],
  [
    'Door(wall="a/b", no=1, day=2026-01-05)',
    { wall: { lit: { hall: "a", row: "b" } }, no: { lit: 1 }, day: { lit: "2026-01-05" } },
  ],
  [
    "b = Box(x)\nDoor(b.door)",
    {
      wall: cell(["door", "wall"], "Bay(str, str)"),
      no: cell(["door", "no"], "int"),
      day: cell(["door", "day"], "date"),
    },
  ],
])("LANG-028: the key of %s", (program, key) => {
  const node = planOf(program, slots).nodes.at(-1);
  expect(node).toMatchObject({ kind: "get", key });
});

test("LANG-028: a row of => is a key, each part from its cell", () => {
  const { nodes } = planOf(
    "b = Bay\nb.limit(2) => Bay(_)\nc = Box\nc.limit(2) => Bay(_.bay)",
    slots,
  );
  const bodies = nodes.flatMap((node) => (node.kind === "for_each" ? [node.body] : []));
  const part = (...row: readonly string[]): object => ({ row, type: "str" });
  expect(bodies).toMatchObject([
    { key: { hall: part("hall"), row: part("row") } },
    { key: { hall: part("bay", "hall"), row: part("bay", "row") } },
  ]);
});
