import { type Failure, failure } from "../run-failure.ts";
import type { TransportFailure } from "../ports.ts";
import type { FailedRequest } from "../run-error.ts";

/** The run error for an attempt that gave no response, after its last retry (RUN-150). */
export function transportError(what: TransportFailure, request: FailedRequest): Failure {
  const name = `${request.method} ${request.origin}${request.pathTemplate}`;
  switch (what.kind) {
    case "timeout":
      return failure("timeout", `${name} did not answer in time.`, "try again later", {
        retryable: true,
        request,
      });
    case "connect":
      return failure(
        "upstream_error",
        `${request.origin} cannot be reached (${what.detail}).`,
        "check that the API is up and its address is right, then try again",
        { retryable: true, request },
      );
    case "lost":
      return failure(
        "upstream_error",
        `${name}: the connection was lost (${what.detail}).`,
        "try again",
        { retryable: true, request },
      );
    case "tls":
      return failure(
        "upstream_error",
        `${request.origin} has no valid certificate (${what.detail}).`,
        "mend the certificate; it is always verified",
        { request },
      );
    case "malformed":
      return failure(
        "upstream_error",
        `${name}: the answer is not valid HTTP.`,
        "ask the API's operator",
        {
          request,
        },
      );
    case "too_large":
      return failure(
        "response_too_large",
        `${name} answers with ${what.detail}.`,
        "ask for less: a narrower condition or a smaller page",
        { request },
      );
    case "address_refused":
      return failure(
        "origin_refused",
        `${request.origin} is a private address, which this catalog may not call.`,
        "only the catalog's own backend may be a private address",
        { request },
      );
    case "aborted":
      return failure("upstream_error", `${name} was cancelled.`, "run it again", {
        retryable: true,
        request,
      });
    case "replay_miss":
      return failure(
        "replay_miss",
        `${name} is not in the recording (nearest: ${what.detail}).`,
        "record it first",
        { request },
      );
  }
}
