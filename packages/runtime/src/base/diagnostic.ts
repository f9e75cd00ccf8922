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

/** What of an answer its catalog does not know, which takes nothing from a result: for operators alone (OPS-66). */
export interface RunOddity {
  readonly node: string;
  readonly count: number;
  readonly detail: string;
}

/** Collects what was odd about one node; equal entries are counted, the first row is kept (RUN-003). */
export interface DiagnosticLog {
  add(code: RunDiagnosticCode, detail: string, row?: number): void;
  has(code: RunDiagnosticCode): boolean;
  entries(): readonly RunDiagnostic[];
  /** Counts what no result has to say. */
  odd(detail: string): void;
  oddities(): readonly RunOddity[];
}

/** An empty log for the diagnostics of one node; details are redacted as they come (RUN-142). */
export function createDiagnosticLog(
  node: string,
  redact: (text: string) => string = (text) => text,
): DiagnosticLog {
  const found = new Map<string, RunDiagnostic>();
  const odd = new Map<string, number>();
  return Object.freeze({
    add(code: RunDiagnosticCode, what: string, row?: number) {
      const detail = redact(what);
      const key = `${code} ${detail}`;
      const known = found.get(key);
      const first = known?.row ?? row;
      const count = (known?.count ?? 0) + 1;
      const place = first === undefined ? {} : { row: first };
      found.set(key, Object.freeze({ code, node, ...place, count, detail }));
    },
    has: (code: RunDiagnosticCode) => [...found.values()].some((entry) => entry.code === code),
    entries: () => [...found.values()],
    odd: (detail: string) => void odd.set(detail, (odd.get(detail) ?? 0) + 1),
    oddities: () => [...odd].map(([detail, count]) => ({ node, count, detail })),
  });
}
