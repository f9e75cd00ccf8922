import type { Features } from "../policy/policy.ts";
import type { Notation } from "../symbols/exposure.ts";
import type { Capability } from "../model/model.ts";
import type { CrossFieldRule, InputType, ValidationPredicate } from "../model/input.ts";
import { cleanText } from "./clean-text.ts";
import type { Speller } from "./notation.ts";
import type { SlotUse } from "./value-shapes.ts";

/** The parts of the contract, in the order they are sent (TEACH-32). */
export const CONTRACT_PARTS = [
  "core",
  "search",
  "text",
  "unions",
  "effects",
  "continuations",
] as const;

export type ContractPart = (typeof CONTRACT_PARTS)[number];

/** A stretch of a line, said only if the engine has a feature, lacks one, the table has symbols, or data may be changed. */
type Piece =
  | string
  | { readonly text: string; readonly has: keyof Features }
  | { readonly text: string; readonly lacks: keyof Features }
  | { readonly text: string; readonly notation: Notation }
  | { readonly text: string; readonly changes: true };

type Line = readonly Piece[];

const inSymbols = (text: string): Piece => ({ text, notation: "symbols" });
const inNames = (text: string): Piece => ({ text, notation: "names" });
const has = (feature: keyof Features, text: string): Piece => ({ text, has: feature });

/** Topics and budget of TEACH-33; no numbered symbol, so that it cannot contradict a table. */
const TEXT: Readonly<Record<ContractPart, readonly Line[]>> = {
  core: [
    [
      inSymbols("Write Plasm programs with the symbols below. Later tables add rows."),
      inNames("Write Plasm programs with the names below."),
    ],
    [
      "Rows: left is code, replace $ with a value (E($): E's whole key), .. with any of opt. Right: result ([E] rows, E one row",
      { text: ", () nothing", changes: true },
      inSymbols(
        '), wire name, "opt" optional slots, note. "p / name type" is a slot, its note that of the entity below;',
      ),
      inNames(
        '), name unless left has it, "opt" optional slots, note. "p / type" is a slot, its note that of the entity below;',
      ),
      ' "p / where: type" its type and note there only (E field, E{} condition, m argument).',
    ],
    [
      inSymbols(
        "e# entity E, m# method m, p# field, relation or argument p; wire names work too. A p# is one name everywhere: write slot=value, never guess a slot from its number.",
      ),
    ],
    ["A statement per line or bracket; ;; comments."],
    ["a = E{p=v}   binds. Other lines are results: a.limit(5)[p,p] or a, b"],
    [
      'Values: "text" 12 true null 2026-01-31 today-7d word E(id) [v, v]',
      has("effects", " {k: v}"),
      has("holes", " a.p"),
    ],
    [
      "Conditions: = != < <= > >= ~(contains, any case) in [v, v]; on a list = has it; comma, and, or, not, (..); exists(p); p < _.p",
      has("join", "; ref.p = v"),
      "; opt slots are sent, others filter after.",
    ],
    [
      "Steps: .filter{..} .p (relation or reference) .sort(p desc, p) .limit(n, per=p) .page_size(n)",
      has("distinct", " .distinct(p)"),
      has("aggregate", " .aggregate(n=count, t=sum(p)) .group_by(month(p), n=count(p=v))"),
      has("singleton", " .singleton()"),
      has("join", " .join(b, p=p)[p,b.p] .left_join"),
    ],
    [has("derive", "a => {k: _.p}   new row per row.")],
    [
      has(
        "derive",
        'Compute: + - * / %, "a " + _.p, _.p[:10], _.p + 1mo, if(c, v, v), round upper year start_of(_.p, month), of relations count(_.p) sum(_.p{p=v}.p); date - date is days.',
      ),
    ],
    [has("templates", "a <<T")],
    [has("templates", "{% for r in rows %}{{ r.p }}{% endfor %}")],
    [has("templates", "T   text of rows, column content.")],
  ],
  search: [['E~"words"{p=v} searches, best first.']],
  text: [
    ["Long text: p=<<T, newline, text, newline, T; brackets may follow. Nothing inside is code."],
  ],
  unions: [
    [
      "Objects: p={p: v}, unions with the discriminator shown; opt p.p: a member; here: types in that row.",
    ],
  ],
  effects: [
    [
      "Methods change data: E(id).m(p=v), E.m(p=v); per row: a => E(_.p).m(p=_.p). All run, in order.",
    ],
  ],
  continuations: [
    [
      "plasm plans, plasm_run runs. A plan marked review runs only by plan_commit_ref=pcN alone, or force. More rows: page(h) or page(h, limit=n)",
      { text: ", a program of its own.", lacks: "longWork" },
      has(
        "longWork",
        ". A long run answers wait(h): run that in 3-5 s; cancel(h) stops it. Each is a program of its own.",
      ),
    ],
  ],
};

/** What a session is told by: its engine, its notation, and whether it only reads (TEACH-25). */
interface Listener {
  readonly features: Features;
  readonly notation: Notation;
  readonly readOnly: boolean;
}

/** The text of one part for an engine and a notation, without line end; it may have several lines. */
export function contractText(
  part: ContractPart,
  features: Features,
  notation: Notation,
  readOnly = false,
): string {
  const listener = { features, notation, readOnly };
  const lines = TEXT[part].map((line) =>
    line
      .map((piece) => {
        if (typeof piece === "string") return piece;
        return isSaid(piece, listener) ? piece.text : "";
      })
      .join(""),
  );
  return lines.filter((line) => line !== "").join("\n");
}

function isSaid(
  piece: Exclude<Piece, string>,
  { features, notation, readOnly }: Listener,
): boolean {
  if ("has" in piece) return features[piece.has];
  if ("lacks" in piece) return !features[piece.lacks];
  if ("changes" in piece) return features.effects && !readOnly;
  return piece.notation === notation;
}

/** Most code points of a bound or a pattern. */
const MOST = 160;

/**
 * What the arguments of one row have to satisfy beyond their types (RUN-016), each rule as `p3 >= 1` or
 * `exactly one of p4 p5`; only rules about slots that the row shows or offers. Registered functions say nothing.
 */
export function ruleTexts(
  spell: Speller,
  { inputSchema }: Capability,
  uses: readonly Pick<SlotUse, "path" | "input">[],
): readonly string[] {
  const paths = new Set(uses.map(({ path }) => path));
  const say = (path: string): string =>
    path
      .split(".")
      .map((name) => spell.name(name))
      .join(".");
  const texts = [
    ...uses.flatMap(({ path, input }) => lengths(input).map((rest) => `${say(path)} ${rest}`)),
    ...(inputSchema?.predicates ?? []).flatMap((rule) =>
      paths.has(rule.fieldPath) ? predicateText(rule, say) : [],
    ),
    ...(inputSchema?.crossFieldRules ?? []).flatMap((rule) => crossText(rule, paths, say)),
  ];
  return [...new Set(texts)];
}

/** How many elements a list may have; one is what its row shows. */
function lengths(input: InputType): readonly string[] {
  if (input.kind !== "array") return [];
  const { minLength = 0, maxLength } = input;
  return [
    ...(minLength > 1 ? [`length >= ${minLength}`] : []),
    ...(maxLength === undefined ? [] : [`length <= ${maxLength}`]),
  ];
}

type Say = (path: string) => string;

function predicateText(rule: ValidationPredicate, say: Say): readonly string[] {
  const path = say(rule.fieldPath);
  const value = cleanText(
    typeof rule.value === "string" ? rule.value : JSON.stringify(rule.value),
    MOST,
  );
  switch (rule.operator) {
    case "min_length":
      return [`${path} length >= ${value}`];
    case "max_length":
      return [`${path} length <= ${value}`];
    case "min_value":
      return [`${path} >= ${value}`];
    case "max_value":
      return [`${path} <= ${value}`];
    case "pattern":
      return [`${path} matches ${value}`];
    case "depends_on": {
      const needed = Array.isArray(rule.value) ? rule.value : [rule.value];
      const names = needed.flatMap((name) => (typeof name === "string" ? [say(name)] : []));
      return [`${path} needs ${names.join(" ")}`];
    }
    case "custom_function":
      return [];
  }
}

/** A rule on several slots as far as a row has them. */
function crossText(
  { ruleType, fields }: CrossFieldRule,
  paths: ReadonlySet<string>,
  say: Say,
): readonly string[] {
  const here = fields.filter((field) => paths.has(field)).map(say);
  const [first = "", ...others] = here;
  switch (ruleType) {
    case "at_least_one":
      return here.length === 0 ? [] : [`at least one of ${here.join(" ")}`];
    case "exactly_one":
      return here.length === 0 ? [] : [`exactly one of ${here.join(" ")}`];
    case "mutually_exclusive":
      return here.length < 2 ? [] : [`at most one of ${here.join(" ")}`];
    case "all_or_none":
      return here.length < 2 ? [] : [`all or none of ${here.join(" ")}`];
    case "implies":
      return here.length < 2 || first !== say(fields[0] ?? "")
        ? []
        : [`${first} needs ${others.join(" ")}`];
  }
}
