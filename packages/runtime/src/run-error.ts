import type { TextRange } from "@plasm/core";

/** Codes a run can end with (RUN-150, errors specification section 4); `cancelled` is OPS-11. */
export type RunErrorCode =
  | "argument_invalid"
  | "argument_missing"
  | "argument_unknown"
  | "auth_missing"
  | "auth_refused"
  | "budget_exceeded"
  | "catalog_changed"
  | "decode"
  | "effect_in_doubt"
  | "identity_missing"
  | "internal"
  | "no_row"
  | "not_found"
  | "null_value"
  | "origin_refused"
  | "partial_source"
  | "precondition_failed"
  | "rate_limited"
  | "replay_miss"
  | "response_not_json"
  | "response_too_large"
  | "singleton_count"
  | "template_failed"
  | "timeout"
  | "upstream_error";

/** The request an error speaks of, named by method, origin and path template (RUN-142). */
export interface FailedRequest {
  readonly method: string;
  readonly origin: string;
  readonly pathTemplate: string;
  readonly status: number | null;
  /** RUN-039: cleaned, redacted, at most 768 characters */
  readonly apiText: string | null;
}

/** What RUN-150 demands of a run's error. The span is the node's, which the plan summary knows. */
export interface RunError {
  readonly code: RunErrorCode;
  readonly message: string;
  readonly correction: string;
  readonly node: string;
  /** index of the source row it concerns, or null */
  readonly row: number | null;
  readonly retryable: boolean;
  /** seconds to wait, on `rate_limited` */
  readonly retryAfter: number | null;
  readonly request: FailedRequest | null;
  /** the stretch of the node's template that failed, in UTF-16 units of the plan's text */
  readonly within?: TextRange;
}
