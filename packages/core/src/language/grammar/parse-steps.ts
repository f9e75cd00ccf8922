import { clip } from "../../base/text.ts";
import { example } from "../../diagnostics/examples.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { bracketed, enter, leave } from "../recovery/brackets.ts";
import { failFilterParens } from "../recovery/condition-calls.ts";
import { type Expectation, failHere, failIfUnclosed, found } from "../recovery/failures.ts";
import { failForeignJoinName } from "../recovery/foreign-joins.ts";
import { failUnknownFunction } from "../recovery/foreign-values.ts";
import { joinNextLine } from "../recovery/line-joins.ts";
import { isName } from "../recovery/value-run.ts";
import type { Name } from "./ast-values.ts";
import type { Agg, AggFunction, ColumnSource, GroupBy, Step } from "./ast.ts";
import { isFunction } from "./functions.ts";
import type { NameToken, StringToken, Token } from "./lexer.ts";
import { MAX_COUNT, matchAt, textAt } from "./limits.ts";
import { isComparedAt, isComputedAt } from "./operators-ahead.ts";
import { isOperatorAt } from "./operators.ts";
import { parsePreds } from "./parse-conditions.ts";
import { parseJoin } from "./parse-join.ts";
import { takeName } from "./parse-names.ts";
import {
  type CountForm,
  failAfterItem,
  parseColumn,
  parseColumns,
  parseCountArgs,
  parsePaths,
  parseSortKeys,
} from "./parse-operators.ts";
import { failForeignSort } from "../recovery/foreign-columns.ts";
import { parseArgs, parseValue } from "./parse-values.ts";
import type { ParserState } from "./parser-state.ts";

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
  if (next === "(" && isOperatorAt(p.text, token)) return parseOperator(p, token, start);
  if (next === "(") failForeignJoinName(p, token);
  if (next === "(") failForeignSort(p, token);
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
      return parseLimit(p, start);
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
        paths: parseColumns(p, ".distinct(‹p›, ‹p2›)"),
        span: p.spanFrom(start),
      };
    case "join":
    case "left_join":
      return parseJoin(p, token, start);
    default:
      failFilterParens(p, token);
      return { kind: "Bad", span: p.spanFrom(start) };
  }
}

const PER = /\(\s*[1-9]\d{0,5}\s*,\s*per\s*=/y;

function parseLimit(p: ParserState, start: number): Step {
  const open = p.skip(p.pos, false);
  if (!p.matches(PER, open)) {
    return { kind: "Limit", n: parseCountArgs(p, countForm("limit")), span: p.spanFrom(start) };
  }
  enter(p, "(");
  const token = p.peek("value");
  const raw = token.type === "run" ? token.raw : "1";
  p.take(token);
  const n = { kind: "NumberValue", raw, span: p.span(token.start, token.end) } as const;
  p.takeIf(",");
  p.take(p.peek("name"));
  p.takeIf("=");
  const example = ".limit(2, per=‹p›)";
  const per = parseColumn(p, { what: "a column", example }, true);
  leave(p, "(", example);
  return { kind: "Limit", n, per, span: p.spanFrom(start) };
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

const AN_AGGREGATE: Expectation = {
  what: "an aggregate: count, count(x), sum(x), avg(x), min(x), max(x), first(x) or last(x)",
  example: ".aggregate(n=count, total=sum(‹n›))",
};
const A_KEY: Expectation = {
  what: "a column or an aggregate",
  example: ".group_by(‹p›, n=count)",
};

/** Reads the aggregates of `aggregate(…)`, at least one. */
function parseAggregates(p: ParserState): readonly Agg[] {
  let item = p.pos;
  const aggs = bracketed(
    p,
    "(",
    () => {
      item = p.skip(p.pos, true);
      return parseAgg(p);
    },
    () => failAfter(p, item, ".aggregate(n=count)"),
  );
  if (aggs.length === 0) failEmpty(p, AN_AGGREGATE);
  return aggs;
}

/** Reads the columns and aggregates of `group_by(…)`, a column first (LANG-014). */
function parseGroupBy(p: ParserState): {
  readonly paths: GroupBy["paths"];
  readonly aggs: readonly Agg[];
} {
  const paths: GroupBy["paths"][number][] = [];
  const aggs: Agg[] = [];
  let item = p.pos;
  bracketed(
    p,
    "(",
    () => {
      item = p.skip(p.pos, true);
      const token = p.peek("name");
      if (!isAgg(p, token, paths.length > 0)) paths.push(parseGroupKey(p));
      else if (paths.length > 0) aggs.push(parseAgg(p));
      else failGroupFirst(p, token);
    },
    () => failAfter(p, item, ".group_by(‹p›, n=count)"),
  );
  if (paths.length === 0) failEmpty(p, A_KEY);
  return { paths, aggs };
}

/** An operator that needs something inside its parentheses has nothing there. */
function failEmpty(p: ParserState, expected: Expectation): void {
  const span = p.span(p.lastEnd - 1, p.lastEnd);
  const args = { found: ")", expected: expected.what, example: example(expected.example) };
  p.fail(diagnose(syntaxMessages.expected, span, args));
}

/** `month=month(placed)`: a name, and what is computed. */
const NAMED_KEY = /[A-Za-z_]\w*\s*=\s*/y;

/** Where the value of a key with a name begins; null where there is none, or an aggregate. */
function namedKey(p: ParserState, at: number): number | null {
  const start = at + (matchAt(NAMED_KEY, p.text, at)?.[0].length ?? 0);
  if (start === at) return null;
  const call = textAt(CALLED, p.text, start);
  if (call !== undefined) return isFunction(call) && !isAggregate(call) ? start : null;
  return isComputedAt(p.text, start) || isComparedAt(p.text, start) ? start : null;
}

const CALLED = /[A-Za-z_]\w*(?=\s*\()/y;

function parseGroupKey(p: ParserState): GroupBy["paths"][number] {
  const { start } = p.peek("name");
  if (namedKey(p, start) === null) return parseColumn(p, A_KEY);
  const token = p.peek("name");
  if (token.type !== "name") return parseColumn(p, A_KEY);
  const name = takeName(p, token);
  p.takeIf("=");
  const path = parseValue(p, "columns");
  return { kind: "NamedKey", name, path, span: p.spanFrom(start) };
}

function isAgg(p: ParserState, token: Token, later: boolean): boolean {
  if (token.type !== "name" || namedKey(p, token.start) !== null) return false;
  const next = p.text[p.skip(token.end, true)];
  if (next === "(") return isAggregate(token.text) || !isFunction(token.text);
  if (next === "=") return true;
  return later && token.text === "count" && (next === "," || next === ")");
}

function parseAgg(p: ParserState): Agg {
  const { start } = p.peek("name");
  const name = parseAggName(p);
  const token = p.peek("name");
  const fn = token.type === "name" ? functionOf(token) : undefined;
  if (token.type !== "name" || fn === undefined) {
    failFunction(p, token);
    return { fn: "count", span: p.spanFrom(start) };
  }
  p.take(token);
  const path = parseAggPath(p, fn);
  return {
    ...(name === null ? {} : { name }),
    fn,
    ...(path === null ? {} : { path }),
    span: p.spanFrom(start),
  };
}

function parseAggName(p: ParserState): Name | null {
  const token = p.peek("name");
  if (token.type !== "name" || p.text[p.skip(token.end, true)] !== "=") return null;
  const name = takeName(p, token);
  const sign = p.peek("name");
  if (!p.takeIf("=")) {
    const span = p.span(sign.start, sign.end);
    const args = { found: found(p, sign), form: `${name.text}=…` };
    p.fail(diagnose(syntaxMessages.aggregateSign, span, args, [{ span, replacement: "=" }]));
  }
  return name;
}

const AGGREGATES = ["count", "sum", "avg", "min", "max", "first", "last"] as const;

function functionOf(token: NameToken): AggFunction | undefined {
  return AGGREGATES.find((fn) => fn === token.text);
}

function isAggregate(name: string): boolean {
  return AGGREGATES.some((fn) => fn === name);
}

function parseAggPath(p: ParserState, fn: AggFunction): ColumnSource | null {
  if (!p.at("(")) {
    if (fn !== "count") failHere(p, { what: "the column in parentheses", example: `${fn}(‹n›)` });
    return null;
  }
  enter(p, "(");
  if (fn === "count" && p.takeIf(")")) {
    p.open.pop();
    return null;
  }
  failStar(p, fn);
  const path = parseColumn(p, { what: "a column", example: `${fn}(‹n›)` }, true);
  leave(p, "(", `${fn}(‹n›)`);
  return path;
}

/** `count(*)` is `count`; the others take a column. */
function failStar(p: ParserState, fn: AggFunction): void {
  const at = p.skip(p.pos, true);
  const star = matchAt(STAR, p.text, at)?.[0];
  const open = p.open.at(-1);
  if (star === undefined || open === undefined) return;
  const span = p.span(at, at + 1);
  if (fn !== "count") return p.fail(diagnose(syntaxMessages.starColumn, span, { fn }));
  const name = matchAt(STAR_AS, p.text, at);
  const start = p.text.lastIndexOf(fn, open.start);
  const named = /=\s*$/.test(p.text.slice(Math.max(0, start - 20), start));
  const edit =
    name === null || named
      ? { span: { start: open.start, end: at + star.length }, replacement: "" }
      : { span: { start, end: at + name[0].length }, replacement: `${name[1] ?? ""}=count` };
  p.fail(diagnose(syntaxMessages.starCounted, span, {}, [edit]));
}

const STAR_AS = /\*\s*\)\s*as\s+([A-Za-z_]\w*)/iy;
const STAR = /\*\s*\)/y;

function failFunction(p: ParserState, token: Token): void {
  if (token.type !== "name") return failHere(p, AN_AGGREGATE);
  const args = { found: found(p, token) };
  p.fail(diagnose(syntaxMessages.unknownFunction, p.span(token.start, token.end), args));
}

const ALIAS = /as\s+([A-Za-z_]\w*)/iy;

function failAfter(p: ParserState, item: number, example: string): void {
  failIfUnclosed(p);
  if (p.dead) return;
  const token = p.peek("name");
  const alias = token.type === "name" ? matchAt(ALIAS, p.text, token.start) : null;
  if (token.type !== "name" || alias === null || !/^as$/i.test(token.text)) {
    return failAfterItem(p, item, { what: ", or )", example });
  }
  const aggregate = p.text.slice(item, p.lastEnd);
  const form = `${alias[1] ?? ""}=${aggregate.replace(/^\w+\s*=\s*/, "")}`;
  const edits = [{ span: { start: item, end: token.start + alias[0].length }, replacement: form }];
  const span = p.span(token.start, token.end);
  const named = aggregate.includes("=");
  const args = { form: clip(form, 80) };
  p.fail(diagnose(syntaxMessages.aggregateName, span, args, named ? undefined : edits));
}

/** A group begins with a column, or with a function that there is. */
function failGroupFirst(p: ParserState, token: Token): void {
  const span = p.span(token.start, token.end);
  if (token.type === "name" && !isFunction(token.text)) {
    failUnknownFunction(p, { text: token.text, span });
  }
  if (!p.dead) p.fail(diagnose(syntaxMessages.groupFirst, span, {}));
}
