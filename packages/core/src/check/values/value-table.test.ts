import { expect, test } from "vitest";
import { effectArgs, toldErrors } from "../../../test/effect-args.ts";
import { slots } from "../../../test/slots-catalog.ts";

const long = "a text that does not end before column forty";

test.each<[id: string, args: string, value: unknown]>([
  ["LANG-040, an option by its source text", 'hue="Deep Sea"', { lit: "Deep Sea" }],
  ["LANG-040, an option", "hue=red", { lit: "red" }],
  ["LANG-022, an undotted word that is an option", "tags=soft", { lit: ["soft"] }],
  ["LANG-040, several options", "tags=[soft, hard]", { lit: ["soft", "hard"] }],
  ["LANG-040, an empty list", "tags=[]", { lit: [] }],
  ["LANG-040, one element as a list", "words=7", { lit: ["7"] }],
  ["LANG-040, elements by their type", 'counts=[7, "8"]', { lit: [7, 8] }],
  [
    "LANG-040, an exact element",
    "counts=12345678901234567890",
    { list: [{ dec: "12345678901234567890" }] },
  ],
  ["LANG-040, references of every form", 'pegs=[Peg(1), 2, "3", {no: 4}]', { lit: [1, 2, 3, 4] }],
  ["LANG-040, a name of another kind for the target", "peg=Hook(1)", { lit: 1 }],
  ["LANG-040, integral with an exponent", "count=1.25e2", { lit: 125 }],
  ["LANG-040, 3.0 is 3", "count=3.0", { lit: 3 }],
  [
    "LANG-041, integral and exact",
    "count=123456789012345678901.25e2",
    { dec: "1.2345678901234567890125e22" },
  ],
  ["LANG-041, negative and exact", "count=-12345678901234567890", { dec: "-12345678901234567890" }],
  ["LANG-041, -0 is 0", "size=-0", { lit: 0 }],
  ["LANG-041, no leading zero", "size=0.5", { lit: 0.5 }],
  ["LANG-040, a heredoc is text", "text=<<T\n[1]\nT\n", { lit: "[1]" }],
  ["LANG-040, text spelled false", 'open="false"', { lit: false }],
  [
    "LANG-040, json nested",
    'free=[1, {a: null, b: [true, 2026-01-05]}, "x"]',
    { lit: [1, { a: null, b: [true, "2026-01-05"] }, "x"] },
  ],
  ["LANG-040, text that is a json object", 'free="{\\"a\\": 1}"', { lit: { a: 1 } }],
  ["LANG-040, text that is a json array", 'free="  [1, 2]"', { lit: [1, 2] }],
  ["LANG-040, text that only holds an array", 'free="x [1]"', { lit: "x [1]" }],
  ["LANG-040, text that is no json", 'free="[1, 2"', { lit: "[1, 2" }],
  ["LANG-040, text of a json number stays text", 'free=" 12"', { lit: " 12" }],
  ["LANG-040, a heredoc of json", "free=<<T\n[1]\nT\n", { lit: [1] }],
  [
    "LANG-041, an exact number in json",
    "free={n: [12345678901234567890]}",
    { obj: { n: { list: [{ dec: "12345678901234567890" }] } } },
  ],
  ["LANG-040, the key parts", "bay={hall: a, row: 7}", { lit: { hall: "a", row: "7" } }],
  [
    "LANG-040, the key parts in any order, quoted",
    'bay={"row": b, "hall": a}',
    { lit: { hall: "a", row: "b" } },
  ],
  ["RUN-012, text a/b for two keys", 'bay="a/b"', { lit: { hall: "a", row: "b" } }],
  ["RUN-012, a word a/b", "bay=a/b", { lit: { hall: "a", row: "b" } }],
  ["LANG-028, a constructor", "bay=Bay(row=b, hall=a)", { lit: { hall: "a", row: "b" } }],
  [
    "LANG-040, references in key parts",
    'door={wall: "a/b", no: "1", day: 2026-01-05}',
    { lit: { wall: { hall: "a", row: "b" }, no: 1, day: "2026-01-05" } },
  ],
  [
    "LANG-040, objects in key parts",
    "door={wall: {hall: a, row: b}, no: 1, day: 2026-01-05}",
    { lit: { wall: { hall: "a", row: "b" }, no: 1, day: "2026-01-05" } },
  ],
  ["LANG-028, a key that is a reference", "tag=7", { lit: 7 }],
  ["LANG-028, the same as object", "tag={peg: 7}", { lit: 7 }],
  ["LANG-028, the same as constructor", "tag=Tag(Peg(7))", { lit: 7 }],
])("%s: %s", (_, args, value) => {
  expect(effectArgs(`Box(x).take(${args})`, slots)).toEqual({ [args.split("=")[0] ?? ""]: value });
});

type Refusal = readonly [
  args: string,
  code: string,
  marks: string,
  says: string,
  suggests?: string,
];

test.each<Refusal>([
  [
    "hue=RED",
    "argument_invalid",
    "RED",
    "RED is no option of hue. use red. Options: red, blue, Deep Sea",
    "hue=red",
  ],
  ["hue=blu", "argument_invalid", "blu", "use blue. Options: ", "hue=blue"],
  ['hue="deep sea"', "argument_invalid", '"deep sea"', 'use "Deep Sea". ', 'hue="Deep Sea"'],
  ["hue=7", "argument_invalid", "7", "7 is no option of hue. Options: red, blue, Deep Sea"],
  ["hue=true", "argument_invalid", "true", "true is no option of hue. Options: "],
  [
    "hue=[red]",
    "argument_invalid",
    "[red]",
    "hue takes one of its options, not a list. write one of red, blue, Deep Sea",
  ],
  [
    "tags=[soft, HARD]",
    "argument_invalid",
    "HARD",
    "HARD is no option of tags. use hard. Options: soft, hard",
    "tags=[soft, hard]",
  ],
  [
    "tags=[[soft]]",
    "argument_invalid",
    "[soft]",
    "tags takes one of its options, not a list. write one of soft, hard",
  ],
  ["tags=$", "placeholder", "$", "tags takes [soft|hard], like [soft]"],
  ["words=$", "placeholder", "$", 'words takes [str], like ["text"]'],
  ["words=[a, [b]]", "argument_invalid", "[b]", "words takes text, not a list."],
  ["words=[a, null]", "argument_invalid", "null", "words cannot be null here. give words text"],
  ["counts=[1, 007]", "bad_literal", "007", 'write 7; where text is meant, "007"', "counts=[1, 7]"],
  ["pegs=$", "placeholder", "$", "pegs takes [Peg(int)], like [Peg(12)]"],
  ["hue=$", "placeholder", "$", "hue takes red|blue|Deep Sea, like red"],
  [
    "door=$",
    "placeholder",
    "$",
    'like Door(wall=Bay(hall="text", row="text"), no=12, day=2026-01-31)',
  ],
  ["tag=$", "placeholder", "$", "tag takes Tag(Peg), like Tag(12)"],
  ["text=true", "argument_invalid", "true", "text takes text, not true.", 'text="true"'],
  ["size=-007.5", "bad_literal", "-007.5", "write -7.5;", "size=-7.5"],
  ["size=00", "bad_literal", "00", "write 0;", "size=0"],
  ["size=1e500", "bad_literal", "1e500", 'quote it: "1e500"'],
  ["free=1e500", "bad_literal", "1e500", "exponent from -400 to 400"],
  ["peg=1e500", "bad_literal", "1e500", "exponent from -400 to 400"],
  ["peg=007", "bad_literal", "007", "write 7;", "peg=7"],
  ["count=1e-30", "argument_invalid", "1e-30", "count takes a whole number"],
  [
    "count=12345678901234567890.5",
    "argument_invalid",
    "12345678901234567890.5",
    "count takes a whole number",
  ],
  [
    "count=123456789012345678901.25e1",
    "argument_invalid",
    "123456789012345678901.25e1",
    "count takes a whole number",
  ],
  ["size=nil", "argument_invalid", "nil", "size takes a number, not nil.", "size=null"],
  ["day=now+9999999d", "bad_literal", "now+9999999d", 'for text write "now+9999999d"'],
  ["sec=7.5", "argument_invalid", "7.5", "a unix time"],
  ["sec=99999999999999", "argument_invalid", "99999999999999", "a unix time"],
  ["size=<<T\n1\nx\nT\n", "argument_invalid", "<<T\n1\nx\nT", "size takes a number, not a text. "],
  [`uid="${long}"`, "argument_invalid", `"${long}"`, `not "${long.slice(0, 38)}….`],
  [
    `uid="${"1".repeat(38)}"`,
    "argument_invalid",
    `"${"1".repeat(38)}"`,
    `not "${"1".repeat(38)}".`,
  ],
  [
    `uid="${"1".repeat(39)}"`,
    "argument_invalid",
    `"${"1".repeat(39)}"`,
    `not "${"1".repeat(38)}….`,
  ],
  [
    "uid=x123e4567-e89b-12d3-a456-426614174000",
    "argument_invalid",
    "x123e4567-e89b-12d3-a456-426614174000",
    "uid takes a uuid",
  ],
  [
    "free={a: 1, a: 2}",
    "argument_invalid",
    "a: 2",
    "a is given twice in free. keep one of the two",
  ],
  ["free={a: Peg(1)}", "argument_invalid", "Peg(1)", "free takes any value, not Peg(1)."],
  ["free=[$]", "placeholder", "$", "free takes json"],
  [
    "bay={hall: a}",
    "argument_invalid",
    "{hall: a}",
    'bay takes a reference to Bay, not an object. write Bay(hall="text", row="text") or its key',
  ],
  ["bay={hall: a, x: b}", "argument_invalid", "{hall: a, x: b}", "not an object."],
  ["bay={hall: a, row: b, x: c}", "argument_invalid", "{hall: a, row: b, x: c}", "not an object."],
  [
    "bay={hall: a, row: null}",
    "argument_invalid",
    "null",
    "row cannot be null here. give row text",
  ],
  ["bay={hall: a, row: [b]}", "argument_invalid", "[b]", "row takes text, not a list."],
  ["bay={hall: a, row: $}", "placeholder", "$", 'row takes str, like "text"'],
  ["bay=a", "argument_invalid", "a", "bay takes a reference to Bay, not a."],
  ['bay="a/b/c"', "argument_invalid", '"a/b/c"', "bay takes a reference to Bay"],
  ['bay="/b"', "argument_invalid", '"/b"', "bay takes a reference to Bay"],
  ['bay="a/"', "argument_invalid", '"a/"', "bay takes a reference to Bay"],
  ["bay=true", "argument_invalid", "true", "bay takes a reference to Bay"],
  ['door="a/b"', "argument_invalid", '"a/b"', "door takes a reference to Door"],
  ["peg=[1]", "argument_invalid", "[1]", "peg takes a reference to Peg, not a list."],
  [
    "peg={name: 7}",
    "argument_invalid",
    "{name: 7}",
    "peg takes a reference to Peg, not an object.",
  ],
  ["peg={no: x}", "argument_invalid", "x", "no takes a whole number, not x."],
  ["peg=Peg(x)", "argument_invalid", "x", "no takes a whole number, not x."],
  [
    "peg=Nail(1)",
    "wrong_entity",
    "Nail",
    "peg refers to Peg, not to Nail. write Peg(12) or its key",
  ],
  ["bay=Peg(1)", "wrong_entity", "Peg", "bay refers to Bay, not to Peg."],
  ["peg=e99(1)", "unknown_symbol", "e99", "e99 is not in the table. use e1..e5"],
  ["peg=m1(1)", "unknown_symbol", "m1", "m1 is a method, an entity stands here. use e1..e5"],
  ["peg=e1(1)", "wrong_entity", "e1", "peg refers to e4 (Peg), not to e1."],
  ["tag=x", "argument_invalid", "x", "tag takes a reference to Tag, not x."],
  ["tag={peg: x}", "argument_invalid", "x", "peg takes a reference to Peg, not x."],
])("%s is %s", (args, code, marks, says, suggests) => {
  const [error, ...others] = toldErrors(`Box(x).take(${args})`, slots);
  expect(others).toEqual([]);
  expect([error?.code, error?.marks]).toEqual([code, marks]);
  expect(error?.says).toContain(says);
  expect(error?.suggests).toBe(suggests === undefined ? null : `Box(x).take(${suggests})`);
});

test("TEACH-23: an option that would read as another literal is suggested in quotes", () => {
  const [error] = toldErrors('Box(x).need(count=1, sure="tru")', slots);
  expect(error?.says).toContain('use "true". Options: true, maybe, 2');
  expect(error?.suggests).toBe('Box(x).need(count=1, sure="true")');
});

test("ERR-002: what is wrong with each element and each part is told, in order", () => {
  const told = (args: string): readonly string[] =>
    toldErrors(`Box(x).take(${args})`, slots).map(({ code, marks }) => `${code} ${marks}`);
  expect(told("pegs=[Peg(1), a, b]")).toEqual(["argument_invalid a", "argument_invalid b"]);
  expect(told("hues=[RED, blau]")).toEqual(["argument_invalid RED", "argument_invalid blau"]);
  expect(told("free={a: $, b: Peg(1)}")).toEqual(["placeholder $", "argument_invalid Peg(1)"]);
  expect(told("door={wall: w, no: 1.5, day: maybe}")).toEqual([
    "argument_invalid w",
    "argument_invalid 1.5",
    "argument_invalid maybe",
  ]);
});

test("LANG-042: a required slot takes no null, an optional one may be left out", () => {
  const [error] = toldErrors("Box(x).need(count=null)", slots);
  expect(error).toMatchObject({
    code: "argument_invalid",
    marks: "null",
    says: "count cannot be null here. give count a whole number",
    suggests: null,
  });
  expect(effectArgs("Box(x).need(count=1, hue=null)", slots)).toEqual({
    count: { lit: 1 },
    hue: { lit: null },
  });
});
