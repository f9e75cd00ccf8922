import type { TextRange } from "../../source/span.ts";
import type { ReportProblem } from "../template-problem.ts";
import { skipWhiteSpace } from "../white-space.ts";
import { readTextLiteral } from "./text-literal.ts";
import type { TagSegment, Token } from "./token.ts";

const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
/** What looks like a number but is none: `1_000`, `0x1f`, `12abc`. */
const NUMBER_LIKE = /[A-Za-z0-9_]+/y;
const SIGN = /\*\*|\/\/|==|!=|<=|>=|[-+*/%~<>=.,:|()[\]{}]/y;

const OPENER = /^\{[{%#]$/;

/** A tag, and whether it takes away the white space behind it. */
interface ReadTag {
  readonly tag: TagSegment;
  readonly trimsAfter: boolean;
}

/** Reads a tag from its `{{` or `{%` on. Offset `body` is where its content begins. */
export function readTag(
  template: string,
  start: number,
  body: number,
  sink: ReportProblem,
): ReadTag {
  const kind = template.startsWith("{{", start) ? "output" : "statement";
  const close = kind === "output" ? "}}" : "%}";
  const tokens: Token[] = [];
  let faulty = false;
  const report: ReportProblem = (at, message) => {
    if (!faulty) sink(at, message);
    faulty = true;
  };
  const finish = (end: TextRange, trimsAfter: boolean): ReadTag => {
    tokens.push({ kind: "end", text: close, ...end });
    return { tag: { kind, start, end: end.end, tokens, faulty }, trimsAfter };
  };
  let at = body;
  for (;;) {
    at = skipWhiteSpace(template, at);
    if (template.startsWith(close, at)) return finish({ start: at, end: at + 2 }, false);
    const sign = template.charAt(at);
    if ((sign === "-" || sign === "+") && template.startsWith(close, at + 1)) {
      return finish({ start: at, end: at + 3 }, sign === "-");
    }
    if (sign === "" || OPENER.test(template.slice(at, at + 2))) {
      const opener = template.slice(start, start + 2);
      report({ start, end: start + 2 }, `This ${opener} is not closed. Close it with ${close}.`);
      return finish({ start: at, end: at }, false);
    }
    const token = readToken(template, at, report);
    tokens.push(token);
    at = token.end;
  }
}

function readToken(template: string, start: number, report: ReportProblem): Token {
  const taken = (pattern: RegExp): string => {
    pattern.lastIndex = start;
    return pattern.exec(template)?.[0] ?? "";
  };
  const word = taken(WORD);
  if (word !== "") return { kind: "word", text: word, start, end: start + word.length };
  const first = template.charAt(start);
  if (first === '"' || first === "'") return readTextLiteral(template, start, report);
  const number = taken(NUMBER);
  if (number !== "") return readNumber(template, start, number, report);
  const sign = taken(SIGN);
  if (sign !== "") return { kind: "sign", text: sign, start, end: start + sign.length };
  const character = String.fromCodePoint(template.codePointAt(start) ?? 0);
  const end = start + character.length;
  report(
    { start, end },
    `Found ${character}. Allowed in a tag: names, "texts", numbers, lists in [ ], and + - * / // % ~ == != < <= > >= | . ( ).`,
  );
  return { kind: "sign", text: character, start, end };
}

function readNumber(template: string, start: number, text: string, report: ReportProblem): Token {
  NUMBER_LIKE.lastIndex = start + text.length;
  const rest = NUMBER_LIKE.exec(template)?.[0] ?? "";
  const end = start + text.length + rest.length;
  if (rest !== "" || /^0[0-9]/.test(text)) {
    report(
      { start, end },
      `Found the number ${text}${rest}. Allowed: digits without leading zeros, with . and e as in 12, 1.5 or 2e3.`,
    );
  }
  const kind = /^[0-9]+$/.test(text) ? "integer" : "float";
  return { kind, text, start, end };
}
