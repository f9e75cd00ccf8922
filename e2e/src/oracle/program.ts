import type { Cell, FieldType } from "./model.ts";

/** A column, a path of references behind it, or a path into its JSON. */
export type Path = readonly string[];

/** What is computed of one cell. */
export type CellFunction =
  | { readonly kind: "part"; readonly part: "year" | "month" | "week" | "weekday" | "day" }
  | { readonly kind: "start"; readonly unit: "day" | "week" | "month" | "quarter" | "year" }
  | { readonly kind: "moved"; readonly by: number; readonly unit: "h" | "d" | "w" | "mo" | "y" }
  | { readonly kind: "times" | "plus"; readonly by: number }
  | { readonly kind: "text"; readonly fn: "upper" | "lower" | "length" };

/** What stands as an argument, right of an operator, or in a row that is derived. */
export type Value =
  | {
      readonly kind: "literal";
      readonly type: FieldType;
      readonly target: string | null;
      readonly value: Cell;
    }
  /** a cell of a label that holds one row, or of the row that `=>` is at */
  | { readonly kind: "cell"; readonly of: string; readonly path: Path }
  /** a column of a label of many rows, right of `in` */
  | { readonly kind: "column"; readonly of: string; readonly path: Path }
  /** of a cell of the row that `=>` is at */
  | { readonly kind: "computed"; readonly fn: CellFunction; readonly path: Path }
  /** of the rows that a relation of the row that `=>` is at leads to; of a column of theirs, or of them all */
  | {
      readonly kind: "related";
      readonly fn: Aggregate["fn"];
      readonly relation: string;
      readonly column: string | null;
    };

export type Operator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~";

export type Condition =
  | { readonly kind: "compare"; readonly path: Path; readonly op: Operator; readonly value: Value }
  | {
      readonly kind: "computed";
      readonly fn: CellFunction;
      readonly path: Path;
      readonly op: Operator;
      readonly value: Value;
    }
  | { readonly kind: "in"; readonly path: Path; readonly values: readonly Value[] }
  | { readonly kind: "exists"; readonly path: Path }
  | { readonly kind: "is_null"; readonly path: Path; readonly negated: boolean }
  /** a filter of a list that no field shows */
  | { readonly kind: "param"; readonly param: string; readonly value: Value }
  | { readonly kind: "any" | "all" | "not"; readonly items: readonly Condition[] };

export interface Aggregate {
  readonly as: string;
  readonly fn: "count" | "sum" | "avg" | "min" | "max";
  readonly path: Path | null;
}

export interface ComputedKey {
  readonly as: string;
  readonly fn: CellFunction;
  readonly path: Path;
}

export type Step =
  | { readonly kind: "filter"; readonly items: readonly Condition[] }
  | {
      readonly kind: "sort";
      readonly by: readonly { readonly path: Path; readonly desc: boolean }[];
    }
  /** so many rows, or of each group that shares a cell so many */
  | { readonly kind: "limit"; readonly count: number; readonly per: Path | null }
  | { readonly kind: "page_size"; readonly count: number }
  /** pairs of columns that are equal, of these rows and of a label's; `outer` keeps rows that meet none */
  | {
      readonly kind: "join";
      readonly label: string;
      readonly pairs: readonly (readonly [left: string, right: string])[];
      readonly outer: boolean;
    }
  | { readonly kind: "distinct" | "project"; readonly paths: readonly Path[] }
  | { readonly kind: "follow"; readonly name: string; readonly items: readonly Condition[] }
  | { readonly kind: "singleton" }
  | { readonly kind: "aggregate"; readonly aggregates: readonly Aggregate[] }
  | {
      readonly kind: "group_by";
      readonly paths: readonly Path[];
      /** keys that are computed, behind those that are not */
      readonly computed: readonly ComputedKey[];
      readonly aggregates: readonly Aggregate[];
    };

export type Given = readonly (readonly [name: string, value: Value])[];

export type Source =
  | { readonly kind: "list"; readonly entity: string; readonly items: readonly Condition[] }
  | {
      readonly kind: "search";
      readonly entity: string;
      readonly words: string;
      readonly items: readonly Condition[];
    }
  | {
      readonly kind: "get";
      readonly entity: string;
      readonly key: readonly (readonly [string, Value])[];
    }
  /** a read by its label: of whoever asks, or a list of some rows */
  | {
      readonly kind: "viewer" | "named";
      readonly entity: string;
      readonly label: string;
    }
  | { readonly kind: "label"; readonly label: string };

/** What follows `=>`, or a template. */
export type Tail =
  | { readonly kind: "derive"; readonly entries: Given }
  /** one read per row, of the row that a reference column refers to */
  | { readonly kind: "read_each"; readonly entity: string; readonly key: Given }
  | {
      readonly kind: "call_each";
      readonly entity: string;
      readonly capability: string;
      readonly label: string;
      readonly args: Given;
    }
  | { readonly kind: "template"; readonly paths: readonly Path[] };

export type Node =
  | {
      readonly kind: "chain";
      readonly source: Source;
      readonly steps: readonly Step[];
      readonly tail: Tail | null;
    }
  | {
      readonly kind: "call";
      readonly entity: string;
      readonly label: string;
      /** null for a create */
      readonly key: Given | null;
      readonly args: Given;
    };

export interface Statement {
  readonly label: string | null;
  readonly node: Node;
}

export interface Mistake {
  readonly text: string;
  /** when it is found: by planning, before anything is sent, or by reading, before an effect is sent */
  readonly found: "planned" | "read";
}

export interface Program {
  readonly statements: readonly Statement[];
  /** a further line for which the program is refused; null where it is right */
  readonly mistake: Mistake | null;
}
