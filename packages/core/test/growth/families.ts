import fc from "fast-check";
import { filterNames } from "../../src/templates/filter-signatures.ts";

/** What reads a text: the compiler, the engine of templates, the catalog loader, discovery. */
export type Reader = "program" | "template" | "catalog" | "intent";

/** A text that grows: a piece again and again at one place of a valid text. */
export interface Family {
  readonly reader: Reader;
  /** what stands before and behind the pieces */
  readonly place: readonly [before: string, behind: string];
  readonly piece: string;
  /** behind each piece in reverse, so that what the pieces open is closed: for nesting */
  readonly closer: string;
  /** behind the last piece: what makes a long match fail at its end */
  readonly tail: string;
}

/** The text of a family of at most so many characters. */
export function familyText({ place, piece, closer, tail }: Family, size: number): string {
  const [before, behind] = place;
  const each = Math.max(1, piece.length + closer.length);
  const room = size - before.length - behind.length - tail.length;
  const count = Math.max(0, Math.floor(room / each));
  return before + piece.repeat(count) + tail + closer.repeat(count) + behind;
}

/** Runs that a reader may look at again and again: digits, blanks, signs, paths, names, escapes. */
const RUNS = [
  ..."9 0 a _ e - + . / @ : ' \" = < ~ ! $ ; # ` é { ( [ ) ] } | & * ? % ^ \\".split(" "),
  " ",
  "\t",
  "\n",
  "\r\n",
  "\u00a0",
  "\u200b",
  "\ud800",
  "\u0000",
  "字",
  "a.",
  ".x",
  ".1",
  "1.",
  "1e",
  "e-",
  "-a",
  " a",
  " -1",
  "a ",
  "a b ",
  '\\"',
  "\\u00e9",
  "\\\\",
  "<<",
  "<<T",
  "<<T\n",
  "{{",
  "{{a}}",
  "{% if a %}",
  "${x}",
  "2026-01-05T",
  "10:00:00.",
];

/** Items, steps and statements, right and wrong. */
const ITEMS = [
  "a,",
  "id,",
  "1,",
  '"a",',
  "e1,",
  "Boat,",
  "Boat(1),",
  "2026-01-05,",
  "007,",
  "a=b,",
  "state=lost,",
  "length>1,",
  'name="a",',
  "any{state=lost,length>1},",
  "owner.name=x,",
  " and a=1",
  " or length>1",
  " && ",
  ".limit(1)",
  ".sort(id)",
  "[id]",
  ".owner",
  ".logs",
  ".x()",
  " => {a: _.id}",
  "=>{a:_}",
  "a{",
  "f(",
  "any{",
  "not{",
  "[[",
  "{a:",
  "Boat\n",
  "x = Boat\n",
  "n=count,",
  "t=sum(length),",
  ",\n",
  "; ",
  ";; c\n",
  "```\n",
  "# c\n",
  "not ",
  "_.id,",
  "{{ rows[0].id }} ",
  "{% for r in rows %}",
  "{% set x = rows %}",
  "{# c #}",
  "rows.a.",
  "rows|",
  "'a'~",
  "1+",
  "+_.id",
  "-_.length",
  " * length",
  ' + "a"',
  " - b",
  "[1:]",
  '."a"',
  "abs(",
  "-(",
  "not (",
  "(length > 1) and ",
  " and _.length > 1",
  " in [1]",
  " + 1d",
  "not not ",
  "a if b else ",
];

/** Parts of values that are computed, right and wrong: chains, nesting, and what makes a text of texts. */
const COMPUTED = [
  "a+",
  "_.length + ",
  " + _.length",
  "((",
  "not (",
  "-(",
  "- ",
  "if(",
  "if(_.length > 1, ",
  "if(_.length > 1, 1, ",
  "coalesce(",
  "coalesce(_.name, ",
  "length(",
  "upper(",
  "round(",
  "replace(",
  "split(",
  "number(text(",
  "start_of(",
  "_.length > 1 and ",
  "_.length > 1 or ",
  "_.length > 1 and (_.length > 2 or ",
  "(a or ",
  "a in [",
  "[1:][",
  "[1",
  "[-1:]",
  "[:1]",
  "now - ",
  " - 1d",
  "sum(length * ",
  "==",
  " ? ",
  " if a else ",
  "`${_.name}`",
];

/** Parts of edits and of values of earlier answers, right and wrong: chains, nesting, paths. */
const EDITS = [
  "replace(b.name, ",
  "replace(replace(",
  "insert(b.name, ",
  "insert(b.name, 'a', after=",
  "set(b.name, ",
  "set(set(",
  "remove(b.name, ",
  "remove(",
  "kept(",
  "kept(s0_r1, note) + ",
  "kept(s0_r1, note, ",
  "a.0.",
  ", all",
  ", after='a'",
  ", before=",
  ".replace(",
];

const PROGRAM_PLACES: readonly (readonly [string, string])[] = [
  ["", ""],
  ["Boat", ""],
  ["Boat ", "x"],
  ["Boat[", ""],
  ["Boat[", "]"],
  ["Boat{", "}"],
  ["Boat{id=", "}"],
  ["Boat{id=", ""],
  ["Boat{state=lost, ", "}"],
  ["Boat{length>", "}"],
  ["Boat{id in [", "]}"],
  ["Boat{id=x|", "}"],
  ['Boat{id="', '"}'],
  ["Boat(", ")"],
  ['Boat("', '")'],
  ["Boat.sort(", ")"],
  ["Boat.sort(id", ")"],
  ["Boat.limit(", ")"],
  ["Boat.aggregate(n=", ")"],
  ["Boat.aggregate(", ")"],
  ["Boat.group_by(", ", n=count)"],
  ["Boat.distinct(", ")"],
  ["Boat.", ""],
  ["Boat => {a: ", "}"],
  ["Boat => {a: _.name", "}"],
  ["Boat => {a: if(", ", 1, 2)}"],
  ["Boat => {a: if(_.length > 1, ", ", 2)}"],
  ["Boat => {a: replace(_.name, 'a', ", ")}"],
  ["Boat => {a: _.name[", "]}"],
  ["Boat => {a: '", "' + _.name}"],
  ["Boat.filter{", "}"],
  ["Boat.aggregate(n=sum(", "))"],
  ["Boat.create(name=", ")"],
  ["b = Boat(1)\nb.update(name=", ")"],
  ["b = Boat(1)\nb.update(name=replace(b.name, ", "))"],
  ["b = Boat(1)\nb.update(name=replace(b.name, 'a', '", "'))"],
  ["b = Boat(1)\nb.update(name=insert(b.name, '", "', after='a'))"],
  ["b = Boat(1)\nb.update(name=set(b.name, '", "', 1))"],
  ["b = Boat(1)\nb.update(name=kept(s0_r1, ", "))"],
  ["Boat{length > id", "}"],
  ["Boat{length", " > 3}"],
  ['Boat~"', '"'],
  ["Boat~", ""],
  ["x = ", "\nx"],
  ["x = [", "]\nx"],
  ["x = {a: ", "}\nx"],
  ["x = Boat\n", "\nx"],
  ["page(", ")"],
  ["Boat <<T\n", "\nT"],
  ["Boat <<T\n{{ ", " }}\nT"],
  ["Boat <<T\n{% if ", " %}{% endif %}\nT"],
  ["Boat(<<T\n", "\nT)"],
];

const LOOP = "{% for r in rows %}";
const FEW = "{% for r in few %}";
const TEMPLATE_PLACES: readonly (readonly [string, string])[] = [
  ["", ""],
  ["{{ ", " }}"],
  ["{{ '", "' }}"],
  ["{% set x = [", "] %}{{ x }}"],
  ["{% set x = long ", " %}{{ x }}"],
  [`${FEW}{{ r.`, " }}{% endfor %}"],
  [`${FEW}${FEW}`, "{% endfor %}{% endfor %}"],
  [`${FEW}{% set x = [`, "] %}{% endfor %}"],
];

/** Loops that end by the limit of steps, whatever stands in them: all that a template may do. */
const ENDLESS_PLACES: readonly (readonly [string, string])[] = [
  [`${LOOP}${LOOP}`, "{% endfor %}{% endfor %}"],
  [`${LOOP}${LOOP}{{ r.`, " }}{% endfor %}{% endfor %}"],
];

const NAMES = ["long", "wide", "small", "exponent", "digits", "object", "json", "rows", "nested"];

/** Bodies of loops: every filter on every kind of value. */
const DEAR: readonly string[] = NAMES.flatMap((name) => [
  ...filterNames.map((filter) => {
    const call: Readonly<Record<string, string>> = {
      replace: "replace('a', 'bb')",
      split: "split(',')",
      split_part: "split_part(',', 2)",
      join: "join(',')",
      slice: "slice(2, 9)",
      join_sanitize: "join_sanitize('_', ',')",
      wire_time: "wire_time('unix_sec')",
      default: "default('x')",
    };
    return `{% if (${name} | ${call[filter] ?? filter}) == 1 %}{% endif %}`;
  }),
  `{% set x = ${name} ~ ${name} %}`,
  `{% if ${name} == ${name} %}{% endif %}`,
  `{% if 'b' in ${name} %}{% endif %}`,
  `{% if ${name} in rows %}{% endif %}`,
  `{% set x = ${name}[2] %}`,
]);

const CATALOG_PLACES: readonly (readonly [string, string])[] = [
  ["", ""],
  ["name: ", "\n"],
  ["name: quay\nentities:\n  Boat:\n    description: ", "\n"],
  ["name: quay\nentities:\n  Boat:\n    fields: [", "]\n"],
  ["name: quay\nentities:\n  Boat:\n    fields: {a: {type: ", "}}\n"],
  ["name: quay\nentities:\n  ", ": {}\n"],
  ["name: quay\nmappings:\n  a: {method: GET, path: [", "]}\n"],
  ["name: quay\nmappings:\n  a: {method: GET, path: '/", "'}\n"],
];

const INTENT_PLACES: readonly (readonly [string, string])[] = [
  ["", ""],
  ["list the boats of ", " by state"],
];

const placesOf: Readonly<Record<Reader, fc.Arbitrary<readonly [string, string]>>> = {
  program: fc.constantFrom(...PROGRAM_PLACES),
  template: fc.oneof(
    { weight: 199, arbitrary: fc.constantFrom(...TEMPLATE_PLACES) },
    { weight: 1, arbitrary: fc.constantFrom(...ENDLESS_PLACES) },
  ),
  catalog: fc.constantFrom(...CATALOG_PLACES),
  intent: fc.constantFrom(...INTENT_PLACES),
};

const CLOSERS: Readonly<Record<string, string>> = {
  "{": "}",
  "(": ")",
  "[": "]",
  "[[": "]]",
  "f(": ")",
  "a{": "}",
  "any{": "}",
  "not{": "}",
  "{a:": "}",
  "((": "))",
  "not (": ")",
  "-(": ")",
  "if(": ", 1, 2)",
  "if(_.length > 1, ": ", 2)",
  "if(_.length > 1, 1, ": ")",
  "coalesce(": ", 1)",
  "coalesce(_.name, ": ")",
  "length(": ")",
  "upper(": ")",
  "round(": ", 1)",
  "replace(": ', "a", "bb")',
  "split(": ', "a")',
  "number(text(": "))",
  "start_of(": ", month)",
  "_.length > 1 and (_.length > 2 or ": ")",
  "(a or ": ")",
  "a in [": "]",
  "sum(length * ": ")",
  "{% if a %}": "{% endif %}",
  "{% for r in rows %}": "{% endfor %}",
};

const TAILS = [
  "",
  "",
  "z",
  " z",
  "_.name",
  "length",
  "true",
  '"',
  ")",
  "]",
  "}",
  "\n",
  ",",
  "'",
  "\u0000",
];

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...RUNS) },
  { weight: 3, arbitrary: fc.constantFrom(...ITEMS) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom(...RUNS, ...ITEMS), { minLength: 2, maxLength: 3 })
      .map((pieces) => pieces.join("")),
  },
);

const programPiece = fc.oneof(
  { weight: 4, arbitrary: piece },
  { weight: 1, arbitrary: fc.constantFrom(...COMPUTED) },
  { weight: 1, arbitrary: fc.constantFrom(...EDITS) },
);

const templatePiece = fc.oneof(
  { weight: 3, arbitrary: piece },
  { weight: 1, arbitrary: fc.constantFrom(...DEAR) },
);

const familyOf = (reader: Reader): fc.Arbitrary<Family> =>
  fc
    .record({
      place: placesOf[reader],
      piece: reader === "template" ? templatePiece : reader === "program" ? programPiece : piece,
      closed: fc.boolean(),
      tail: fc.constantFrom(...TAILS),
    })
    .map(({ closed, ...family }) => ({
      reader,
      ...family,
      closer: closed ? (CLOSERS[family.piece] ?? "") : "",
    }));

/** Any family, programs above all. */
export const arbitraryFamily: fc.Arbitrary<Family> = fc.oneof(
  { weight: 70, arbitrary: familyOf("program") },
  { weight: 22, arbitrary: familyOf("template") },
  { weight: 5, arbitrary: familyOf("intent") },
  { weight: 3, arbitrary: familyOf("catalog") },
);

/** How long a text is: mostly short, now and then as long as a program may be, each scale alike. */
export const arbitrarySize: fc.Arbitrary<number> = fc
  .oneof(
    { weight: 960, arbitrary: fc.integer({ min: 0, max: 8 * 16 }) },
    { weight: 37, arbitrary: fc.integer({ min: 8 * 16, max: 13 * 16 }) },
    { weight: 3, arbitrary: fc.integer({ min: 13 * 16, max: 18 * 16 }) },
  )
  .map((sixteenths) => Math.min(262_000, Math.floor(2 ** (sixteenths / 16))));

/** A family, and of how many characters its text is. */
export type DrawnText = readonly [family: Family, size: number];

/** The texts that a seed draws, always the same. */
export const drawnTexts = (seed: number, count: number): readonly DrawnText[] =>
  fc.sample(fc.tuple(arbitraryFamily, arbitrarySize), { seed, numRuns: count });
