import type { Json } from "../values/json.ts";
import type { ValueType } from "../values/value-type.ts";

/** How many pages of each list a view reads at most (RUN-100). */
export const VIEW_PAGES = 10;

export type ViewBind =
  | { readonly kind: "scope"; readonly param: string }
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "node_field"; readonly node: string; readonly field: string }
  | { readonly kind: "computed"; readonly template: string };

/** Where a field of a view's row comes from. */
export type ViewOutput =
  | { readonly kind: "scope"; readonly param: string }
  | { readonly kind: "node_row_count" | "node_row_count_positive"; readonly node: string }
  | {
      readonly kind: "node_field" | "node_field_histogram_json";
      readonly node: string;
      readonly field: string;
    }
  | {
      readonly kind: "node_any_row_field_equals";
      readonly node: string;
      readonly field: string;
      readonly equals: Json;
    }
  | { readonly kind: "computed"; readonly template: string };

export type ViewRelationBinding =
  | {
      readonly kind: "first_node_row_where" | "node_rows_where";
      readonly node: string;
      readonly whereField: string;
      readonly equals: Json;
    }
  | { readonly kind: "node_all_rows" | "node_single_row"; readonly node: string };

export interface ViewScope {
  readonly name: string;
  readonly type: ValueType;
  readonly required: boolean;
  readonly inject?: "session_ui_origin" | "session_transport_origin";
}

/** One read of a view, with what it is given. */
export interface ViewNode {
  readonly id: string;
  readonly capability: string;
  readonly bind: ReadonlyMap<string, ViewBind>;
}

/** A relation that a view's row has, with how its target is found. */
export interface ViewRelationOutput {
  readonly relation: string;
  readonly target: string;
  readonly cardinality: "one" | "many";
  readonly binding: ViewRelationBinding;
}

/** A read composed of other reads (catalog format, section 10; RUN-100). */
export interface View {
  readonly key: string;
  readonly description: string;
  readonly capability: string;
  readonly entity: string;
  readonly scope: readonly ViewScope[];
  readonly nodes: readonly ViewNode[];
  readonly output: ReadonlyMap<string, ViewOutput>;
  readonly relationOutputs: readonly ViewRelationOutput[];
}
