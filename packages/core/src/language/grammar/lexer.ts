import {
  type BadHeredocToken,
  type HeredocLines,
  type HeredocToken,
  scanHeredoc,
  scanString,
  type StringProblem,
} from "./strings.ts";
import { textAt } from "./limits.ts";
import { runKind, type RunKind } from "../recovery/value-run.ts";
import { pointLength } from "./characters.ts";

interface At {
  readonly start: number;
  readonly end: number;
}

/** A NAME; only behind a `.` with inner hyphens (LANG-006). */
export interface NameToken extends At {
  readonly type: "name";
  readonly text: string;
}

/** Digits at a name position: a list index in a path. */
export interface DigitsToken extends At {
  readonly type: "digits";
  readonly text: string;
}

/** The longest run of value characters at a value position (LANG-007). */
export interface RunToken extends At {
  readonly type: "run";
  readonly raw: string;
  readonly kind: RunKind;
}

export interface StringToken extends At {
  readonly type: "string";
  readonly value: string;
  readonly closed: boolean;
  readonly problems: readonly StringProblem[];
}

/** `$` */
export interface DollarToken extends At {
  readonly type: "dollar";
}

/** A bracket, operator or other sign of one to three characters. */
interface SignToken extends At {
  readonly type: "sign";
  readonly text: string;
}

/** The end of a statement: `start` is the line end, `end` where the next line's text begins. */
interface NewlineToken extends At {
  readonly type: "newline";
}

/** The end of the program, or of what is read of a statement that is in error. */
interface EndToken extends At {
  readonly type: "end";
}

/** A character outside the grammar. */
interface StrangeToken extends At {
  readonly type: "strange";
}

export type Token =
  | NameToken
  | DigitsToken
  | RunToken
  | StringToken
  | HeredocToken
  | BadHeredocToken
  | DollarToken
  | SignToken
  | NewlineToken
  | EndToken
  | StrangeToken;

/**
 * What may stand at a position, on which its tokens depend (LANG-007): a name, a name directly behind
 * a dot, a value, or what follows `LABEL =`.
 */
export type TokenMode = "name" | "dot" | "value" | "binding";

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
