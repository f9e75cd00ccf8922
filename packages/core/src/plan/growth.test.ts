import { assertProperty, leastCpu } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { boundedReading } from "../../test/properties/growth.ts";
import { type Family, familyText } from "../../test/growth/families.ts";
import { evaluateTemplate } from "../templates/evaluate/evaluate-template.ts";
import { filterNames } from "../templates/filter-signatures.ts";
import { parseTemplate } from "../templates/parse/parse-template.ts";
import type { Json } from "../values/value-type.ts";
import { compileProgram } from "./compile.ts";

type Place = readonly [before: string, behind: string];
const family = (place: Place, piece: string, tail = ""): Family => ({
  reader: "program",
  place,
  piece,
  closer: "",
  tail,
});

const labels = (count: number): string =>
  Array.from({ length: count }, (_, at) => `label${at} = Boat{id=x${at}}\n`).join("");

/** What took the square of its length, or time for each of a hundred thousand mistakes. */
const GROWING: readonly (readonly [string, Family])[] = [
  ["digits that are no number", family(["Boat{length>", "}"], "9", "x")],
  ["digits in a key", family(["Boat(", ")"], "9", "x")],
  ["an open projection of blanks", family(["Boat[", ""], " ")],
  ["blanks in a slice of a value", family(["Boat => {a: _.name[", "}"], " ")],
  ["blanks in a slice behind a call", family(["Boat => {a: upper(_.name)[", "}"], " ")],
  ["blanks behind a range", family(["Boat[0:", ""], " ")],
  ["an open projection of line ends", family(["Boat[", ""], "\r\n")],
  ["strange blanks in a projection", family(["Boat[", ""], "\u00a0")],
  ["a sort key of many parts", family(["Boat.sort(id", ")"], ".x")],
  ["a projected column of many parts", family(["Boat[owner", "].sort(owner.name)"], ".x")],
  ["unknown columns", family(["Boat[", "]"], "a,")],
  ["unknown sort keys", family(["Boat.sort(", ")"], "nme,")],
  ["unknown conditions", family(["Boat{", "}"], "stat=lost,")],
  ["unknown names among many labels", family([labels(400), ""], "label,")],
  ["conditions of one column", family(["Boat{", "}"], "length>1,")],
  ["different equalities", family(["Boat{any{", "}}"], "state=lost,")],
  ["text for several", family(["Boat.create(tags='a,", "')"], "]", "x")],
  ["pieces of a template", family(["Boat <<T\n", "\nT"], "{{ nme }}")],
  ["unclosed tags of a template", family(["Boat <<T\n", "\nT"], "{{")],
  ["sums", family(["Boat{length > id", "}"], " + id")],
  ["sums that are none", family(["Boat{name=a", "}"], " * b", " ?")],
  ["parts of parts", family(["Boat => {x: _.name", "}"], "[1:]")],
  ["negations", family(["Boat => {x: ", "}"], "not ", "_.name")],
  ["groups of conditions", family(["Boat{", "}"], "(length > 1) and ", "length > 2")],
  ["nested groups", family(["Boat{", "}"], "(", "length > 2")],
  ["joined texts", family(["Boat => {x: ''", "}"], " + 'a'")],
  ["calls in calls", family(["Boat.sort(", ")"], "abs(", "length")],
  ["halves of surrogate pairs", family(["Boat{id=", "}"], "\ud800")],
];

describe("18.14 reading takes time in proportion to the text", () => {
  it.each(GROWING)("%s: four times the text, four times the CPU", (_, grown) => {
    const read = (size: number) => () =>
      compileProgram(familyText(grown, size).slice(0, 260_000), quayExposure);
    read(16_000)();
    // The square would be 16 times as much; a little is left to the collector of garbage.
    const { large, most } = leastCpu(read(16_000), read(64_000), (few) => 9 * few + 20);
    expect(large).toBeLessThan(most);
  });

  it("suggestions are not looked for before it is known which errors are shown", () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `labl${at}`).join(", ");
    const few = labels(4);
    const many = labels(400);
    const read = (before: string) => () => compileProgram(before + names, quayExposure);
    expect(read(many)()).toMatchObject({ kind: "errors", more: expect.any(Number) });
    // A look for each among 400 labels took a hundred times as much.
    const { large, most } = leastCpu(read(few), read(many), (alone) => 5 * alone + 100);
    expect(large).toBeLessThan(most);
  });

  it("of constants little is made while a program is read, however much they come to", () => {
    const many = "a".repeat(900);
    const made = `replace(replace("b", "b", "${many}"), "a", "${many}")`;
    const compiled = compileProgram(`Boat => {x: ${made}}`, quayExposure);
    if (compiled.kind !== "plan") throw new Error(compiled.kind);
    // The text itself has 810,000 characters.
    expect(JSON.stringify(compiled.plan).length).toBeLessThan(20_000);
    const longer = `Boat => {x: ${"replace(".repeat(60)}${made}${', "a", "b")'.repeat(60)}}`;
    const read = (text: string) => () => compileProgram(text, quayExposure);
    const { large, most } = leastCpu(
      read(`Boat => {x: ${made}}`),
      read(longer),
      (once) => 60 * once + 100,
    );
    expect(large).toBeLessThan(most);
  });

  it("of a hundred thousand mistakes all are counted, and the first ten are shown", () => {
    const compiled = compileProgram(`Boat.sort(${"stat,".repeat(9_000)})`, quayExposure);
    if (compiled.kind !== "errors") throw new Error(compiled.kind);
    expect(compiled.errors).toHaveLength(10);
    expect(compiled.errors.length + compiled.more).toBe(9_000);
    expect(compiled.errors[0]?.correction).toContain("use state");
  });

  it("no program, template, catalog or intent takes more than 1 s of CPU or 64 MB", () =>
    assertProperty(boundedReading));
});

const ROWS = Array.from({ length: 1_000 }, (_, at) => ({ id: `r${at}` }));
const BINDINGS = {
  rows: ROWS,
  exponent: "1e-10000",
  large: "1e10000",
  digits: "9".repeat(999),
  long: "a b,".repeat(12_500),
  wide: "€ß 字,".repeat(10_000),
  blanks: "\u3000".repeat(50_000),
  json: JSON.stringify(Array.from({ length: 2_000 }, (_, at) => [at * 1e20])),
  object: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`k${at}`, at])),
  nested: JSON.parse("[".repeat(150) + "]".repeat(150)) as Json,
  list: Array.from({ length: 5_000 }, (_, at) => `a${at}`),
  path: { a: { a: { a: { a: { a: { a: { a: { a: 1 } } } } } } } },
};

const BODIES: readonly string[] = [
  ...["exponent", "large", "digits", "long", "wide", "blanks", "json"].flatMap((name) =>
    filterNames
      .filter((filter) => !/^(?:default|split|replace|join_|wire_time|slice)/.test(filter))
      .map(String)
      .concat("slice(-3)", "slice(2, 9)")
      .map((filter) => `{% if (${name} | ${filter}) == 1 %}{% endif %}`),
  ),
  "{% if object in rows %}{% endif %}",
  ...[
    "split(',')",
    "split_part(',', 40000)",
    "replace('', 'b')",
    "replace(',', '')",
    "default('x')",
  ].map((call) => `{% if (long | ${call}) == 1 %}{% endif %}`),
  ...["object", "nested", "list"].flatMap((name) => [
    `{% if ${name} == ${name} %}{% endif %}`,
    `{% if ${name} in rows %}{% endif %}`,
    `{% for z in ${name} %}{% endfor %}`,
    `{% if (${name} | json_encode) == 1 %}{% endif %}`,
    `{% if (${name} | length) == 1 %}{% endif %}`,
  ]),
  "{% if (list | join(',')) == 1 %}{% endif %}",
  "{% set x = large * digits %}",
  `{% set x = [${"path.a.a.a.a.a.a.a.a,".repeat(200)}1] %}`,
];

describe("18.14 the steps of a template are priced by what they cost", () => {
  const evaluating = (body: string) => {
    const loop = `{% for r in rows %}{% for q in rows %}${body}{% endfor %}{% endfor %}`;
    const { template } = parseTemplate(loop);
    if (template === null) throw new Error(body);
    const limits = { steps: 20_000, output: 1_048_576 };
    return () => evaluateTemplate(template, BINDINGS, limits);
  };

  it.each(BODIES)("%s", (body) => {
    const plain = evaluating("{% if r.id == 'x' %}{% endif %}");
    // `int` of 1e-10000 took 60 times as much a step, `urlencode` 40 times.
    const { large, most } = leastCpu(plain, evaluating(body), (ms) => 8 * ms + 20);
    expect(large).toBeLessThan(most);
  });
});
