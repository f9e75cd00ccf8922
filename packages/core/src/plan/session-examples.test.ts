import { expect, test } from "vitest";
import { NAME_ERRORS, TEXT_ERRORS } from "../../test/error-examples.ts";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { errorsOf } from "../../test/plan-of.ts";
import { replay } from "../../test/replay.ts";
import { teach } from "../../test/teach.ts";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { compileProgram } from "./compile.ts";

const { exposure: orchard } = teach(
  fixtureCatalogs("orchard", "depot"),
  [
    [
      ["orchard", "Tree", "Harvest"],
      ["depot", "Crate"],
    ],
  ],
  { notation: "names" },
);

/** Names and words of a harbour, which an orchard has not. */
const FOREIGN =
  /\b(?:Boats?|quay|moored|lost|owner|ann|length|ping|built|visits?|Person|login|pier|s0_pg1)\b/;

const PROGRAMS: readonly string[] = [
  ...Object.values({ ...TEXT_ERRORS, ...NAME_ERRORS }).flatMap((examples) =>
    examples.map(({ program }) => program),
  ),
  "Tree.filter(x => x)",
  "Tree limit",
  "Tree order",
  "Tree where",
  "Tree select",
  "Tree group",
  "Tree distinct",
  "Tree{}",
  "Tree{state in 5}",
  "Tree{any}",
  "Tree{exists}",
  "Tree[7:9]",
  "Tree[*",
  "Tree[]",
  "Tree.sort()",
  "Tree.group_by(n=count)",
  "Tree.aggregate(sum())",
  "select * from Tree",
  "delete from Tree",
  "update Tree set a = 1",
  "insert into Tree (a)",
  "for x in Tree",
  "Tree,",
  "Tree.",
  "let x = Tree",
  "",
  "Tree~",
  "x =",
  "x = Tree =>",
  "x = Tree => {}",
  "Tree(a=1 or b=2)",
  "Tree(a>1)",
  'page("',
  "page(s0, 5)",
  '{"a": "b"}',
  "Tree{a=1+2}",
  "Tree{a=x for y in z}",
];

test.each(PROGRAMS.map((program) => [program]))(
  "17.18: %j in an orchard: nothing is named that it has not (ERR-006)",
  (program) => {
    const compiled = compileProgram(program, orchard);
    const errors = compiled.kind === "errors" ? compiled.errors : [];
    const written = new Set(program.match(/\w+/g) ?? []);
    const said = errors
      .map(({ message, correction }) => `${message} ${correction}`)
      .join("\n")
      .replaceAll(/\w+/g, (word) => (written.has(word) ? "" : word));
    expect(said).not.toMatch(FOREIGN);
    expect(said).not.toMatch(/[‹›⟦⟧]/);
    expect(replay({ program, exposure: orchard }, errors).faults).toEqual([]);
  },
);

const correctionsOf = (program: string, exposure = orchard): readonly string[] =>
  errorsOf(program, exposure).map(({ correction }) => correction);

test("17.18: examples are of the session, in the notation of the program, and plan there", () => {
  expect(correctionsOf("")).toEqual([
    "write at least one root, a line that binds nothing: Crate.limit(5)",
  ]);
  expect(correctionsOf("", quayExposure)[0]).toContain(": Boat.limit(5)");
  expect(compileProgram("Crate.limit(5)", orchard).kind).toBe("plan");
});

test("17.18: what the program names comes first", () => {
  expect(correctionsOf("Crate[]")).toEqual(["write at least one column, as in [id]"]);
  expect(correctionsOf("Crate,")[0]).toContain("Crate.limit(1), Crate.limit(2)");
});

const suggestionOf = (program: string, exposure = quayExposure): string | null =>
  errorsOf(program, exposure)[0]?.suggestedProgram ?? null;

test.each([
  ["Boat.filter(b => b.length > 10)", "Boat.filter{length > 10}"],
  ["Boat.filter(lambda b: b.length > 10)", "Boat.filter{length > 10}"],
  [
    "Boat.filter(lambda x: x.state == 'lost' and x.length > 5)",
    "Boat.filter{state = 'lost', length > 5}",
  ],
  [
    'Boat.filter(x => x.state == "lost" && x.length > 5)',
    'Boat.filter{state = "lost", length > 5}',
  ],
  ["Boat[0:5]", "Boat.limit(5)"],
  ["Boat[:10]", "Boat.limit(10)"],
  ["Boat{built < now - 7 days}", "Boat{built < now - 7d}"],
  ["Boat{built < today - 2 weeks}", "Boat{built < today - 2w}"],
  ["Boat{built < today() - 7}", "Boat{built < today-7d}"],
])("17.18: %s is mended to what plans", (program, suggested) => {
  expect(suggestionOf(program)).toBe(suggested);
  expect(compileProgram(suggested, quayExposure).kind).toBe("plan");
});

test("17.18: a function that tests nothing is not offered as a condition", () => {
  for (const program of ["Tree.filter(x => x)", "Tree.filter(lambda x: x)"]) {
    expect(correctionsOf(program).join("\n")).not.toMatch(/x=true|lambda/);
  }
});

test("17.18: a query per row gets a form that plans here", () => {
  const [correction = ""] = correctionsOf(
    "m = Boat.limit(3)[id, name]\nm => {x: Boat{name=_.name}.id}",
    quayExposure,
  );
  const [, form = ""] = /line of its own: (.*); its rows are found$/.exec(correction) ?? [];
  const program = `m = Boat.limit(3)[id, name]\n${form}\nfound`;
  expect(compileProgram(program, quayExposure).kind).toBe("plan");
});
