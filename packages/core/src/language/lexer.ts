import type { HeredocLines } from "./heredoc-lines.ts";
import { scanHeredoc } from "./heredoc.ts";
import { textAt } from "./scan.ts";
import { scanString } from "./string-literal.ts";
import type { Token, TokenMode } from "./token.ts";
import { runKind } from "./value-run.ts";
import { pointLength } from "./characters.ts";

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NAME_AFTER_DOT = /[A-Za-z_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?/y;
const DIGITS = /[0-9]+/y;
const RUN = /[A-Za-z0-9_.:@/+-]+/y;
/** Longest first; `==`, `&&` and the like are read as one sign to be named in errors. */
const SIGN = /===|!==|=>|==|!=|>=|<=|<>|&&|\|\||[()[\]{},=<>~.:@/+!&|-]/y;

/**
 * Reads the one token at an offset that is no blank, no comment and no line end, as `mode` says.
 * Mistakes inside a token are part of it; the caller reports them.
 */
export function readToken(
  text: string,
  at: number,
  mode: TokenMode,
  heredocLines: () => HeredocLines,
): Token {
  const char = text[at];
  if (char === undefined) return { type: "end", start: at, end: at };
  if (char === '"' || char === "'") {
    const { end, ...string } = scanString(text, at);
    return { type: "string", start: at, end, ...string };
  }
  if (char === "<" && text[at + 1] === "<") return scanHeredoc(text, at, heredocLines());
  if (char === "$") return { type: "dollar", start: at, end: at + 1 };
  return readWord(text, at, mode) ?? readSign(text, at);
}

function readWord(text: string, at: number, mode: TokenMode): Token | null {
  if (mode === "value" || mode === "binding") {
    const raw = textAt(RUN, text, at);
    if (raw === undefined) return null;
    const kind = runKind(raw);
    const asName = mode === "binding" && kind !== "uuid" && /^[A-Za-z_]/.test(raw);
    if (!asName) return { type: "run", start: at, end: at + raw.length, raw, kind };
  }
  const name = textAt(mode === "dot" ? NAME_AFTER_DOT : NAME, text, at);
  if (name !== undefined) return { type: "name", start: at, end: at + name.length, text: name };
  const digits = textAt(DIGITS, text, at);
  if (digits === undefined) return null;
  return { type: "digits", start: at, end: at + digits.length, text: digits };
}

function readSign(text: string, at: number): Token {
  const sign = textAt(SIGN, text, at);
  if (sign !== undefined) return { type: "sign", start: at, end: at + sign.length, text: sign };
  return { type: "strange", start: at, end: at + pointLength(text, at) };
}
