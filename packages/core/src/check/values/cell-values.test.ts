import { describe, expect, test } from "vitest";
import { effectArgs, toldErrors } from "../../../test/effect-args.ts";
import { SLOTS, slots } from "../../../test/slots-catalog.ts";

/** Slot → columns whose cells it takes: LANG-040, and LANG-045 for json, which fits everywhere. */
const FITS: Readonly<Record<string, string>> = {
  text: "text uid size count hue any day time sec ms free peg tag",
  uid: "text uid free",
  data: "text data free",
  size: "text size count free",
  count: "text size count free",
  open: "text open free",
  hue: "text hue any free",
  any: "text hue any free",
  day: "text day time sec ms free",
  time: "text day time sec ms free",
  sec: "text size count day time sec ms free",
  ms: "text size count day time sec ms free",
  tags: "text hue any tags words hues free",
  words: "text uid size count hue any day time sec ms tags words counts hues free peg tag pegs",
  counts: "text size count words counts free",
  hues: "text hue any tags words hues free",
  free: Object.keys(SLOTS).join(" "),
  peg: "text size count free peg",
  bay: "free bay",
  door: "free door",
  tag: "text free tag",
  pegs: "text size count words counts free peg pegs",
};

/** Columns that hold lists, or may. */
const LISTS = ["tags", "words", "counts", "hues", "pegs", "free"];

describe("LANG-045: which cells fit a slot", () => {
  test.each(Object.keys(SLOTS))("of type %s", (slot) => {
    const program = (column: string): string => `b = Box(y)\nBox(x).take(${slot}=b.${column})`;
    const fits = (FITS[slot] ?? "").split(" ");
    for (const column of fits) {
      const hole = { from: "n1", path: [column], many: false };
      const single = LISTS.includes(slot) && slot !== "free" && !LISTS.includes(column);
      const args = effectArgs(program(column), slots);
      expect(args).toMatchObject({ [slot]: single ? { list: [hole] } : hole });
    }
    for (const column of Object.keys(SLOTS).filter((each) => !fits.includes(each))) {
      const [error, ...others] = toldErrors(program(column), slots);
      expect([error?.code, error?.marks]).toEqual(["argument_invalid", `b.${column}`]);
      expect(error?.says).toContain(`, but b.${column} is `);
      expect(others).toEqual([]);
    }
  });
});

const COLUMNS = "b.name, b.no";

test.each<readonly [program: string, code: string, marks: string, says: string]>([
  [
    "b = Box(y)\nBox(x).take(count=b.day)",
    "argument_invalid",
    "b.day",
    "count takes a whole number, but b.day is date. use a column that is a whole number, or write a value like 12",
  ],
  [
    "b = Box(y)\nBox(x).take(tags=b.count)",
    "argument_invalid",
    "b.count",
    "tags takes a list of its options, but b.count is int. use a column that is a list of its options, or write a list of soft, hard",
  ],
  [
    "b = Box(y)\nBox(x).take(hues=b.count)",
    "argument_invalid",
    "b.count",
    "hues takes a list, [red|blue], but b.count is int. use a column that is a list, [red|blue], or write a value like [red]",
  ],
  [
    "b = Box(y)\nBox(x).take(hue=b.count)",
    "argument_invalid",
    "b.count",
    "or write one of red, blue, Deep Sea",
  ],
  [
    "b = Box(y)\nBox(x).take(any=b.count)",
    "argument_invalid",
    "b.count",
    "use a column that is a word, or write a word",
  ],
  [
    "b = Box(y)\nBox(x).take(open=b.count)",
    "argument_invalid",
    "b.count",
    "use a column that is true or false, or write true or false",
  ],
  [
    "b = Peg(7)\nBox(x).take(text=b)",
    "argument_invalid",
    "b",
    `text takes text, but b is a row of several columns. name one of its columns: ${COLUMNS}`,
  ],
  [
    "b = Peg(7)\nBox(x).take(words=b)",
    "argument_invalid",
    "b",
    "words takes a list, [str], but b is",
  ],
  [
    "b = Box(y)\nBox(x).take(peg=b)",
    "wrong_entity",
    "b",
    "peg refers to Peg, but b is a row of Box. use a row of Peg, or write Peg(12) or its key",
  ],
  [
    "b = Peg(7)\nBox(x).take(bay=b)",
    "wrong_entity",
    "b",
    "bay refers to Bay, but b is a row of Peg.",
  ],
  [
    "b = Bay(hall=h, row=r)\nBox(x).take(pegs=b)",
    "argument_invalid",
    "b",
    "pegs takes a list, [Peg(int)], but b is a row of several columns. name one of its columns: b.hall, b.row",
  ],
  [
    "b = Peg\nBox(x).take(text=b.name)",
    "not_singleton",
    "b.name",
    "b holds many rows; one value is needed here. narrow it to one row: b.limit(1) or b.singleton()",
  ],
  ["b = Peg\nBox(x).take(free=b.name)", "not_singleton", "b.name", "b.limit(1)"],
  ["b = Peg\nBox(x).take(peg=b)", "not_singleton", "b", "b.limit(1)"],
  ["b = Peg\nBox(x).take(free=b)", "not_singleton", "b", "b.limit(1)"],
  ["b = Peg[name]\nBox(x).take(text=b)", "not_singleton", "b", "b.limit(1)"],
  ["b = Box(y)\nBox(x).take(text=b.txt)", "unknown_column", "txt", "text"],
  ["b = Box(y)\nBox(x).take(text=b.peg.nme)", "unknown_column", "nme", ""],
  ["Box(x).take(text=_.id)", "no_cursor", "_.id", "=>"],
  ["Box(x).take(text=b.id)\nb = Box(y)", "unbound_label", "b.id", '"b.id"'],
  ["Box(x).take(day=b)\nb = Box(y)", "unbound_label", "b", "b is bound on line 2"],
])("LANG-044: %s is %s", (program, code, marks, says) => {
  const [error, ...others] = toldErrors(program, slots);
  expect(others).toEqual([]);
  expect([error?.code, error?.marks]).toEqual([code, marks]);
  expect(error?.says).toContain(says);
});

const whole = (from: string): object => ({ from, path: [], type: "json", many: false });

test.each<readonly [id: string, program: string, args: unknown]>([
  ["LANG-044, a row as an object", "b = Box(y)\nBox(x).take(free=b)", { free: whole("n1") }],
  ["PLAN-002, a row as its key", "b = Peg(7)\nBox(x).take(peg=b)", { peg: { lit: 7 } }],
  ["PLAN-002, a row in a list", "b = Peg(7)\nBox(x).take(pegs=b)", { pegs: { lit: [7] } }],
  [
    "PLAN-002, a row with several keys",
    "b = Bay(hall=h, row=r)\nBox(x).take(bay=b)",
    { bay: { lit: { hall: "h", row: "r" } } },
  ],
  ["PLAN-002, a part of the key", "b = Peg(7)\nBox(x).take(count=b.no)", { count: { lit: 7 } }],
  ["LANG-040, it as text", "b = Peg(7)\nBox(x).take(text=b.no)", { text: { lit: "7" } }],
  [
    "LANG-040, it in a list of texts",
    "b = Peg(7)\nBox(x).take(words=b.no)",
    { words: { lit: ["7"] } },
  ],
  ["LANG-040, it as json", "b = Peg(7)\nBox(x).take(free=b.no)", { free: { lit: 7 } }],
  [
    "LANG-040, a text part as text",
    "b = Bay(hall=h, row=r)\nBox(x).take(text=b.row)",
    { text: { lit: "r" } },
  ],
  [
    "LANG-044, what is no part of the key",
    "b = Peg(7)\nBox(x).take(text=b.name)",
    { text: { from: "n1", path: ["name"], type: "str", many: false } },
  ],
  [
    "LANG-044, many rows in a list",
    "b = Peg\nBox(x).take(words=b.name)",
    { words: { from: "n1", path: ["name"], type: "str", many: true } },
  ],
  [
    "LANG-044, many rows in several options",
    "b = Peg\nBox(x).take(tags=b.name)",
    { tags: { from: "n1", path: ["name"], type: "str", many: true } },
  ],
  [
    "LANG-044, many rows as references",
    "b = Peg\nBox(x).take(pegs=b)",
    { pegs: { from: "n1", path: [], type: "Peg(int)", many: true } },
  ],
  [
    "LANG-044, the only column",
    "b = Box(y)[count]\nBox(x).take(size=b)",
    { size: { from: "n2", path: ["count"], type: "int", many: false } },
  ],
  [
    "LANG-044, the only column in a list",
    "b = Box(y)[count]\nBox(x).take(counts=b)",
    { counts: { list: [{ from: "n2", path: ["count"], type: "int", many: false }] } },
  ],
  [
    "LANG-044, the only column of many rows",
    "b = Peg[name]\nBox(x).take(hues=b)",
    { hues: { from: "n2", path: ["name"], type: "str", many: true } },
  ],
  [
    "LANG-022, an option before a label",
    "red = Box(y)\nBox(x).take(hue=red)",
    { hue: { lit: "red" } },
  ],
  [
    "LANG-022, also one of several",
    "soft = Box(y)\nBox(x).take(tags=soft)",
    { tags: { lit: ["soft"] } },
  ],
  [
    "LANG-022, a date before a label",
    "today = Box(y)\nBox(x).take(day=today)",
    { day: { now: "today" } },
  ],
  ["LANG-022, quoted text", 'b = Box(y)\nBox(x).take(text="b.id")', { text: { lit: "b.id" } }],
  ["LANG-022, a word that is no label", "Box(x).take(text=b.id)", { text: { lit: "b.id" } }],
  ["LANG-022, no name before the dot", "Box(x).take(text=a-b.id)", { text: { lit: "a-b.id" } }],
])("%s: %s", (_, program, args) => {
  expect(effectArgs(program, slots)).toEqual(args);
});

test("LANG-044: inside => a cell is one value, whatever its rows are", () => {
  expect(
    toldErrors("b = Box\nb.limit(2) => Box(_.id).take(size=_.day, peg=_)", slots),
  ).toMatchObject([
    { code: "argument_invalid", marks: "_.day" },
    { code: "wrong_entity", marks: "_" },
  ]);
});

test("ERR-005: a label whose line is wrong reports nothing more where it is used", () => {
  for (const use of ["text=b", "count=b.no", "peg=b", "pegs=[b]", "hue=b.x"]) {
    expect(toldErrors(`b = Nail(1)\nBox(x).take(${use})`, slots)).toMatchObject([
      { code: "unknown_name", marks: "Nail" },
    ]);
  }
});
