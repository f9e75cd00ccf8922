import type { EntityKey } from "../catalog/federation.ts";
import type { AggFunction } from "../language/grammar/ast.ts";
import type { Capability } from "../model/model.ts";
import type { Span } from "../base/span.ts";
import type { PairedAs } from "../values/pair-key.ts";
import type { Json, ValueType } from "../values/value-type.ts";
import type { RelationReading } from "./relations/relation-reading.ts";
import type { ColumnType, RowType } from "./types.ts";

/** A value with names bound and its type checked (LANG-040 to LANG-047). */
export type TypedValue =
  /** a constant in wire form */
  | { readonly kind: "lit"; readonly value: Json }
  /** an exact decimal that no double holds (LANG-041) */
  | { readonly kind: "dec"; readonly text: string }
  /** a relative date (LANG-043) */
  | { readonly kind: "now"; readonly text: string }
  /** a cell, a column (`many`) or, with an empty path, the row of another node (LANG-044) */
  | {
      readonly kind: "hole";
      readonly rows: Rows;
      readonly path: readonly string[];
      readonly type: ColumnType;
      readonly many: boolean;
    }
  /** a cell of the row a `=>` is at, or with an empty path that row (LANG-071) */
  | { readonly kind: "cursor"; readonly path: readonly string[]; readonly type: ColumnType }
  /** a cell of the row that a step is at: of a condition, a key or an aggregate (LANG-048) */
  | { readonly kind: "cell"; readonly path: readonly string[]; readonly type: ColumnType }
  | TotalValue
  /** what an operation makes of values; `on` is the word of the type it compares, or the format of a date */
  | {
      readonly kind: "computed";
      readonly operation: string;
      readonly args: readonly TypedValue[];
      readonly on: string | null;
      readonly type: ColumnType;
    }
  /** a reference to a row, with holes in its key */
  | { readonly kind: "ref"; readonly entity: EntityKey; readonly key: TypedKey }
  | { readonly kind: "list"; readonly items: readonly TypedValue[] }
  | { readonly kind: "object"; readonly entries: ReadonlyMap<string, TypedValue> }
  /** `$`, reported as `placeholder`: it fits every slot (LANG-047) */
  | { readonly kind: "placeholder" };

/** What related rows come to: `exists` is true where there is one. */
export type TotalFunction = AggFunction | "exists";

/** Rows that a relation to many leads to from each row, of which a value asks what they come to (LANG-055). */
export interface Related {
  readonly owner: EntityKey;
  readonly target: EntityKey;
  readonly relation: string;
  readonly reading: RelationReading;
  readonly pred: TypedPred | null;
  /** the conditions as written: where they are the same, so are the rows */
  readonly text: string;
  readonly nameSpan: Span;
}

/** What the rows related to a row come to: of the row a `=>` is at, or of the row that a step is at. */
export interface TotalValue {
  readonly kind: "total";
  readonly at: "cursor" | "cell";
  readonly related: Related;
  readonly fn: TotalFunction;
  /** the column of the related rows; null for the rows themselves */
  readonly path: readonly string[] | null;
  readonly type: ColumnType;
}

/** Key parts in the entity's order. */
export type TypedKey = ReadonlyMap<string, TypedValue>;
/** Arguments by slot name. */
export type TypedArgs = ReadonlyMap<string, TypedValue>;

export type ConditionOp = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~" | "in";

/**
 * One comparison. It can be sent to the capabilities in `sendable` and be tested on a row if `tested`
 * is given; which of both happens is decided with the capability (RUN-110 to RUN-112).
 */
export interface TypedCondition {
  readonly kind: "condition";
  readonly path: readonly string[];
  readonly op: ConditionOp;
  /** the column's type, or null if rows have no such column, or only identities are compared */
  readonly column: ValueType | null;
  /** the value by the column's type, or null if rows have no such column */
  readonly tested: TypedValue | null;
  /** the value by the parameter's type, by capability name */
  readonly sendable: ReadonlyMap<string, Sendable>;
  readonly span: Span;
  readonly nameSpan: Span;
}

/**
 * `one`: an equality, or `in` on a list parameter. `each`: `in` on a required parameter that takes
 * one value, which costs a request per distinct value (RUN-111).
 */
export interface Sendable {
  readonly by: "one" | "each";
  readonly value: TypedValue;
  /** whether it is tested on the rows as well, since APIs differ in what they make of it */
  readonly rechecked: boolean;
}

/** A condition tree; `and` and `or` are never empty but for the empty top. */
export type TypedPred =
  | { readonly kind: "and" | "or"; readonly items: readonly TypedPred[] }
  | { readonly kind: "not"; readonly pred: TypedPred }
  /** `column` is the type of what exists: an empty list does not */
  | { readonly kind: "exists"; readonly path: readonly string[]; readonly column: ValueType }
  /** true or false, computed */
  | { readonly kind: "test"; readonly value: TypedValue; readonly span: Span }
  /** in error, reported */
  | { readonly kind: "bad" }
  | TypedCondition;

interface RowsBase {
  /** number of effects written before the node (PLAN-004) */
  readonly stage: number;
  /** the source or step that made the node */
  readonly span: Span;
  readonly type: RowType;
}

/** A list read; which capability serves it is open until its conditions are known (LANG-026). */
export interface ListRows extends RowsBase {
  readonly kind: "list";
  readonly entity: EntityKey;
  readonly search: TypedValue | null;
  /** the capability called by label, with its arguments */
  readonly by: Capability | null;
  readonly args: TypedArgs;
  /** the name as written, where errors of the choice point */
  readonly nameSpan: Span;
}

/** One row by its key. */
export interface GetRows extends RowsBase {
  readonly kind: "get";
  readonly entity: EntityKey;
  readonly key: TypedKey;
  /** the get called by label; null: chosen by RUN-042 */
  readonly by: Capability | null;
  readonly args: TypedArgs;
  readonly nameSpan: Span;
}

/** A condition on fields of one referenced entity, as one on that entity's rows (RUN-114). */
export interface ForeignCondition {
  /** the condition as the filter has it */
  readonly pred: TypedPred;
  /** the reference */
  readonly name: string;
  readonly target: EntityKey;
  readonly rebased: TypedPred;
}

export interface FilterRows extends RowsBase {
  readonly kind: "filter";
  readonly source: Rows;
  readonly pred: TypedPred;
  /** whether a join for a condition stands below it, with nothing but filters between */
  readonly overJoin: boolean;
  /** those of its conditions that a list of another entity might take */
  readonly foreign?: readonly ForeignCondition[];
}

export interface LimitRows extends RowsBase {
  readonly kind: "limit";
  readonly source: Rows;
  readonly n: number;
}

/** Not a node of the plan: how many rows a returned node shows (LANG-061). */
export interface PageSizeRows extends RowsBase {
  readonly kind: "page_size";
  readonly source: Rows;
  readonly n: number;
}

/** What a step reads of each row: a column by its path, or a value computed from columns. */
export type TypedColumn = readonly string[] | TypedValue;

export interface SortRows extends RowsBase {
  readonly kind: "sort";
  readonly source: Rows;
  readonly keys: readonly { readonly path: TypedColumn; readonly desc: boolean }[];
}

export interface ProjectRows extends RowsBase {
  readonly kind: "project";
  readonly source: Rows;
  readonly paths: readonly (readonly string[])[];
}

/** Exactly one row, else the run fails (LANG-068). */
export interface SingletonRows extends RowsBase {
  readonly kind: "singleton";
  readonly source: Rows;
}

/** The first rows of each combination of columns, of all columns if none is named: one, or as many as `keep` says. */
export interface DistinctRows extends RowsBase {
  readonly kind: "distinct";
  readonly keep: number;
  readonly source: Rows;
  readonly paths: readonly TypedColumn[];
}

/** `as=fn(path)`; only `count` has no path (LANG-066). */
export interface TypedAgg {
  readonly as: string;
  readonly fn: AggFunction;
  readonly path: TypedColumn | null;
}

/** A key of a group: a column, under its own name, or a computed value under a name. */
export type TypedKeyColumn =
  | readonly string[]
  | { readonly as: string; readonly value: TypedValue };

/** One row of aggregates. */
export interface AggregateRows extends RowsBase {
  readonly kind: "aggregate";
  readonly source: Rows;
  readonly aggs: readonly TypedAgg[];
}

/** One row per combination of keys, with aggregates of its rows. */
export interface GroupByRows extends RowsBase {
  readonly kind: "group_by";
  readonly source: Rows;
  readonly keys: readonly TypedKeyColumn[];
  readonly aggs: readonly TypedAgg[];
}

/** `rows => {…}`: one new row per row. */
export interface DeriveRows extends RowsBase {
  readonly kind: "derive";
  readonly source: Rows;
  readonly columns: readonly (readonly [name: string, value: TypedValue])[];
}

/** `rows => body`: a read or an effect per row, its rows concatenated (LANG-071). */
export interface ForEachRows extends RowsBase {
  readonly kind: "for_each";
  readonly source: Rows;
  /** its values may be cells of the row; a read with no steps but filters, or an effect */
  readonly body: Rows;
}

/** A create, update, delete or action: a barrier between reads (LANG-070, LANG-073). */
export interface EffectRows extends RowsBase {
  readonly kind: "effect";
  readonly entity: EntityKey;
  readonly capability: Capability;
  /** the row it is called on; null: the entity itself */
  readonly target: TypedKey | null;
  readonly args: TypedArgs;
  /** required parameters that the row it is called on carries, and nobody wrote (RUN-044) */
  readonly carried: readonly string[];
  readonly nameSpan: Span;
}

/**
 * Fetches the row a to-one step leads to, so that paths may read its fields (LANG-064), or what the rows of a relation
 * to many come to.
 */
export interface JoinRows extends RowsBase {
  readonly kind: "join";
  readonly source: Rows;
  readonly path: readonly string[];
  readonly target: EntityKey;
  readonly reading: RelationReading;
  /** of a relation to many: all that is asked of its rows, which are the same rows for each */
  readonly totals?: readonly TotalValue[];
}

/** What each side of a pair reads of its rows, and what both are compared as (LANG-091). */
export interface TypedPair {
  readonly left: TypedColumn;
  readonly right: TypedColumn;
  readonly on: PairedAs;
}

/** `.join(rows, left=right)`: the rows of two sides whose columns are equal, side by side (LANG-090). */
export interface PairRows extends RowsBase {
  readonly kind: "pair";
  readonly source: Rows;
  readonly right: Rows;
  /** what the columns of the right side are called by, before a dot */
  readonly as: string;
  /** whether rows of the left side stay that meet none */
  readonly keepsLeft: boolean;
  readonly pairs: readonly TypedPair[];
}

/** A trailing heredoc: one row of text from all rows of its source and of labels (LANG-080). */
export interface RenderRows extends RowsBase {
  readonly kind: "render";
  readonly source: Rows;
  /** the template with wire names */
  readonly text: string;
  /** the rows of the labels it names, in the order of the text */
  readonly uses: ReadonlyMap<string, Rows>;
}

/** `label = literal` (LANG-046). */
export interface DataRows extends RowsBase {
  readonly kind: "data";
  readonly value: TypedValue;
}

/** Follows a relation or an entity_ref field from rows with identity (LANG-069). */
export interface RelationRows extends RowsBase {
  readonly kind: "relation";
  readonly source: Rows;
  readonly owner: EntityKey;
  readonly target: EntityKey;
  readonly relation: string;
  readonly reading: RelationReading;
  readonly nameSpan: Span;
}

/** One step of a program; the graph of these is what a program means. */
export type Rows =
  | ListRows
  | GetRows
  | FilterRows
  | LimitRows
  | PageSizeRows
  | SortRows
  | ProjectRows
  | SingletonRows
  | DistinctRows
  | AggregateRows
  | GroupByRows
  | RenderRows
  | DeriveRows
  | ForEachRows
  | EffectRows
  | DataRows
  | JoinRows
  | PairRows
  | RelationRows;

export interface TypedBinding {
  readonly label: string;
  readonly rows: Rows;
}

export interface TypedRoot {
  readonly rows: Rows;
  /** the label it was written by, or null */
  readonly label: string | null;
}

/**
 * What the check may note: a word that looks like a reference (LANG-022), text that looks like a template
 * (LANG-047), conditions that contend (LANG-051).
 */
export type NoteCode = "text_not_binding" | "looks_like_template" | "contradiction" | "always_true";

/** Something the reader of a plan should know, though the program is right (PLAN-021). */
export interface ProgramNote {
  readonly code: NoteCode;
  readonly severity: "review" | "info";
  readonly detail: string;
}

/** A program whose names are bound and whose types fit. */
export interface TypedProgram {
  readonly bindings: readonly TypedBinding[];
  readonly roots: readonly TypedRoot[];
  /** effects and `=>` with one, in source order: they run whether returned or not (LANG-072) */
  readonly effects: readonly Rows[];
  readonly notes: readonly ProgramNote[];
}
