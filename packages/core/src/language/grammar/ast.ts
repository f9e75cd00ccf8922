import type { Span } from "../../base/span.ts";
import type {
  And,
  Arg,
  Bad,
  Name,
  NumberValue,
  ObjectValue,
  Path,
  PlaceholderValue,
  SearchText,
  StringValue,
  Value,
  WordValue,
} from "./ast-values.ts";

/** What a step reads of each row: a column, or a value computed from columns (LANG-048). */
export type ColumnSource = Path | Value;

/** `.filter{…}` */
interface Filter {
  readonly kind: "Filter";
  readonly pred: And;
  readonly span: Span;
}

/** `.name` or `.name{…}` */
export interface Nav {
  readonly kind: "Nav";
  readonly name: Name;
  readonly pred?: And;
  readonly span: Span;
}

/** `.name(…)`, never one of the operators below. */
export interface Call {
  readonly kind: "Call";
  readonly name: Name;
  readonly args: readonly Arg[];
  readonly span: Span;
}

/** The count of `limit`, `page_size` and `page`: an integer in range, a placeholder, or in error (LANG-016). */
export type Count = NumberValue | PlaceholderValue | Bad;

/** `.limit(n)`, or `.limit(n, per=column)` for the first n of each group (LANG-061). */
export interface Limit {
  readonly kind: "Limit";
  readonly n: Count;
  readonly per?: ColumnSource;
  readonly span: Span;
}

export interface PageSize {
  readonly kind: "PageSize";
  readonly n: Count;
  readonly span: Span;
}

export interface Singleton {
  readonly kind: "Singleton";
  readonly span: Span;
}

/** A key of `sort`; the span covers its direction, too. */
export interface SortKey {
  readonly path: ColumnSource;
  readonly desc: boolean;
  readonly span: Span;
}

export interface Sort {
  readonly kind: "Sort";
  readonly keys: readonly SortKey[];
  readonly span: Span;
}

export type AggFunction = "count" | "sum" | "avg" | "min" | "max" | "first" | "last";

/** `name=fn(column)`; only `count` may lack one. */
export interface Agg {
  readonly name?: Name;
  readonly fn: AggFunction;
  readonly path?: ColumnSource;
  readonly span: Span;
}

export interface Aggregate {
  readonly kind: "Aggregate";
  readonly aggs: readonly Agg[];
  readonly span: Span;
}

/** A key of `group_by` with a name of its own, `name=value`. */
export interface NamedKey {
  readonly kind: "NamedKey";
  readonly name: Name;
  readonly path: ColumnSource;
  readonly span: Span;
}

export interface GroupBy {
  readonly kind: "GroupBy";
  readonly paths: readonly (ColumnSource | NamedKey)[];
  readonly aggs: readonly Agg[];
  readonly span: Span;
}

export interface Distinct {
  readonly kind: "Distinct";
  readonly paths: readonly ColumnSource[];
  readonly span: Span;
}

/** `left=right` of a join: a column or value of each side. */
export interface JoinPair {
  readonly kind: "JoinPair";
  readonly left: ColumnSource;
  readonly right: ColumnSource;
  readonly span: Span;
}

/** `.join(rows, left=right, …)`, or `.left_join(…)`, which keeps rows that meet none (LANG-090). */
export interface Join {
  readonly kind: "Join";
  readonly how: "join" | "left_join";
  readonly source: Source;
  readonly pairs: readonly JoinPair[];
  readonly span: Span;
}

/** `[path, …]` */
export interface Project {
  readonly kind: "Project";
  readonly paths: readonly Path[];
  readonly span: Span;
}

export type Step =
  | Filter
  | Nav
  | Call
  | Limit
  | PageSize
  | Singleton
  | Sort
  | Aggregate
  | GroupBy
  | Distinct
  | Join
  | Project
  | Bad;

/** A whole program. A tree may hold {@link Bad} only if errors were reported. */
export interface Program {
  readonly kind: "Program";
  readonly statements: readonly Statement[];
  readonly span: Span;
}

/** `label = node` */
export interface Binding {
  readonly kind: "Binding";
  readonly label: Name;
  readonly node: ProgramNode | Data;
  readonly span: Span;
}

/** The nodes of a line that binds nothing; each is a root (LANG-010). */
export interface Roots {
  readonly kind: "Roots";
  readonly nodes: readonly ProgramNode[];
  readonly span: Span;
}

export type ContinuationOp = "page" | "wait" | "cancel" | "undo";

/** `page(h, limit=n)`, `wait(h)`, `cancel(h)`, `undo(h, n, n)`; only `page` has a limit, only `undo` numbers (LANG-011). */
export interface Continuation {
  readonly kind: "Continuation";
  readonly op: ContinuationOp;
  readonly handle: WordValue | StringValue | PlaceholderValue | Bad;
  readonly limit?: Count;
  /** the numbers of effects, as they were done; left out where all are meant */
  readonly effects?: readonly NumberValue[];
  readonly span: Span;
}

export type Statement = Binding | Roots | Continuation | Bad;

/** What a statement computes: rows, or rows derived per row. */
export type ProgramNode = Chain | MapNode | Bad;

/** A source, the steps applied left to right, and possibly a template over the rows. */
export interface Chain {
  readonly kind: "Chain";
  readonly source: Source;
  readonly steps: readonly Step[];
  readonly template?: Template;
  readonly span: Span;
}

/** `chain => body`; a Chain as body has no template and at most one step, a Call (LANG-071). */
export interface MapNode {
  readonly kind: "Map";
  readonly chain: Chain;
  readonly body: ObjectValue | Chain | Bad;
  readonly span: Span;
}

/** `label = literal`; the value is no WordValue and no ConstructorValue. */
export interface Data {
  readonly kind: "Data";
  readonly value: Value;
  readonly span: Span;
}

/** `name` */
export interface NameSource {
  readonly kind: "NameSource";
  readonly name: Name;
  readonly span: Span;
}

/** `name(args)` */
export interface KeySource {
  readonly kind: "KeySource";
  readonly name: Name;
  readonly args: readonly Arg[];
  readonly span: Span;
}

/** `name{…}` */
export interface BraceSource {
  readonly kind: "BraceSource";
  readonly name: Name;
  readonly pred: And;
  readonly span: Span;
}

/** `name~text` or `name~text{…}` */
export interface SearchSource {
  readonly kind: "SearchSource";
  readonly name: Name;
  readonly text: SearchText;
  readonly pred?: And;
  readonly span: Span;
}

export type Source = NameSource | KeySource | BraceSource | SearchSource | Bad;

/**
 * A heredoc after a chain. The span reaches from `<<` to the end of the closing tag; `body` is as
 * LANG-008 says. `heredocOffsets` turns offsets of the body into those of the program (ERR-002).
 */
export interface Template {
  readonly kind: "Template";
  readonly tag: string;
  readonly body: string;
  readonly span: Span;
}
