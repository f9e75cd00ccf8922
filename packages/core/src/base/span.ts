/**
 * A stretch of a text: UTF-16 code unit offsets, `end` exclusive.
 */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where something stands in a program (ERR-002): offsets as in {@link TextRange},
 * and the place of `start`, `line` and `column` counted from 1, `column` in code points.
 */
export interface Span extends TextRange {
  readonly line: number;
  readonly column: number;
}
