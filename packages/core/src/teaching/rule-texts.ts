import type { Capability } from "../schema/capability.ts";
import type { CrossFieldRule, InputType, ValidationPredicate } from "../schema/input.ts";
import { cleanText } from "./clean-text.ts";
import type { Speller } from "./speller.ts";
import type { SlotUse } from "./value-shapes.ts";

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
