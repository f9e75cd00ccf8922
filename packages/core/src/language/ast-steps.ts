import type { Span } from "../source/span.ts";
import type { Bad, Name, Path } from "./ast-names.ts";
import type { And } from "./ast-predicates.ts";
import type { Arg, NumberValue, PlaceholderValue } from "./ast-values.ts";

/** `.filter{…}` */
export interface Filter {
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

export interface Limit {
  readonly kind: "Limit";
  readonly n: Count;
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
  readonly path: Path;
  readonly desc: boolean;
  readonly span: Span;
}

export interface Sort {
  readonly kind: "Sort";
  readonly keys: readonly SortKey[];
  readonly span: Span;
}

export type AggFunction = "count" | "sum" | "avg" | "min" | "max";

/** `name=fn(path)`; only `count` may lack a path. */
export interface Agg {
  readonly name?: Name;
  readonly fn: AggFunction;
  readonly path?: Path;
  readonly span: Span;
}

export interface Aggregate {
  readonly kind: "Aggregate";
  readonly aggs: readonly Agg[];
  readonly span: Span;
}

export interface GroupBy {
  readonly kind: "GroupBy";
  readonly paths: readonly Path[];
  readonly aggs: readonly Agg[];
  readonly span: Span;
}

export interface Distinct {
  readonly kind: "Distinct";
  readonly paths: readonly Path[];
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
  | Project
  | Bad;
