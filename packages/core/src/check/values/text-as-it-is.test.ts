import { describe, expect, test } from "vitest";
import { effectArgs, toldErrors } from "../../../test/effect-args.ts";
import { quayExposure } from "../../../test/fixture-exposure.ts";
import { planOf } from "../../../test/plan-of.ts";
import { slots } from "../../../test/slots-catalog.ts";
import { ALL_FEATURES } from "../../policy/policy.ts";
import { renderPlan } from "../../plan/render/render-plan.ts";

const settings = { features: ALL_FEATURES };
const planned = (program: string) => planOf(program, quayExposure, settings);
const notesOf = (program: string) =>
  planned(program)
    .summary.reasons.filter(({ code }) => code === "looks_like_template")
    .map(({ severity, detail }) => ({ severity, detail }));

describe("17.6 LANG-047: text that looks like a template", () => {
  test.each<[string, string, string]>([
    [
      'b = Boat("b1")\nBoat("b2").send(to=x, note="${b.name}")',
      'note: the text "${b.name}" is sent as it is, ${b.name} too',
      "write b.name without quotes",
    ],
    [
      'b = Boat("b1")\nBoat("b2").send(to=x, note="{{ b.name }}")',
      'note: the text "{{ b.name }}" is sent as it is, {{ b.name }} too',
      "write b.name without quotes",
    ],
    [
      'b = Boat("b1")\nBoat("b2").send(to=x, note="Hello {b.name}!")',
      'note: the text "Hello {b.name}!" is sent as it is, {b.name} too',
      'write "Hello " + b.name + "!"',
    ],
    [
      't = Boat.limit(3)\nBoat("b2").send(to=x, note="of ${t.name}")',
      'note: the text "of ${t.name}" is sent as it is, ${t.name} too',
      "bind it first, text = t <<T, newline, the text with {{ rows[0].name }}, newline, T, and write text.content without quotes",
    ],
    [
      'b = Boat("b1")\nBoat("b2").send(to=x, note=<<N\nDear {{ b.owner }}\nN)',
      'note: the text "Dear {{ b.owner }}" is sent as it is, {{ b.owner }} too',
      'write "Dear " + b.owner',
    ],
    [
      'Boat.limit(2) => Boat(_.id).send(to=x, note="{_.name}")',
      'note: the text "{_.name}" is sent as it is, {_.name} too',
      "write _.name",
    ],
    [
      'Boat.limit(2) => {line: "${_.name} is here"}',
      'the value: the text "${_.name} is here" is sent as it is, ${_.name} too',
      'write _.name + " is here"',
    ],
    [
      'b = Boat("b1")\nBoat{name="${b.name}"}',
      'name: the text "${b.name}" is sent as it is, ${b.name} too',
      "write b.name without quotes",
    ],
    [
      'b = Boat("b1")\nBoat~"{b.name}"',
      'the search: the text "{b.name}" is sent as it is, {b.name} too',
      "write b.name without quotes",
    ],
  ])("%s", (program, what, form) => {
    expect(notesOf(program)).toEqual([{ severity: "review", detail: `${what}; ${form}` }]);
    expect(planned(program).summary.verdict).toBe("review");
  });

  test.each([
    'Boat("b2").send(to=x, note="${HOME}")',
    'Boat("b2").send(to=x, note="{{ user.login }}")',
    'Boat("b2").send(to=x, note="{% if x %}")',
    'Boat("b2").send(to=x, note="{_.name}")',
    'Boat~"${{ secrets.KEY }}"',
  ])("what names nothing of the program is told, and holds nothing up: %s", (program) => {
    expect(notesOf(program)).toMatchObject([
      { severity: "info", detail: expect.stringMatching(/; text in quotes is never filled in$/) },
    ]);
  });

  test.each([
    'Boat("b2").send(to=x, note="{}")',
    'Boat("b2").send(to=x, note="{name} {0} {\\"a\\": {\\"b\\": 1}}")',
    'Boat("b2").send(to=x, note="a {b} $5 ${ {")',
    "n = <<T\nas ${x} and {{ y }}\nT\nn",
    'b = Boat("b1")\nt = b <<T\n{{ b.name }}\nT\nBoat("b2").send(to=x, note=t.content)',
  ])("nothing is said of %s", (program) => {
    expect(notesOf(program)).toEqual([]);
  });

  test("the forms it names are planned, and nothing is said of them (ERR-006)", () => {
    const forms = [
      'b = Boat("b1")\nBoat("b2").send(to=x, note=b.name)',
      'b = Boat("b1")\nt = b <<T\nHello {{ b.name }}!\nT\nBoat("b2").send(to=x, note=t.content)',
      't = Boat.limit(3)\ntext = t <<T\nof {{ rows[0].name }}\nT\nBoat("b2").send(to=x, note=text.content)',
      "Boat.limit(2) => Boat(_.id).send(to=x, note=_.name)",
    ];
    for (const form of forms) expect(notesOf(form)).toEqual([]);
  });

  test("the plan's text has it (PLAN-040)", () => {
    const plan = planned('b = Boat("b1")\nBoat("b2").send(to=x, note="${b.name}")');
    expect(renderPlan(plan, "pc0")).toContain(
      '\nreview looks_like_template: note: the text "${b.name}" is sent as it is',
    );
  });
});

describe("17.6 LANG-040: text is no list", () => {
  test.each<[string, string, string, string | null]>([
    [
      "words=soft",
      "soft",
      "words takes a list, and soft is one text. write [soft]",
      "words=[soft]",
    ],
    [
      'words="a b"',
      '"a b"',
      'words takes a list, and "a b" is one text. write ["a b"]',
      'words=["a b"]',
    ],
    [
      'words="a, b"',
      '"a, b"',
      'words takes a list, and "a, b" is one text. write ["a", "b"]',
      null,
    ],
    [
      'words=\'["a", "b"]\'',
      '\'["a", "b"]\'',
      'words takes a list, and \'["a", "b"]\' is one text. write ["a", "b"]',
      null,
    ],
    ["pegs=seven", "seven", "pegs takes a list, and seven is one text. write [seven]", null],
  ])("%s is refused", (arg, marks, says, suggests) => {
    const program = `Box(x).take(${arg})`;
    const [error, ...others] = toldErrors(program, slots);
    expect(others).toEqual([]);
    expect(error).toMatchObject({ code: "argument_invalid", marks, says });
    expect(error?.suggests ?? null).toBe(suggests === null ? null : `Box(x).take(${suggests})`);
  });

  test.each<[string, unknown]>([
    ["words=[soft]", { lit: ["soft"] }],
    ["words=7", { lit: ["7"] }],
    ["counts=7", { lit: [7] }],
    ["tags=soft", { lit: ["soft"] }],
    ['tags="soft"', { lit: ["soft"] }],
    ["hues=red", { lit: ["red"] }],
    ["pegs=Peg(7)", { lit: [7] }],
    ["pegs=7", { lit: [7] }],
  ])("%s is a list of one", (arg, value) => {
    const [name = ""] = arg.split("=");
    expect(effectArgs(`Box(x).take(${arg})`, slots)).toEqual({ [name]: value });
  });

  test("a value of a row is not text that was written: it is an element", () => {
    expect(effectArgs("b = Box(y)\nBox(x).take(words=b.text)", slots)).toMatchObject({
      words: { list: [{ path: ["text"] }] },
    });
  });

  test("a condition on a list asks for an element (LANG-050)", () => {
    expect(planOf("Box{words=soft}", slots, settings).nodes).toHaveLength(1);
  });
});

describe("LANG-040: the elements of a list are no lists", () => {
  test.each<[arg: string, marks: string, form: string]>([
    ["words=[_.words, new]", "_.words", "_.words + [new]"],
    ['words=["a", b, _.words, c, d]', "_.words", '["a", b] + _.words + [c, d]'],
    ["words=[_.words]", "_.words", "_.words"],
    ["counts=[_.counts, 7]", "_.counts", "_.counts + [7]"],
    ["pegs=[_.pegs, Peg(7)]", "_.pegs", "_.pegs + [Peg(7)]"],
    ["words=[_.words - [old], new]", "_.words - [old]", "_.words - [old] + [new]"],
  ])("%s is told the sum, which is planned", (arg, marks, form) => {
    const before = "Box.limit(2) => Box(_.id).take(";
    const [error, ...others] = toldErrors(`${before}${arg})`, slots);
    expect(others).toEqual([]);
    const slot = arg.split("=")[0] ?? "";
    const says = `${slot} takes a list whose elements are no lists, and ${marks} is one. write ${form}`;
    expect(error).toMatchObject({ code: "argument_invalid", marks, says });
    expect(error?.suggests).toBe(`${before}${slot}=${form})`);
    expect(planOf(`${before}${slot}=${form})`, slots, settings).nodes).not.toEqual([]);
  });

  test.each(["words=[_.text, new]", "words=[_.free, new]", "words=_.words"])(
    "%s is none",
    (arg) => {
      expect(planOf(`Box.limit(2) => Box(_.id).take(${arg})`, slots, settings).nodes).not.toEqual(
        [],
      );
    },
  );
});
