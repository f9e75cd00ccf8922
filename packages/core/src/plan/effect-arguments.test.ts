import { expect, test } from "vitest";
import { mill } from "../../test/mill-catalog.ts";
import { errorsOf, planOf } from "../../test/plan-of.ts";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { nameSymbol } from "../symbols/symbols.ts";
import { ALL_FEATURES } from "../policy/policy.ts";

const settings = { features: ALL_FEATURES };

/** The arguments of a program's only effect. */
function argsOf(text: string, exposure = mill): unknown {
  const { nodes } = planOf(text, exposure, settings);
  const [effect, ...others] = nodes.filter(
    (node) => node.effect_class !== "read" && node.effect_class !== "local",
  );
  if (effect === undefined || others.length > 0 || !("args" in effect)) throw new Error(text);
  return effect.args;
}

test.each<[string, string, unknown]>([
  [
    "scalars",
    'Sack("s").set(label="oats", kg=12.5)',
    { kg: { lit: 12.5 }, label: { lit: "oats" } },
  ],
  [
    "exact numbers",
    'Sack("s").set(kg=-12345678901234567890)',
    { kg: { dec: "-12345678901234567890" } },
  ],
  [
    "dates in wire form",
    "Sack(s).set(from=2026-01-05T23:30:00-02:00, to=today+1d)",
    {
      from: { lit: "2026-01-06" },
      to: { now: "today+1d" },
    },
  ],
  ["numbers as text (LANG-040)", "Sack(s).set(label=007)", { label: { lit: "007" } }],
  [
    "an object by its fields",
    "Sack.pack(label=a, lid={colour: red, length: 3, since: 2026-01-05})",
    {
      label: { lit: "a" },
      lid: { lit: { colour: "red", length: 3, since: "2026-01-05" } },
    },
  ],
  [
    "one element as a list",
    "Sack.pack(label=a, straps={colour: blue}, marks=7)",
    {
      label: { lit: "a" },
      marks: { lit: ["7"] },
      straps: { lit: [{ colour: "blue" }] },
    },
  ],
  [
    "references inside",
    'Sack.pack(label=a, lid={colour: red, by: Miller("jo")})',
    {
      label: { lit: "a" },
      lid: { lit: { by: "jo", colour: "red" } },
    },
  ],
  [
    "anything as json",
    "Sack.pack(label=a, extra={k: [1, null, {b: true}]})",
    {
      extra: { lit: { k: [1, null, { b: true }] } },
      label: { lit: "a" },
    },
  ],
  [
    "null as explicit null (LANG-042)",
    "Sack.pack(label=a, marks=null)",
    {
      label: { lit: "a" },
      marks: { lit: null },
    },
  ],
  [
    "heredocs",
    "Sack(s).free(label=<<T\none\n two\nT)",
    {
      label: { lit: "one\n two" },
    },
  ],
  [
    "what is sent whole though undeclared (RUN-013)",
    "Sack(s).free(colour=red, n=2)",
    {
      colour: { lit: "red" },
      n: { lit: 2 },
    },
  ],
])("%s: %s", (_, text, args) => {
  expect(argsOf(text)).toEqual(args);
});

test("C-050: null as an argument is sent as null", () => {
  expect(argsOf('Boat("b1").update(note=null)', quayExposure)).toEqual({ note: { lit: null } });
});

test("a hole stands where its value will, with its type", () => {
  const text =
    'h = Sack("h")\nSack.pack(label=h.label, lid={colour: red, length: h.kg}, straps=[{colour: blue, by: h.miller}])';
  expect(argsOf(text)).toEqual({
    label: { from: "n1", path: ["label"], type: "str", many: false },
    lid: {
      obj: {
        colour: { lit: "red" },
        length: { from: "n1", path: ["kg"], type: "num", many: false },
      },
    },
    straps: {
      list: [
        {
          obj: {
            by: { from: "n1", path: ["miller"], type: "Miller(str)", many: false },
            colour: { lit: "blue" },
          },
        },
      ],
    },
  });
});

test("a column of many rows fills a list, a row alone an object (LANG-044)", () => {
  expect(argsOf("a = Sack\nSack.pack(label=x, marks=a.label)")).toMatchObject({
    marks: { from: "n1", path: ["label"], many: true },
  });
  expect(argsOf('a = Sack("s")\nSack.pack(label=x, extra=a)')).toMatchObject({
    extra: { from: "n1", path: [], type: "json", many: false },
  });
});

test("members are named by symbols too, keys of json never are (TEACH-9)", () => {
  const colour = nameSymbol(mill.symbols, "colour");
  const by = nameSymbol(mill.symbols, "by");
  expect(
    argsOf(`Sack.pack(label=a, lid={${colour}: red, ${by}: jo}, extra={${colour}: 1})`),
  ).toEqual({
    label: { lit: "a" },
    lid: { lit: { colour: "red", by: "jo" } },
    extra: { lit: { [colour ?? ""]: 1 } },
  });
});

test.each<[string, string, unknown]>([
  [
    "by its discriminator",
    "Sack(s).edit(ops=[{op: insert, at: 1, text: x}])",
    [{ op: "insert", at: 1, text: "x" }],
  ],
  [
    "the only variant that fits",
    "Sack(s).edit(ops=[{at: 1, text: x}, {at: 2}, {}])",
    [{ op: "insert", at: 1, text: "x" }, { op: "drop", at: 2 }, { op: "clear" }],
  ],
])("C-105 union, %s: %s", (_, text, ops) => {
  expect(argsOf(text)).toEqual({ ops: { lit: ops } });
});

test("C-105: the members of a root union are the arguments (RUN-017)", () => {
  expect(argsOf("Sack(s).tell(op=drop, at=3)")).toEqual({ at: { lit: 3 }, op: { lit: "drop" } });
  expect(argsOf("Sack(s).tell(at=3)")).toEqual({ at: { lit: 3 }, op: { lit: "drop" } });
});

test.each<[string, string, string, string, string]>([
  ["required", "Sack.pack(marks=[x])", "argument_missing", "", "label="],
  ["required inside", "Sack.pack(label=a, lid={length: 2})", "argument_missing", "", "colour: red"],
  ["unknown", "Sack.pack(label=a, lidd={colour: red})", "argument_unknown", "lidd", "lid"],
  ["unknown inside", "Sack.pack(label=a, lid={colur: red})", "argument_unknown", "colur", "colour"],
  [
    "twice inside",
    "Sack.pack(label=a, lid={colour: red, colour: blue})",
    "argument_invalid",
    "colour: blue",
    "one",
  ],
  ["option", "Sack.pack(label=a, lid={colour: green})", "argument_invalid", "green", "red, blue"],
  [
    "type inside",
    "Sack.pack(label=a, lid={colour: red, length: x})",
    "argument_invalid",
    "x",
    "12.5",
  ],
  ["no object", "Sack.pack(label=a, lid=red)", "argument_invalid", "red", "{colour: red}"],
  [
    "no object in a list",
    "Sack.pack(label=a, straps=[1])",
    "argument_invalid",
    "1",
    "{colour: red}",
  ],
  ["too few", "Sack.pack(label=a, straps=[])", "argument_invalid", "[]", "at least 1"],
  [
    "too many",
    "Sack.pack(label=a, straps=[{colour: red}, {colour: red}, {colour: red}])",
    "argument_invalid",
    "[{colour: red}, {colour: red}, {colour: red}]",
    "at most 2",
  ],
  ["null of a required", "Sack.pack(label=null)", "argument_invalid", "null", "label"],
  [
    "null under a validation (LANG-042)",
    "Sack(s).set(label=null)",
    "argument_invalid",
    "null",
    "label",
  ],
  [
    "wrong entity",
    "Sack.pack(label=a, lid={colour: red, by: Sack(x)})",
    "wrong_entity",
    "Sack",
    "Miller",
  ],
  ["positional", "Sack.pack(a)", "argument_invalid", "a", "label="],
  ["placeholder inside", "Sack.pack(label=a, lid=$)", "placeholder", "$", "{colour: red}"],
  ["length", 'Sack(s).set(label="")', "argument_invalid", '""', "at least 1"],
  ["a rule's own text", "Sack(s).set(kg=50.5)", "argument_invalid", "50.5", "no mule carries it"],
  ["pattern", "Sack(s).set(code=a1)", "argument_invalid", "a1", "^[A-Z]{2}"],
  ["one needs another", "Sack(s).set(label=oats, from=2026-01-05)", "argument_invalid", "", "to"],
  ["at least one", "Sack(s).set()", "argument_invalid", "", "at least one of label, kg, code, to"],
  [
    "not both",
    "Sack(s).set(kg=1, code=AB1)",
    "argument_invalid",
    "code=AB1",
    "only one of kg, code",
  ],
  [
    "unknown variant",
    "Sack(s).edit(ops=[{op: insrt, at: 1}])",
    "argument_invalid",
    "insrt",
    "insert, drop, clear",
  ],
  [
    "no variant",
    "Sack(s).edit(ops=[{at: 1, size: 2}])",
    "argument_invalid",
    "",
    "insert, drop, clear",
  ],
  ["no variant to call", "Sack(s).tell(text=x)", "argument_invalid", "", "op"],
  ["missing in a variant", "Sack(s).tell(op=insert, at=1)", "argument_missing", "", "text"],
  [
    "a discriminator twice",
    "Sack(s).edit(ops=[{op: insert, op: drop, at: 1, text: x}])",
    "argument_invalid",
    "op: drop",
    "op is given twice in ops",
  ],
  [
    "a discriminator of a call twice",
    "Sack(s).tell(op=insert, op=drop, at=1, text=x)",
    "argument_invalid",
    "op=drop",
    "op is given twice",
  ],
  ["member of another variant", "Sack(s).tell(op=clear, at=1)", "argument_unknown", "at", "op"],
  ["undeclared, not sent whole", "Sack.rest(colour=red)", "argument_unknown", "colour", "none"],
  [
    "a hole of another type",
    "h = Sack(h)\nSack.pack(label=a, lid={colour: red, length: h.ground})",
    "argument_invalid",
    "h.ground",
    "number",
  ],
  ["a hole of many", "a = Sack\nSack.pack(label=a.label)", "not_singleton", "a.label", ".limit(1)"],
])("%s: %s", (_, text, code, at, fix) => {
  const errors = errorsOf(text, mill, settings);
  const shown = errors.map((each) => [each.code, text.slice(each.span.start, each.span.end)]);
  expect(shown).toEqual([[code, at]]);
  expect(`${errors[0]?.message} ${errors[0]?.correction}`).toContain(fix);
});

test("rules are not judged on what comes later (RUN-016)", () => {
  expect(argsOf("h = Sack(h)\nSack(s).set(label=h.label, code=h.label)")).toMatchObject({
    code: { from: "n1" },
  });
});

test("C-106: a number fills text, a date no number", () => {
  const text = 'h = Boat("b1")\nBoat("b2").send(to=h.length)';
  expect(argsOf(text, quayExposure)).toMatchObject({ to: { path: ["length"], type: "num" } });
  const wrong = 'h = Boat("b1")\nBoat.create(name=x, owner=ann, length=h.built)';
  expect(errorsOf(wrong, quayExposure, settings).map(({ code }) => code)).toEqual([
    "argument_invalid",
  ]);
});

test("C-123: .. names the optional slots and nothing else is wrong", () => {
  const errors = errorsOf('Boat("b1").update(..)', quayExposure, settings);
  expect(errors.map(({ code }) => code)).toEqual(["placeholder"]);
  for (const slot of ["name", "state", "note"]) expect(errors[0]?.correction).toContain(slot);
});

test("C-110: placeholders count as values of the right type", () => {
  const errors = errorsOf('Boat("b1").send(to=$, ..)', quayExposure, settings);
  expect(errors.map(({ code }) => code)).toEqual(["placeholder", "placeholder"]);
});
