import type { Span } from "../../base/span.ts";

/** What stands in a condition's braces, or in `all{…}`; braces without conditions have no items. */
export interface And {
  readonly kind: "And";
  readonly items: readonly Pred[];
  readonly span: Span;
}

/** `any{…}` */
interface Or {
  readonly kind: "Or";
  readonly items: readonly Pred[];
  readonly span: Span;
}

/** `not{p, q}`: not (p and q). */
interface Not {
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

/** A condition that is computed: `price * 2 > cost`, `starts_with(name, "A")` (LANG-048). */
export interface Test {
  readonly kind: "Test";
  readonly value: Value;
  readonly span: Span;
}

export type Pred = And | Or | Not | Exists | Compare | In | Test | Bad;

/**
 * A name at a name position: an entity head, label, slot, column, step or method (TEACH-9).
 * Directly after a `.` it may hold inner hyphens; inside a path it may be an integer (a list index).
 */
export interface Name {
  readonly kind: "Name";
  readonly text: string;
  /** a key of json in quotes behind a dot, which is no name: `options."screen size"` (LANG-053) */
  readonly quoted?: true;
  readonly span: Span;
}

/** Names joined by dots; never empty. */
export interface Path {
  readonly kind: "Path";
  readonly segments: readonly Name[];
  readonly span: Span;
}

/** A part of the program that is in error; the error has been reported (LANG section 3). */
export interface Bad {
  readonly kind: "Bad";
  readonly span: Span;
}

/** Quoted text, escapes already resolved. */
export interface StringValue {
  readonly kind: "StringValue";
  readonly text: string;
  readonly span: Span;
}

/**
 * Text of a heredoc. The span reaches from `<<` to the end of the closing tag; `text` is the body
 * (LANG-008). `heredocOffsets` turns offsets of the body into those of the program.
 */
export interface HeredocValue {
  readonly kind: "HeredocValue";
  readonly tag: string;
  readonly text: string;
  readonly span: Span;
}

/** A number as written: `007`, `1e5`, `-0` keep their spelling. */
export interface NumberValue {
  readonly kind: "NumberValue";
  readonly raw: string;
  readonly span: Span;
}

/** An existing date or date with time, as written. */
export interface DateValue {
  readonly kind: "DateValue";
  readonly raw: string;
  readonly span: Span;
}

/** A UUID, as written. */
export interface UuidValue {
  readonly kind: "UuidValue";
  readonly raw: string;
  readonly span: Span;
}

/** A bare word or relative date: text, option, reference or date, which the check decides (LANG-022). */
export interface WordValue {
  readonly kind: "WordValue";
  readonly raw: string;
  readonly span: Span;
}

export interface BoolValue {
  readonly kind: "BoolValue";
  readonly value: boolean;
  readonly span: Span;
}

export interface NullValue {
  readonly kind: "NullValue";
  readonly span: Span;
}

/** `$` or `..`, which the check reports as `placeholder` (LANG-047). */
export interface PlaceholderValue {
  readonly kind: "PlaceholderValue";
  readonly raw: "$" | "..";
  readonly span: Span;
}

/** `Name(args)` inside a value. */
export interface ConstructorValue {
  readonly kind: "ConstructorValue";
  readonly name: Name;
  readonly args: readonly Arg[];
  readonly span: Span;
}

export interface ListValue {
  readonly kind: "ListValue";
  readonly items: readonly Value[];
  readonly span: Span;
}

/** An entry of an object; a quoted key is a StringValue and opaque to symbols (TEACH-9). */
export interface ObjectEntry {
  readonly key: Name | StringValue;
  readonly value: Value;
  readonly span: Span;
}

export interface ObjectValue {
  readonly kind: "ObjectValue";
  readonly entries: readonly ObjectEntry[];
  readonly span: Span;
}

export interface Arg {
  readonly kind: "Arg";
  readonly name?: Name;
  readonly value: Value;
  readonly span: Span;
}

export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "~"
  | "in"
  | "and"
  | "or";

/** `a + b`, `a < b`, `a in list`, `a and b` (LANG-048). */
export interface BinaryValue {
  readonly kind: "BinaryValue";
  readonly op: BinaryOperator;
  readonly left: Value;
  readonly right: Value;
  readonly span: Span;
}

/** `-a`, `not a`; the operand of a `-` is no number without sign. */
export interface UnaryValue {
  readonly kind: "UnaryValue";
  readonly op: "-" | "not";
  readonly operand: Value;
  readonly span: Span;
}

/** `2d`: a length of time, which only stands beside an operator (LANG-043). */
export interface DurationValue {
  readonly kind: "DurationValue";
  readonly raw: string;
  readonly span: Span;
}

/** `a[1:3]`, `a[:3]`, `a[0]`: a part of text or of a list, or one element of it (LANG-048). */
export interface SliceValue {
  readonly kind: "SliceValue";
  readonly operand: Value;
  readonly from: number | null;
  readonly to: number | null;
  /** whether it is one element, the one at `from` */
  readonly single: boolean;
  readonly span: Span;
}

/** `_.options."screen size".unit`, `first(_.items).name`: what is behind a quoted key or a call. */
export interface MemberValue {
  readonly kind: "MemberValue";
  readonly operand: Value;
  readonly segments: readonly Name[];
  readonly span: Span;
}

/** `_.orders{state=open}.total`: what a function sums up of the related rows that meet conditions (LANG-055). */
export interface RelatedValue {
  readonly kind: "RelatedValue";
  readonly relation: WordValue;
  readonly pred: And;
  /** the column of the related rows; empty for the rows themselves */
  readonly column: readonly Name[];
  readonly span: Span;
}

/** Whatever may stand where a value may (LANG section 2, `value`). */
export type Value =
  | BinaryValue
  | UnaryValue
  | DurationValue
  | SliceValue
  | MemberValue
  | RelatedValue
  | StringValue
  | HeredocValue
  | NumberValue
  | DateValue
  | UuidValue
  | WordValue
  | BoolValue
  | NullValue
  | PlaceholderValue
  | ConstructorValue
  | ListValue
  | ObjectValue
  | Bad;

/** What may be searched for (LANG section 2, `text`). */
export type SearchText =
  | StringValue
  | HeredocValue
  | NumberValue
  | WordValue
  | PlaceholderValue
  | Bad;
