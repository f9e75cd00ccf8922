import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { bracketed } from "../recovery/brackets.ts";
import { failForeignEquals, failUnknownFunction } from "../recovery/foreign-values.ts";
import {
  failForeignJoin,
  failJoinedSteps,
  isForeignItem,
  type JoinRef,
} from "../recovery/foreign-joins.ts";
import { type Expectation, failHere, failIfUnclosed } from "../recovery/failures.ts";
import type { ColumnSource, Join, JoinPair, Source } from "./ast.ts";
import { isFunction } from "./functions.ts";
import type { NameToken } from "./lexer.ts";
import { isComputedAt, LEVELS } from "./operators-ahead.ts";
import { parsePath } from "./parse-names.ts";
import { parseSource } from "./parse-source.ts";
import { parseValue } from "./parse-values.ts";
import type { ParserState } from "./parser-state.ts";

const EXAMPLE = ".join(rows, ‹p›=p)";
const ROWS: Expectation = { what: "the other rows: a label or a read", example: EXAMPLE };
const A_PAIR: Expectation = { what: "equal columns of both sides, left=right", example: EXAMPLE };

/** Reads `(rows, left=right, …)`, its name being taken (LANG-090). */
export function parseJoin(p: ParserState, name: NameToken, start: number): Join {
  let source: Source | null = null;
  const pairs: JoinPair[] = [];
  const open = p.skip(p.pos, false);
  const place = { name, open };
  bracketed(
    p,
    "(",
    () => {
      if (source === null) {
        source = parseSource(p, ROWS);
        failJoinedSteps(p, source.span.start);
      } else {
        if (isForeignItem(p)) failForeignJoin(p, place);
        pairs.push(parsePair(p, place));
      }
    },
    () => failAfterPair(p, place),
  );
  if (!p.dead && pairs.length === 0) failNoPair(p, open);
  const how = name.text === "join" ? "join" : "left_join";
  const span = p.spanFrom(start);
  return { kind: "Join", how, source: source ?? { kind: "Bad", span }, pairs, span };
}

function parsePair(p: ParserState, place: JoinRef): JoinPair {
  const { start } = p.peek("name");
  const left = parseSide(p);
  failForeignEquals(p);
  if (!p.dead && !p.takeIf("=")) failForeignJoin(p, place);
  if (p.dead) return { kind: "JoinPair", left, right: left, span: p.spanFrom(start) };
  const right = parseSide(p);
  return { kind: "JoinPair", left, right, span: p.spanFrom(start) };
}

function parseSide(p: ParserState): ColumnSource {
  const token = p.peek("name");
  const isCall =
    token.type === "name" && isFunction(token.text) && p.text[p.skip(token.end, true)] === "(";
  if (isCall || isComputedAt(p.text, token.start)) return parseValue(p, "columns", LEVELS.sum);
  if (token.type === "name") {
    failUnknownFunction(p, { text: token.text, span: p.span(token.start, token.end) });
  }
  return parsePath(p, A_PAIR);
}

function failAfterPair(p: ParserState, place: JoinRef): void {
  failIfUnclosed(p);
  if (!p.dead) failForeignJoin(p, place);
  if (!p.dead) failHere(p, { what: ", or )", example: EXAMPLE });
}

function failNoPair(p: ParserState, open: number): void {
  p.report(diagnose(syntaxMessages.joinWithoutPair, p.span(open, p.lastEnd), {}));
}
