import { describe, expect, test } from "vitest";
import { quayExposure } from "../../../test/fixture-exposure.ts";
import { mill } from "../../../test/mill-catalog.ts";
import { onlyNode } from "../../../test/plan-of.ts";
import { saidOf, type SaidRow, statedBy } from "../../../test/said.ts";

const BY_NAME = ["Arguments of send are given by name.", 'write send(to="text")'] as const;
const STILL_MISSING = [
  ".. stands for arguments of send that are still missing.",
  "give one or more of note markdown, or leave .. out",
] as const;
const noArgument = (name: string) =>
  [`send takes no argument ${name}.`, "Arguments: to, note"] as const;
const send = (args: string): string => `Boat("b1").send(${args})`;

describe("LANG-077: arguments are given by name, each once, the required ones all", () => {
  test.each<SaidRow>([
    [send('"hi"'), "argument_invalid", '"hi"', ...BY_NAME],
    [send('"hi", "ho"'), "argument_invalid", '"hi"', ...BY_NAME],
    [send('"hi", note=x'), "argument_invalid", '"hi"', ...BY_NAME],
    [send("$"), "argument_invalid", "$", ...BY_NAME],
    [send("to=a, .."), "placeholder", "..", ...STILL_MISSING],
    [send('.., "ho"'), "placeholder", "..", ...STILL_MISSING],
    [send("to=a, to=b"), "argument_invalid", "to=b", "to is given twice.", "keep one of the two"],
    [
      send("to=a, note=x, note=y"),
      "argument_invalid",
      "note=y",
      "note is given twice.",
      "keep one of the two",
    ],
    [
      "Boat.query-owner(owner=ann, owner=bob)",
      "argument_invalid",
      "owner=bob",
      "owner is given twice.",
      "keep one of the two",
    ],
    [send("to=a, zzz=x"), "argument_unknown", "zzz", ...noArgument("zzz")],
    // What is missing may be what the unknown name was meant to be (ERR-005).
    [send("zzz=x"), "argument_unknown", "zzz", ...noArgument("zzz")],
    [send("to=a, p99=x"), "unknown_symbol", "p99", "p99 is not in the table.", "use p1..p30"],
    [
      send("to=a, e1=x"),
      "unknown_symbol",
      "e1",
      "e1 is an entity, a field, relation or argument stands here.",
      "use p1..p30",
    ],
    [
      send("to=a, m1=x"),
      "unknown_symbol",
      "m1",
      "m1 is a method, a field, relation or argument stands here.",
      "use p1..p30",
    ],
    [send("note=x"), "argument_missing", "", "send needs to str.", 'add to="text"'],
    [send(""), "argument_missing", "", "send needs to str.", 'add to="text"'],
    [
      send("to=$, note=x"),
      "placeholder",
      "$",
      "$ stands for a value of to that is still missing.",
      'to takes str, like "text"',
    ],
    [
      send("to=[a]"),
      "argument_invalid",
      "[a]",
      "to takes text, not a list.",
      'write text in quotes, like "text"',
    ],
  ])("%s", (...row) => {
    expect(saidOf(row[0], quayExposure)).toEqual(statedBy(row));
  });

  test("both a value without a name and .. are said", () => {
    expect(saidOf(send('"ho", ..'), quayExposure)).toEqual([
      ...statedBy(["", "argument_invalid", '"ho"', ...BY_NAME]),
      ...statedBy(["", "placeholder", "..", ...STILL_MISSING]),
    ]);
  });

  test("a value the parser refused is one error", () => {
    expect(saidOf('Boat("b1").send(#)', quayExposure)).toMatchObject([{ code: "unexpected_char" }]);
  });

  test("CAT rules are checked once all arguments stand, not beside other errors", () => {
    expect(saidOf('Sack("a").set(kg=3, code="AB1")', mill)).toHaveLength(1);
    expect(saidOf('Sack("a").set(kg=3, code="AB1", zzz=1)', mill)).toMatchObject([
      { code: "argument_unknown" },
    ]);
    expect(saidOf('Sack("a").set(kg=x, code="AB1")', mill)).toMatchObject([
      { code: "argument_invalid", marks: "x" },
    ]);
  });
});

describe("RUN-013: arguments that nothing declares, where such are sent", () => {
  test("any value goes as it is written", () => {
    expect(onlyNode('Sack("a").free(label=x, colour=red, n=3)', mill)).toMatchObject({
      kind: "action",
      args: { label: { lit: "x" }, colour: { lit: "red" }, n: { lit: 3 } },
    });
  });

  test("each once", () => {
    expect(saidOf('Sack("a").free(colour=red, colour=blue)', mill)).toMatchObject([
      { code: "argument_invalid", marks: "colour=blue", message: "colour is given twice." },
    ]);
  });
});

describe("ERR-008: a step of another language is suggested where its arguments leave no doubt", () => {
  const foreign = (program: string, name: string, form: string, suggests?: string): SaidRow => {
    const words = [`${name} is no operator here.`, `write ${form}`] as const;
    return suggests === undefined
      ? [program, "unknown_method", name, ...words]
      : [program, "unknown_method", name, ...words, suggests];
  };
  const filter = ".filter{column=value}";
  const columns = "[column, column]";
  test.each<SaidRow>([
    foreign("Boat.head(3)", "head", ".limit(10)", "Boat.limit(3)"),
    foreign("Boat.head(3, 4)", "head", ".limit(10)"),
    foreign("Boat.head(n=3)", "head", ".limit(10)"),
    foreign("Boat.head(x)", "head", ".limit(10)"),
    foreign("Boat.head()", "head", ".limit(10)"),
    foreign("Boat.where(state=lost)", "where", filter, "Boat.filter{state=lost}"),
    foreign("Boat.where(state=lost, name=x)", "where", filter, "Boat.filter{state=lost, name=x}"),
    foreign("Boat.where(lost)", "where", filter),
    foreign("Boat.where(state=lost, x)", "where", filter),
    foreign("Boat.select(name)", "select", columns, "Boat[name]"),
    foreign("Boat.select(name, id)", "select", columns, "Boat[name, id]"),
    foreign("Boat.select(name, 3)", "select", columns),
    foreign("Boat.select(x=name)", "select", columns),
    foreign("Boat.first()", "first", ".limit(1)", "Boat.limit(1)"),
    foreign("Boat.first(3)", "first", ".limit(1)"),
  ])("%s", (...row) => {
    expect(saidOf(row[0], quayExposure)).toEqual(statedBy(row));
  });
});
