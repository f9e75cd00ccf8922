import type { Span } from "../source/span.ts";
import type { Bad, Path } from "./ast-names.ts";
import type { ListValue, PlaceholderValue, Value, WordValue } from "./ast-values.ts";

/** What stands in a condition's braces, or in `all{…}`; braces without conditions have no items. */
export interface And {
  readonly kind: "And";
  readonly items: readonly Pred[];
  readonly span: Span;
}

/** `any{…}` */
export interface Or {
  readonly kind: "Or";
  readonly items: readonly Pred[];
  readonly span: Span;
}

/** `not{p, q}`: not (p and q). */
export interface Not {
  readonly kind: "Not";
  readonly pred: And;
  readonly span: Span;
}

/** `exists(path)` */
export interface Exists {
  readonly kind: "Exists";
  readonly path: Path;
  readonly span: Span;
}

export type CompareOp = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~";

export interface Compare {
  readonly kind: "Compare";
  readonly path: Path;
  readonly op: CompareOp;
  readonly value: Value;
  readonly span: Span;
}

/** `path in [..]` or `path in label.column`: exactly one of `list` and `word`. */
export interface In {
  readonly kind: "In";
  readonly path: Path;
  readonly list?: ListValue;
  readonly word?: WordValue | PlaceholderValue | Bad;
  readonly span: Span;
}

export type Pred = And | Or | Not | Exists | Compare | In | Bad;
