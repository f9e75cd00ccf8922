import { describe, expect, it, test } from "vitest";
import { errorsOf, planOf } from "../../test/plan-of.ts";
import { definitionsText, type ProgramDefinition } from "../language/definitions.ts";
import { quayExposure } from "../../test/fixture-exposure.ts";

const MOORED: ProgramDefinition = {
  name: "moored",
  version: "ab12",
  parameters: ["state", "long", "since", "ids"],
  seeds: [{ api: "quay", entity: "Boat" }],
  program:
    'state = "moored"\nlong = 5\nboats = Boat{state=state, length>long}[id, name]\nboats.limit(3)',
};

const define = (program: string, changes: Partial<ProgramDefinition> = {}) => ({
  ...MOORED,
  ...changes,
  program,
});
const withThem = (text: string, ...definitions: readonly ProgramDefinition[]) =>
  `${text}\n${definitionsText(definitions.length === 0 ? [MOORED] : definitions)}`;
const nodes = (text: string) => planOf(text).nodes.map((node) => ({ ...node }));

describe("SAV-13 a call of a saved program", () => {
  it("is what its program is, with a result by its name", () => {
    const called = planOf(withThem("s.moored()"));
    expect(nodes(withThem("s.moored()"))).toEqual(nodes(MOORED.program));
    expect(called.returns.map(({ label }) => label)).toEqual(["moored"]);
  });

  it("takes arguments by name, and its rows take steps", () => {
    const written = MOORED.program.replace("long = 5", "long = 11").replace(".limit(3)", "");
    expect(nodes(withThem("a = s.moored(long=11)\na.sort(name).limit(1)"))).toEqual(
      nodes(`${written}.limit(3).sort(name).limit(1)`),
    );
    expect(nodes(withThem("s.moored() => {n: _.name}"))).toEqual(
      nodes(`${MOORED.program} => {n: _.name}`),
    );
    expect(nodes(withThem("s.moored(state=docked, long=1)[id]"))).toEqual(
      nodes(`${MOORED.program.replace('"moored"', '"docked"').replace("= 5", "= 1")}[id]`),
    );
  });

  it("may stand several times, beside labels of the same names", () => {
    const text =
      "boats = s.moored(long=1)\nlong = s.moored(long=2)\nboats, long, s.moored(), s.moored()";
    const plan = planOf(withThem(text));
    expect(plan.returns.map(({ label }) => label)).toEqual(["boats", "long", "moored", "moored_2"]);
  });

  it("captures nothing: words and labels of one mean nothing in the other", () => {
    const words = define("a = Boat{name=docked}[id]\na");
    expect(nodes(withThem("docked = Boat[id, name].limit(1)\nb = s.moored()\nb", words))).toEqual(
      nodes("b = Boat{name=docked}[id]\nb"),
    );
    const text = errorsOf(withThem("s.moored()\nboats", MOORED))[0];
    expect(text).toMatchObject({ code: "unknown_name", span: { line: 2, column: 1 } });
  });

  it("takes a label that is bound to a plain value, and a relative date where it is compared with", () => {
    expect(nodes(withThem("n = 7\nb = s.moored(long=n)\nb"))).toEqual(
      nodes(`${MOORED.program.replace("long = 5", "long = 7")}`),
    );
    const dated = define("since = 2026-01-01\nv = Boat{built>since}[id]\nv");
    expect(nodes(withThem("b = s.moored(since=today-7d)\nb", dated))).toEqual(
      nodes("b = Boat{built>today-7d}[id]\nb"),
    );
  });

  it("may call another, which is its own as well", () => {
    const outer = define("long = 8\nb = s.moored(long=long)\nb[id]", {
      name: "outer",
      parameters: ["long"],
    });
    expect(nodes(withThem("s.outer(long=9)", outer, MOORED))).toEqual(
      nodes(`${MOORED.program.replace("long = 5", "long = 9")}[id]`),
    );
  });

  it("has its effects where it stands", () => {
    const effect = define('place = "harbour"\nBoat("b1").send(to=place)', {
      parameters: ["place"],
    });
    const text = withThem(
      'Boat("b2").send(to="sea")\ns.moored(place="dock")\nBoat("b3").send(to="sea")',
      effect,
    );
    const { effects } = planOf(text).summary;
    expect(effects).toHaveLength(3);
    expect(JSON.stringify(nodes(text)[1])).toContain("dock");
    expect(planOf(text).commit).not.toBe(
      planOf(text.replace("harbour", "x").replace("dock", "bay")).commit,
    );
  });

  it("of a program with several results is a line of its own", () => {
    const two = define("a = Boat[id]\nb = Boat[name]\na, b, Boat.limit(1)");
    const plan = planOf(withThem("s.moored()", two));
    expect(plan.returns.map(({ label }) => label)).toEqual([
      "moored_a",
      "moored_b",
      "moored_result",
    ]);
    expect(errorsOf(withThem("c = s.moored()\nc", two))[0]).toMatchObject({
      code: "unexpected_text",
    });
  });

  it("is nothing where s is a label or an entity's", () => {
    expect(errorsOf(withThem("s = Boat[id]\ns.moored()"))[0]?.code).toBe("unknown_method");
  });

  test.each([
    ["s.other()", "unknown_name", "moored"],
    ["s.moored(lon=1)", "argument_unknown", "use long"],
    ["s.moored(11)", "argument_unknown", "name=value"],
    ["s.moored(long=1, long=2)", "argument_unknown", "leave one"],
    ["s.moored(long=$)", "placeholder", "a number"],
    ["s.moored(..)", "placeholder", "leave it out"],
    ['s.moored(long="a")', "argument_invalid", "a number"],
    ["s.moored(long=[1])", "argument_invalid", "a number"],
    ["s.moored(state=5)", "argument_invalid", "text in quotes"],
    ["n = Boat[length]\ns.moored(long=n)", "argument_invalid", "a number"],
    ["s.moored()[nmae]", "unknown_column", "name"],
  ])("%s is told where it stands", (text, code, says) => {
    const [error] = errorsOf(withThem(text));
    expect(error?.code).toBe(code);
    expect(`${error?.message} ${error?.correction}`).toContain(says);
    expect(error?.span.end).toBeLessThanOrEqual(text.length);
  });

  test.each([
    ["what does not plan", [define("Boat[nmae]")], "unknown_column"],
    ["what does not parse", [define("Boat[")], "unclosed_bracket"],
    [
      "a catalog that is not there",
      [define("Boat", { seeds: [{ api: "gone", entity: "Boat" }] })],
      "argument_invalid",
    ],
    [
      "an entity that is not there",
      [define("Boat", { seeds: [{ api: "quay", entity: "Gone" }] })],
      "argument_invalid",
    ],
    ["a program that calls itself", [define("b = s.moored()\nb")], "too_large"],
    ["a continuation", [define("page(s0_pg1)")], "unexpected_text"],
  ])("%s is told at the call", (_what, definitions, code) => {
    const [error] = errorsOf(withThem("b = s.moored()\nb", ...definitions));
    expect(error).toMatchObject({ code, span: { line: 1, column: 5 } });
  });

  it("that doubles at each level ends soon", () => {
    const levels = Array.from({ length: 8 }, (_, n) =>
      define(n === 7 ? "b = Boat[id]\nb" : `a = s.l${n + 1}()\nb = s.l${n + 1}()\nb`, {
        name: `l${n}`,
      }),
    );
    const errors = errorsOf(withThem("s.l0()", ...levels));
    expect(errors[0]?.code).toBe("too_large");
  });

  it("means the same whatever else the session has", () => {
    const own = { ...quayExposure, notation: "names" as const };
    expect(planOf(withThem("b = s.moored()\nb"), own).commit).toBe(
      planOf(withThem("b = s.moored()\nb")).commit,
    );
  });
});

describe("definitions behind a program", () => {
  it("are what nothing else follows: not text of a heredoc, nor what stands above", () => {
    const text = definitionsText([MOORED]);
    expect(errorsOf(`${text}\ns.moored()`)[0]?.code).toBe("unknown_name");
    const heredoc = `a = <<T\n${text}\nT\na`;
    expect(planOf(heredoc).nodes).toHaveLength(1);
    expect(JSON.stringify(nodes(heredoc))).toContain(";;: s.moored");
  });
});
