import { example } from "../diagnostics/examples.ts";
import { diagnose } from "../diagnostics/messages.ts";
import { syntaxMessages } from "../diagnostics/syntax-messages.ts";
import { textMessages } from "../diagnostics/text-messages.ts";
import type { Step } from "./ast-steps.ts";
import { enter, leave } from "./brackets.ts";
import { failFilterParens } from "./condition-calls.ts";
import { joinNextLine } from "./line-joins.ts";
import { failHere } from "./failures.ts";
import { MAX_COUNT } from "./limits.ts";
import { OPERATORS } from "./operators.ts";
import { failEmpty, parseAggregates, parseGroupBy } from "./parse-aggregates.ts";
import { parsePreds } from "./parse-conditions.ts";
import { takeName } from "./parse-names.ts";
import type { CountForm } from "./parse-operators.ts";
import { parseCountArgs, parsePaths, parseSortKeys } from "./parse-operators.ts";
import { parseArgs } from "./parse-values.ts";
import type { ParserState } from "./parser-state.ts";
import type { NameToken, StringToken } from "./token.ts";
import { isName } from "./value-run.ts";

/** Reads the steps that follow a source, as far as they go. */
export function parseSteps(p: ParserState): readonly Step[] {
  const steps: Step[] = [];
  while (p.at(".") || p.at("[")) steps.push(p.at("[") ? parseProject(p) : parseDotStep(p));
  return steps;
}

function parseProject(p: ParserState): Step {
  const { start } = p.peek("name");
  const paths = parsePaths(p, "[", "[‹p›, ‹path›]");
  const span = p.spanFrom(start);
  if (paths.length > 0 || p.dead) return { kind: "Project", paths, span };
  const args = { what: "A projection", inside: example("at least one column⟦, as in [‹p›]⟧") };
  p.report(diagnose(textMessages.emptyList, span, args));
  return { kind: "Bad", span };
}

function parseDotStep(p: ParserState): Step {
  const { start } = p.peek("name");
  p.takeIf(".");
  joinNextLine(p, ".limit(5)");
  const token = p.peek("dot");
  if (token.type !== "name") {
    if (token.type === "string" && token.closed) failQuotedStep(p, token);
    failHere(p, { what: "a relation, a method or an operator", example: "‹E›.limit(5)" });
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

/** `Boat."visits"`: names stand without quotes. */
function failQuotedStep(p: ParserState, token: StringToken): void {
  if (!isName(token.value)) return;
  const span = p.span(token.start, token.end);
  const edits = [{ span, replacement: token.value }];
  p.fail(diagnose(syntaxMessages.quotedName, span, { name: token.value }, edits));
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
      parseNothing(p, token.text);
      return { kind: "Singleton", span: p.spanFrom(start) };
    case "sort": {
      const keys = parseSortKeys(p);
      if (keys.length === 0) failEmpty(p, { what: "a column", example: ".sort(‹n›, desc)" });
      return { kind: "Sort", keys, span: p.spanFrom(start) };
    }
    case "aggregate":
      return { kind: "Aggregate", aggs: parseAggregates(p), span: p.spanFrom(start) };
    case "group_by":
      return { kind: "GroupBy", ...parseGroupBy(p), span: p.spanFrom(start) };
    case "distinct":
      return {
        kind: "Distinct",
        paths: parsePaths(p, "(", ".distinct(‹p›, ‹p2›)"),
        span: p.spanFrom(start),
      };
    default:
      failFilterParens(p, token);
      return { kind: "Bad", span: p.spanFrom(start) };
  }
}

function countForm(name: string): CountForm {
  return { where: `.${name}(…)`, max: MAX_COUNT, example: `.${name}(5)` };
}

/** Reads `()`, the bracket being next; whatever stands inside is in error. */
function parseNothing(p: ParserState, step: string): void {
  if (!enter(p, "(")) return;
  const token = p.peek("value");
  const closes = token.type === "sign" && /^[)\]}]$/.test(token.text);
  if (!closes && token.type !== "end" && token.type !== "bad-heredoc") {
    const end = p.outline().closerOf.get(p.open.at(-1)?.start ?? -1);
    if (end !== undefined) {
      const last = p.text.slice(token.start, end).trimEnd().length;
      const span = p.span(token.start, token.start + last);
      return p.fail(diagnose(syntaxMessages.noArguments, span, { step: `.${step}` }));
    }
  }
  leave(p, "(", `.${step}()`);
}
