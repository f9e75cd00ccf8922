import type { BudgetName } from "@plasm/core";

/** What a run may remark on without failing. */
export type RunDiagnosticCode =
  | "answer_unread"
  | "argument_unmet"
  | "cell_unfit"
  | "collection_missing"
  | "collection_null"
  | "condition_unmet"
  | "cursor_repeated"
  | "derive_failed"
  | "edge_missing"
  | "effect_accepted"
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
  | "text_order"
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
export type OddityCode = "field_missing" | "option_unknown";

/** A capability that answers, of which catalog. */
export interface AnsweringCall {
  readonly entryId: string;
  readonly digest: string;
  readonly capability: string;
}

/** What was odd about the answers of one capability, for one node: how many rows they had, and what each sign came to (OPS-66, OPS-67). */
export interface RunAnswers extends AnsweringCall {
  readonly node: string;
  readonly rows: number;
  readonly signs: readonly {
    readonly code: OddityCode | RunDiagnosticCode;
    readonly count: number;
    readonly detail: string;
  }[];
}

/** Collects what was odd about one node; equal entries are counted, the first row is kept (RUN-003). */
export interface DiagnosticLog {
  add(code: RunDiagnosticCode, detail: string, row?: number): void;
  has(code: RunDiagnosticCode): boolean;
  entries(): readonly RunDiagnostic[];
  /** Notes what no result has to say; nothing in a log that is no capability's. */
  odd(code: OddityCode, detail: string): void;
  /** Counts rows that an answer had; nothing in a log that is no capability's. */
  read(rows: number): void;
  /** The same log, of what one capability answers. */
  of(call: AnsweringCall): DiagnosticLog;
  answers(): readonly RunAnswers[];
}

/** What is known of the answers of one capability, while they come. */
interface Answering {
  readonly call: AnsweringCall;
  rows: number;
  readonly signs: Map<string, RunAnswers["signs"][number]>;
  /** made when it is first asked for: each call of the capability asks */
  log: DiagnosticLog | null;
}

/** An empty log for the diagnostics of one node; details are redacted as they come (RUN-142). */
export function createDiagnosticLog(
  node: string,
  redact: (text: string) => string = (text) => text,
): DiagnosticLog {
  const found = new Map<string, RunDiagnostic>();
  const calls = new Map<string, Answering>();
  const answering = (call: AnsweringCall): Answering => {
    const key = `${call.entryId} ${call.capability}`;
    const known = calls.get(key) ?? { call, rows: 0, signs: new Map(), log: null };
    calls.set(key, known);
    return known;
  };
  const sign = (of: Answering | null, code: OddityCode | RunDiagnosticCode, detail: string) => {
    const key = `${code} ${detail}`;
    of?.signs.set(key, { code, detail, count: (of.signs.get(key)?.count ?? 0) + 1 });
  };
  const logOf = (of: Answering | null): DiagnosticLog =>
    Object.freeze({
      add(code: RunDiagnosticCode, what: string, row?: number) {
        const detail = redact(what);
        const key = `${code} ${detail}`;
        const known = found.get(key);
        const first = known?.row ?? row;
        const count = (known?.count ?? 0) + 1;
        const place = first === undefined ? {} : { row: first };
        found.set(key, Object.freeze({ code, node, ...place, count, detail }));
        sign(of, code, detail);
      },
      has: (code: RunDiagnosticCode) => [...found.values()].some((entry) => entry.code === code),
      entries: () => [...found.values()],
      odd: (code: OddityCode, detail: string) => sign(of, code, detail),
      read(rows: number) {
        if (of !== null) of.rows += rows;
      },
      of: (call: AnsweringCall) => {
        const found = answering(call);
        return (found.log ??= logOf(found));
      },
      answers: () =>
        [...calls.values()].map(({ call, rows, signs }) => ({
          ...call,
          node,
          rows,
          signs: [...signs.values()],
        })),
    });
  return logOf(null);
}
