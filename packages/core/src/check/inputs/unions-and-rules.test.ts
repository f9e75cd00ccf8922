import { expect, test } from "vitest";
import { effectArgs, toldErrors } from "../../../test/effect-args.ts";
import { mill } from "../../../test/mill-catalog.ts";

const OPS = "Variants by op: insert, drop, clear";
const SAMPLE = '{op: insert, at: 12, text: "text"}';
const OPEN =
  "told apart by op, which must be written out. write op with one of its variants: insert, drop, clear";
const LACKS =
  "lacks op, which tells its variants apart. add op with one of its variants: insert, drop, clear";

type Refusal = readonly [
  call: string,
  code: string,
  marks: string,
  says: string,
  suggests?: string,
];

test.each<Refusal>([
  [
    "tell(op=inser, at=1, text=a)",
    "argument_invalid",
    "inser",
    `inser is no variant of tell. use insert. ${OPS}`,
    "tell(op=insert, at=1, text=a)",
  ],
  ["tell(op=zzzzz, at=1)", "argument_invalid", "zzzzz", `zzzzz is no variant of tell. ${OPS}`],
  ["tell(op=true)", "argument_invalid", "true", `tell is ${OPEN}`],
  ["tell(op=[drop], at=1)", "argument_invalid", "[drop]", `tell is ${OPEN}`],
  ["tell(op=$)", "placeholder", "$", "op takes insert|drop|clear, like insert"],
  ["tell(text=a)", "argument_invalid", "", `tell ${LACKS}`],
  [
    "edit(ops={op: inser, at: 1, text: a})",
    "argument_invalid",
    "inser",
    `inser is no variant of ops. use insert. ${OPS}`,
    "edit(ops={op: insert, at: 1, text: a})",
  ],
  ["edit(ops={op: zzzzz})", "argument_invalid", "zzzzz", `zzzzz is no variant of ops. ${OPS}`],
  ["edit(ops={op: null})", "argument_invalid", "null", `ops is ${OPEN}`],
  ["edit(ops={op: $, at: 1})", "placeholder", "$", "op takes insert|drop|clear, like insert"],
  ["edit(ops={text: a})", "argument_invalid", "", `ops ${LACKS}`],
  [
    "edit(ops={op: insert})",
    "argument_missing",
    "",
    'ops lacks at int, text str. add at: 12, text: "text"',
  ],
  ["edit(ops={op: insert, at: 1})", "argument_missing", "", 'ops lacks text str. add text: "text"'],
  ["edit(ops={op: drop, at: x})", "argument_invalid", "x", "at takes a whole number, not x."],
  ["edit(ops={op: drop, at: 1, at: 2})", "argument_invalid", "at: 2", "at is given twice in ops."],
  [
    "edit(ops={op: drop, op: drop, at: 2})",
    "argument_invalid",
    "op: drop",
    "op is given twice in ops.",
  ],
  [
    "edit(ops={op: drop, at: 1, text: a})",
    "argument_unknown",
    "text",
    "ops has no member text. Members: op, at",
  ],
  [
    "edit(ops={op: clear, zzzz: 1})",
    "argument_unknown",
    "zzzz",
    "ops has no member zzzz. Members: op",
  ],
  [
    "edit(ops=[{op: drop, at: 1}, x])",
    "argument_invalid",
    "x",
    `ops takes an object, not x. write a value like ${SAMPLE}`,
  ],
  [
    "edit(ops=[[{op: drop, at: 1}]])",
    "argument_invalid",
    "[{op: drop, at: 1}]",
    "ops takes an object, not a list.",
  ],
  [
    "edit(ops=x)",
    "argument_invalid",
    "x",
    `ops takes a list, not x. write a value like [${SAMPLE}]`,
  ],
  ["edit(ops=7)", "argument_invalid", "7", "ops takes an object, not 7."],
  ["edit(ops=$)", "placeholder", "$", `ops takes [object], like [${SAMPLE}]`],
  ["edit(ops=null)", "argument_invalid", "null", "ops cannot be null here. give ops a list"],
  ["edit(ops=[null])", "argument_invalid", "null", "ops cannot be null here. give ops an object"],
  ["edit()", "argument_missing", "", `edit needs ops [object]. add ops=[${SAMPLE}]`],
  ['set(label="")', "argument_invalid", '""', "label breaks a rule of set: label has at least 1"],
  [
    "set(kg=51)",
    "argument_invalid",
    "51",
    "kg breaks a rule of set: no mule carries it. no mule carries it",
  ],
  [
    "set(kg=12345678901234567890)",
    "argument_invalid",
    "12345678901234567890",
    "kg breaks a rule of set:",
  ],
  [
    "set(code=x, label=a)",
    "argument_invalid",
    "x",
    "code breaks a rule of set: code matches ^[A-Z]{2}",
  ],
  [
    "set(label=a, from=today)",
    "argument_invalid",
    "",
    "The arguments break a rule of set: from needs to.",
  ],
  ["set()", "argument_invalid", "", "give at least one of label, kg, code, to"],
  [
    "set(kg=1, code=AB1)",
    "argument_invalid",
    "code=AB1",
    "break a rule of set: give only one of kg, code.",
  ],
  ["set(code=AB1, kg=1, label=a)", "argument_invalid", "kg=1", "give only one of kg, code"],
  [
    "set(label=null)",
    "argument_invalid",
    "null",
    "label cannot be null here. give label text, or leave label out",
  ],
  ["set(kg=$, label=[a])", "placeholder", "$", "kg takes num, like 12.5"],
])("RUN-016, RUN-017: %s is %s", (call, code, marks, says, suggests) => {
  const [error] = toldErrors(`Sack(s).${call}`, mill);
  expect([error?.code, error?.marks]).toEqual([code, marks]);
  expect(error?.says).toContain(says);
  expect(error?.suggests).toBe(suggests === undefined ? null : `Sack(s).${suggests}`);
});

test("ERR-004: what is missing is told before the closing bracket", () => {
  const told = (call: string): string | undefined => toldErrors(`Sack(s).${call}`, mill)[0]?.after;
  expect(told("edit(ops={op: insert})")).toBe("})");
  expect(told("edit(ops={text: a})")).toBe("})");
  expect(told("tell(text=a)")).toBe(")");
  expect(told("set()")).toBe(")");
});

test.each<readonly [call: string, args: object]>([
  ["tell(op=insert, at=1, text=a)", { op: { lit: "insert" }, at: { lit: 1 }, text: { lit: "a" } }],
  ["tell(at=1)", { op: { lit: "drop" }, at: { lit: 1 } }],
  ["tell(at=1, text=a)", { op: { lit: "insert" }, at: { lit: 1 }, text: { lit: "a" } }],
  ["edit(ops={})", { ops: { lit: [{ op: "clear" }] } }],
  ["edit(ops={at: 1})", { ops: { lit: [{ op: "drop", at: 1 }] } }],
  ["edit(ops={at: 1, text: a})", { ops: { lit: [{ op: "insert", at: 1, text: "a" }] } }],
  ['edit(ops={"op": "drop", "at": 1})', { ops: { lit: [{ op: "drop", at: 1 }] } }],
  [
    "edit(ops=[{op: drop, at: 1}, {op: clear}])",
    { ops: { lit: [{ op: "drop", at: 1 }, { op: "clear" }] } },
  ],
  ["edit(ops=[])", { ops: { lit: [] } }],
  ["set(kg=50)", { kg: { lit: 50 } }],
  ["set(code=AB1)", { code: { lit: "AB1" } }],
  ["set(from=today, to=today+1d)", { from: { now: "today" }, to: { now: "today+1d" } }],
])("RUN-017: %s", (call, args) => {
  expect(effectArgs(`Sack(s).${call}`, mill)).toEqual(args);
});

test("RUN-016: values filled in later are judged then, but their presence counts", () => {
  const told = (call: string): unknown => toldErrors(`x = Sack(a)\nSack(s).${call}`, mill);
  expect(effectArgs("x = Sack(a)\nSack(s).set(kg=x.kg)", mill)).toMatchObject({
    kg: { from: "n1", path: ["kg"] },
  });
  expect(effectArgs("x = Sack(a)\nSack(s).set(code=x.label)", mill)).toMatchObject({
    code: { from: "n1", path: ["label"] },
  });
  expect(told("set(kg=x.kg, code=x.label)")).toMatchObject([
    { code: "argument_invalid", marks: "code=x.label" },
  ]);
  expect(told("edit(ops={op: drop, at: x.ground})")).toMatchObject([
    { code: "argument_invalid", marks: "x.ground" },
  ]);
});
