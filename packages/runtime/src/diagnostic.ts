import type { BudgetName } from "@plasm/core";

/** What a run may remark on without failing. */
export type RunDiagnosticCode =
  | "cell_unfit"
  | "collection_missing"
  | "collection_null"
  | "condition_unmet"
  | "cursor_repeated"
  | "derive_failed"
  | "edge_missing"
  | "empty_pages"
  | "graphql_errors"
  | "hydration_failed"
  | "identity_missing"
  | "merge_failed"
  | "origin_refused"
  | "page_repeated"
  | "parts_failed"
  | "path_type"
  | "preprocess_path"
  | "row_null"
  | "row_repeated"
  | "row_unasked"
  | "row_unfit"
  | "rows_unread"
  | "row_twice"
  | "source_failed"
  | "text_malformed"
  | "value_unconverted"
  | "view_cut";

/** Something a result lacks or that was odd, without failing it (RUN-003). */
export interface RunDiagnostic {
  readonly code: RunDiagnosticCode;
  readonly node: string;
  /** the first row concerned, counted from 0 in its node */
  readonly row?: number;
  readonly count: number;
  readonly detail: string;
}

/** Why a result is not whole: the budget that was reached, the diagnostic, or a cancel. */
export type PartialReason = BudgetName | RunDiagnosticCode | "cancelled";
