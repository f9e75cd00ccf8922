import { diagnose } from "../diagnostics/messages.ts";
import { syntaxMessages } from "../diagnostics/syntax-messages.ts";
import type { Name, Path } from "./ast-names.ts";
import type { Agg, AggFunction } from "./ast-steps.ts";
import { bracketed, enter, leave } from "./brackets.ts";
import type { Expectation } from "./failures.ts";
import { failHere, failIfUnclosed, found } from "./failures.ts";
import { parsePath, takeName } from "./parse-names.ts";
import type { ParserState } from "./parser-state.ts";
import type { NameToken, Token } from "./token.ts";

const AN_AGGREGATE: Expectation = {
  what: "an aggregate: count, count(x), sum(x), avg(x), min(x) or max(x)",
  example: ".aggregate(n=count, total=sum(length))",
};
const A_KEY: Expectation = {
  what: "a column or an aggregate",
  example: ".group_by(owner, n=count)",
};

/** Reads the aggregates of `aggregate(…)`, at least one. */
export function parseAggregates(p: ParserState): readonly Agg[] {
  const aggs = bracketed(
    p,
    "(",
    () => parseAgg(p),
    () => failAfter(p, ".aggregate(n=count)"),
  );
  if (aggs.length === 0) failEmpty(p, AN_AGGREGATE);
  return aggs;
}

/** Reads the columns and aggregates of `group_by(…)`, a column first (LANG-014). */
export function parseGroupBy(p: ParserState): {
  readonly paths: readonly Path[];
  readonly aggs: readonly Agg[];
} {
  const paths: Path[] = [];
  const aggs: Agg[] = [];
  bracketed(
    p,
    "(",
    () => {
      const token = p.peek("name");
      if (!isAgg(p, token, paths.length > 0)) paths.push(parsePath(p, A_KEY));
      else if (paths.length > 0) aggs.push(parseAgg(p));
      else p.fail(diagnose(syntaxMessages.groupFirst, p.span(token.start, token.end), {}));
    },
    () => failAfter(p, ".group_by(owner, n=count)"),
  );
  if (paths.length === 0) failEmpty(p, A_KEY);
  return { paths, aggs };
}

/** An operator that needs something inside its parentheses has nothing there. */
export function failEmpty(p: ParserState, expected: Expectation): void {
  const span = p.span(p.lastEnd - 1, p.lastEnd);
  const args = { found: ")", expected: expected.what, example: expected.example };
  p.fail(diagnose(syntaxMessages.expected, span, args));
}

function isAgg(p: ParserState, token: Token, later: boolean): boolean {
  if (token.type !== "name") return false;
  const next = p.text[p.skip(token.end, true)];
  if (next === "=" || next === "(") return true;
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
    p.fail(diagnose(syntaxMessages.foreignOperator, span, args, [{ span, replacement: "=" }]));
  }
  return name;
}

function functionOf(token: NameToken): AggFunction | undefined {
  return (["count", "sum", "avg", "min", "max"] as const).find((fn) => fn === token.text);
}

function parseAggPath(p: ParserState, fn: AggFunction): Path | null {
  if (!p.at("(")) {
    if (fn !== "count")
      failHere(p, { what: "the column in parentheses", example: `${fn}(length)` });
    return null;
  }
  enter(p, "(");
  if (fn === "count" && p.takeIf(")")) {
    p.open.pop();
    return null;
  }
  failStar(p);
  const path = parsePath(p, { what: "a column", example: `${fn}(length)` });
  leave(p, "(");
  return path;
}

/** `count(*)` is `count`. */
function failStar(p: ParserState): void {
  const star = /^\*\s*\)/.exec(p.text.slice(p.skip(p.pos, true)).slice(0, 40))?.[0];
  const open = p.open.at(-1);
  if (star === undefined || open === undefined) return;
  const at = p.skip(p.pos, true);
  const edits = [{ span: { start: open.start, end: at + star.length }, replacement: "" }];
  const args = { found: "*", form: "count" };
  p.fail(diagnose(syntaxMessages.foreignOperator, p.span(at, at + 1), args, edits));
}

function failFunction(p: ParserState, token: Token): void {
  if (token.type !== "name") return failHere(p, AN_AGGREGATE);
  const args = { found: found(p, token) };
  p.fail(diagnose(syntaxMessages.unknownFunction, p.span(token.start, token.end), args));
}

function failAfter(p: ParserState, example: string): void {
  failIfUnclosed(p);
  const token = p.peek("name");
  if (token.type === "name" && token.text === "as") {
    const span = p.span(token.start, token.end);
    return p.fail(diagnose(syntaxMessages.aggregateName, span, { form: example }));
  }
  failHere(p, { what: ", or )", example });
}
