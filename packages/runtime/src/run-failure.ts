import type { TextRange } from "@plasm/core";
import type { FailedRequest, RunErrorCode } from "./run-error.ts";

/** A failure on its way to the node it belongs to, which adds node and row (RUN-150). */
export interface Failure {
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
): Failure {
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
  readonly failure: Failure;
  readonly row: number | null;
  constructor(what: Failure, row: number | null = null) {
    super(what.message);
    this.failure = what;
    this.row = row;
  }
}
