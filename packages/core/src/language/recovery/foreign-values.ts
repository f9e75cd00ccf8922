import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { expressionMessages } from "../../diagnostics/expression-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { clip } from "../../base/text.ts";
import type { Name } from "../grammar/ast-values.ts";
import { functionCalled, FUNCTIONS } from "../grammar/functions.ts";
import { matchAt } from "../grammar/limits.ts";
import type { ParserState } from "../grammar/parser-state.ts";
import { quoteText } from "../grammar/strings.ts";

/** The error of a name that is meant as a function, in lower case as those are; null for any other. */
export function unknownFunction({ text, span }: Pick<Name, "text" | "span">): Diagnostic | null {
  if (!/^[a-z][A-Za-z_]*$/.test(text)) return null;
  const instead = INSTEAD.get(text.toLowerCase().replaceAll("_", ""));
  const near =
    instead === undefined ? (functionCalled(text) ?? nearestName(text, FUNCTIONS)) : null;
  const hint = instead ?? (near === null ? "" : `use ${near}`);
  const args = { name: text, nearest: hint === "" ? "" : `${hint}; `, names: FUNCTIONS.join(", ") };
  const edits = near === null ? undefined : [{ span, replacement: near }];
  return diagnose(expressionMessages.unknownFunction, span, args, edits);
}

/** The error of a name that other languages have for a function of values; null for any other, which may be an entity's. */
export function foreignFunction(name: Pick<Name, "text" | "span">): Diagnostic | null {
  const known =
    INSTEAD.has(name.text.toLowerCase().replaceAll("_", "")) || functionCalled(name.text) !== null;
  return known ? unknownFunction(name) : null;
}

const REPLACE = 'write replace(text, "part", "other"), which takes text exactly as it stands';
const LATER = "write a + 2d, a + 1mo or a + 1y";
const SET = 'write set(json, "a.b", value)';

/** What functions of other languages are operators for here. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["addmonths", LATER],
  ["append", "join text with +: a + b"],
  ["concat", "join text with +: a + b"],
  ["dateadd", LATER],
  ["datediff", "write a - b, which is in days"],
  ["datesub", "write a - 2d, a - 1mo or a - 1y"],
  ["datetrunc", "write start_of(date, month)"],
  ["days", "a difference of dates is in days: a - b"],
  ["exists", "write a != null"],
  ["gsub", REPLACE],
  ["interval", LATER],
  ["jsonpatch", SET],
  ["left", "write text[:n]"],
  ["merge", SET],
  ["now", "write now"],
  ["omit", 'write remove(json, "a.b")'],
  ["patch", SET],
  ["prepend", "join text with +: a + b"],
  ["regexpreplace", REPLACE],
  ["regexreplace", REPLACE],
  ["replaceall", 'write replace(text, "part", "other", all)'],
  ["right", "write text[-n:]"],
  ["slice", "write text[from:to]"],
  ["strreplace", REPLACE],
  ["sub", REPLACE],
  ["substr", "write text[from:to]"],
  ["substring", "write text[from:to]"],
  ["timedelta", LATER],
  ["today", "write today"],
]);

/** Words and signs that are operators elsewhere, and what is written here; `$1` stands in their place. */
const FOREIGN: readonly (readonly [RegExp, replacement: string | null, form: string])[] = [
  [/\s&&\s/, " and ", "and"],
  [
    /\s\|\|\s/,
    null,
    "or between conditions, + between texts, coalesce(a, b) for a value in place of null",
  ],
  [/\s\?\?\s/, null, "coalesce(a, b)"],
  [/\s(?:\+\+|&)\s/, " + ", "+"],
  [/\sis\s+not\s+null\b/i, " != null", "!= null"],
  [/\sis\s+null\b/i, " = null", "= null"],
  [/\snot\s+in\b/i, null, "not a in [b, c]"],
  [/\sbetween\b/i, null, "a >= low and a <= high"],
  [/\s(?:i?like|contains)\b/i, null, "~, which finds text whatever its case"],
  [/^(?:case|if)\s|\sif\s/i, null, "if(condition, value, other)"],
];

/** The error of text that computes with cells as another language does; null for any other text (LANG-048). */
export function foreignOperators(raw: string, span: Diagnostic["span"]): Diagnostic | null {
  if (raw.length > 2_000 || !/(?:^|[^\w.])_\.[A-Za-z_]/.test(raw)) return null;
  const [found, replacement, form] = FOREIGN.find(([sign]) => sign.test(raw)) ?? [];
  if (found === undefined || form === undefined) return null;
  const sign = found.exec(raw)?.[0].trim() ?? "";
  const args = { sign, form, quoted: clip(quoteText(raw), 80) };
  const edits =
    typeof replacement === "string"
      ? [{ span, replacement: raw.replaceAll(new RegExp(found, "gi"), replacement) }]
      : undefined;
  return diagnose(textMessages.foreignSign, span, args, edits);
}

const EQUALS = /[=!]==?(?!=)/y;

/** Fails at `_.a == b`, which is `_.a = b`. */
export function failForeignEquals(p: ParserState): void {
  if (p.dead) return;
  const at = p.skip(p.pos, p.open.length > 0);
  const sign = matchAt(EQUALS, p.text, at)?.[0];
  if (sign === undefined || sign === "!=") return;
  const form = sign.startsWith("!") ? "!=" : "=";
  const span = p.span(at, at + sign.length);
  p.fail(
    diagnose(syntaxMessages.foreignOperator, span, { found: sign, form }, [
      { span, replacement: form },
    ]),
  );
}

/** Words before a parenthesis that other rules know better. */
const KNOWN = new Set(["any", "all", "not", "and", "or", "exists", "asc", "desc"]);

/** Fails at the call of a function that there is not, where columns are meant: `{strlen(name) > 3}`. */
export function failUnknownFunction(p: ParserState, name: Pick<Name, "text" | "span">): void {
  if (p.dead || KNOWN.has(name.text) || p.text[p.skip(name.span.end, true)] !== "(") return;
  const problem = unknownFunction(name);
  if (problem !== null) p.fail(problem);
}
