import type { BadHeredocToken, HeredocToken } from "./heredoc.ts";
import type { StringProblem } from "./string-literal.ts";
import type { RunKind } from "./value-run.ts";

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
export interface SignToken extends At {
  readonly type: "sign";
  readonly text: string;
}

/** The end of a statement: `start` is the line end, `end` where the next line's text begins. */
export interface NewlineToken extends At {
  readonly type: "newline";
}

/** The end of the program, or of what is read of a statement that is in error. */
export interface EndToken extends At {
  readonly type: "end";
}

/** A character outside the grammar. */
export interface StrangeToken extends At {
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
