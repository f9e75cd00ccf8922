import { diagnose } from "../diagnostics/messages.ts";
import { syntaxMessages } from "../diagnostics/syntax-messages.ts";
import { textMessages } from "../diagnostics/text-messages.ts";
import type { Step } from "./ast-steps.ts";
import { joinNextLine } from "./line-joins.ts";
import { failHere } from "./failures.ts";
import { MAX_COUNT } from "./limits.ts";
import { failEmpty, parseAggregates, parseGroupBy } from "./parse-aggregates.ts";
import { parsePreds } from "./parse-conditions.ts";
import { takeName } from "./parse-names.ts";
import type { CountForm } from "./parse-operators.ts";
import { parseCountArgs, parsePaths, parseSortKeys } from "./parse-operators.ts";
import { parseArgs } from "./parse-values.ts";
import type { ParserState } from "./parser-state.ts";
import type { NameToken } from "./token.ts";

/** Names that are operators when `(` follows them, and `filter` when `{` does (LANG-024). */
export const OPERATORS: readonly string[] = [
  "limit",
  "page_size",
  "singleton",
  "sort",
  "aggregate",
  "group_by",
  "distinct",
  "filter",
];

/** Reads the steps that follow a source, as far as they go. */
export function parseSteps(p: ParserState): readonly Step[] {
  const steps: Step[] = [];
  while (p.at(".") || p.at("[")) steps.push(p.at("[") ? parseProject(p) : parseDotStep(p));
  return steps;
}

function parseProject(p: ParserState): Step {
  const { start } = p.peek("name");
  const paths = parsePaths(p, "[");
  const span = p.spanFrom(start);
  if (paths.length > 0 || p.dead) return { kind: "Project", paths, span };
  const args = { what: "A projection", inside: "at least one column, as in [id]" };
  p.report(diagnose(textMessages.emptyList, span, args));
  return { kind: "Bad", span };
}

function parseDotStep(p: ParserState): Step {
  const { start } = p.peek("name");
  p.takeIf(".");
  joinNextLine(p, ".limit(5)");
  const token = p.peek("dot");
  if (token.type !== "name") {
    failHere(p, { what: "a relation, a method or an operator", example: "Boat.limit(5)" });
    return { kind: "Bad", span: p.spanFrom(start) };
  }
  const next = p.text[p.skip(token.end, false)];
  if (next === "(" && OPERATORS.includes(token.text)) return parseOperator(p, token, start);
  const name = takeName(p, token);
  if (p.at("(")) return { kind: "Call", name, args: parseArgs(p), span: p.spanFrom(start) };
  if (!p.at("{")) return { kind: "Nav", name, span: p.spanFrom(start) };
  const pred = parsePreds(p);
  const span = p.spanFrom(start);
  return token.text === "filter"
    ? { kind: "Filter", pred, span }
    : { kind: "Nav", name, pred, span };
}

function parseOperator(p: ParserState, token: NameToken, start: number): Step {
  p.take(token);
  switch (token.text) {
    case "limit":
      return { kind: "Limit", n: parseCountArgs(p, countForm("limit")), span: p.spanFrom(start) };
    case "page_size":
      return {
        kind: "PageSize",
        n: parseCountArgs(p, countForm("page_size")),
        span: p.spanFrom(start),
      };
    case "singleton":
      if (parsePaths(p, "(").length > 0) failHereWithArgs(p, token);
      return { kind: "Singleton", span: p.spanFrom(start) };
    case "sort": {
      const keys = parseSortKeys(p);
      if (keys.length === 0) failEmpty(p, { what: "a column", example: ".sort(length, desc)" });
      return { kind: "Sort", keys, span: p.spanFrom(start) };
    }
    case "aggregate":
      return { kind: "Aggregate", aggs: parseAggregates(p), span: p.spanFrom(start) };
    case "group_by":
      return { kind: "GroupBy", ...parseGroupBy(p), span: p.spanFrom(start) };
    case "distinct":
      return { kind: "Distinct", paths: parsePaths(p, "("), span: p.spanFrom(start) };
    default: {
      const where = p.span(token.start, token.end);
      p.fail(diagnose(syntaxMessages.filterParens, where, {}, filterEdits(p)));
      return { kind: "Bad", span: p.spanFrom(start) };
    }
  }
}

function countForm(name: string): CountForm {
  return { where: `.${name}(…)`, max: MAX_COUNT, example: `.${name}(5)` };
}

function failHereWithArgs(p: ParserState, token: NameToken): void {
  const args = {
    found: p.text.slice(token.end, Math.min(p.lastEnd, token.end + 40)),
    expected: "() with nothing inside",
    example: ".singleton()",
  };
  p.fail(diagnose(syntaxMessages.expected, p.span(token.end, p.lastEnd), args));
}

/** `.filter(…)` with braces in place of its parentheses. */
function filterEdits(
  p: ParserState,
): { span: { start: number; end: number }; replacement: string }[] {
  const open = p.skip(p.lastEnd, false);
  const close = p.outline().closerOf.get(open);
  if (close === undefined) return [];
  return [
    { span: { start: open, end: open + 1 }, replacement: "{" },
    { span: { start: close, end: close + 1 }, replacement: "}" },
  ];
}
