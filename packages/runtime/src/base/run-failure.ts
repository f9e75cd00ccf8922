import type { TextRange } from "@plasm/core/internal";

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

/** A failure on its way to the node it belongs to, which adds node and row (RUN-150). */
export interface FailureDetail {
  readonly code: RunErrorCode;
  readonly message: string;
  readonly correction: string;
  readonly retryable: boolean;
  readonly retryAfter: number | null;
  readonly request: FailedRequest | null;
  /** the stretch of the node's template that failed */
  readonly within?: TextRange;
  /** of an answer that reports a failure: what was asked may have happened all the same */
  readonly mayHaveRun?: true;
}

interface FailureParts {
  readonly retryable?: boolean;
  readonly retryAfter?: number | null;
  readonly request?: FailedRequest | null;
  readonly within?: TextRange;
  readonly mayHaveRun?: boolean;
}

/** Makes a failure; what it does not say is: not retryable, no wait, no request. */
export function failure(
  code: RunErrorCode,
  message: string,
  correction: string,
  parts: FailureParts = {},
): FailureDetail {
  return Object.freeze({
    code,
    message,
    correction,
    retryable: parts.retryable ?? false,
    retryAfter: parts.retryAfter ?? null,
    request: parts.request ?? null,
    ...(parts.within === undefined ? {} : { within: parts.within }),
    ...(parts.mayHaveRun === true ? { mayHaveRun: true } : {}),
  });
}

/**
 * Carries a failure through code that awaits; caught once per node, row or page. `row` is the index
 * of the source row it concerns, or null.
 */
export class RunFailure extends Error {
  override readonly name = "RunFailure";
  readonly failure: FailureDetail;
  readonly row: number | null;
  constructor(what: FailureDetail, row: number | null = null, cause?: unknown) {
    super(what.message, cause === undefined ? {} : { cause });
    this.failure = what;
    this.row = row;
  }
}
