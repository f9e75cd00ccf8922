import { backendSetting } from "@plasm/core/internal";
import type { TransportFailure } from "../ports.ts";
import type { Backend } from "../request/effective-backend.ts";
import { type FailedRequest, type FailureDetail, failure } from "../base/run-failure.ts";
import { type Budget, FIXED } from "./limits.ts";

/** What a read may take whose every attempt hangs, with the longest pauses between them. */
const ALL_ATTEMPTS_MS =
  FIXED.attempts * FIXED.attemptTimeoutMs + FIXED.backoffBaseMs * (2 ** (FIXED.attempts - 1) - 1);

const SMALLER = "ask for less: a narrower condition or a smaller page";

/** Why nobody answers at an address, by the code of the system; others say nothing to who reads it. */
const NOT_REACHED: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, ": it refuses connections"],
  [/^(ENOTFOUND|EAI_)/, ": its name is not known"],
  [/^UND_ERR_CONNECT_TIMEOUT$/, ": it does not answer"],
  [/^UND_ERR_PRX_/, ": the proxy cannot be reached"],
  [/^UND_ERR_ABORTED$/, ": the proxy refuses to connect to it"],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, ": there is no way to it"],
];

/** What is wrong with a certificate. */
const CERTIFICATES: readonly (readonly [RegExp, string])[] = [
  [/EXPIRED/, ": it has expired"],
  [/NOT_YET_VALID/, ": it is not valid yet"],
  [/SELF_SIGNED/, ": it is signed by itself"],
  [/ALTNAME|HOSTNAME_MISMATCH/, ": it is for another name"],
  [/UNABLE_TO_|ISSUER/, ": its issuer is not known"],
  [/^ERR_SSL_/, ": it does not speak TLS"],
];

const inWords = (codes: readonly (readonly [RegExp, string])[], code: string): string =>
  codes.find(([pattern]) => pattern.test(code))?.[1] ?? "";

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** What came of an answer in the time that it had: nothing, or so many bytes of it. */
function late(detail: string): string {
  const [, ms, bytes] = /^(\d+) ms(?:, (\d+) bytes)?$/.exec(detail) ?? [];
  const time = ms === undefined ? "in time" : `within ${seconds(Number(ms))}`;
  if (bytes === undefined) return `did not answer ${time}`;
  return `began to answer and did not end ${time} (${bytes} bytes came)`;
}

/**
 * The failure of an attempt that the end of the run's wall time cut off: another limit than that of an attempt, and
 * it may strike before all tries that are allowed (RUN-024, RUN-025, RUN-130).
 */
export function cutByWall(
  { detail }: TransportFailure,
  request: FailedRequest,
  { budget }: { readonly budget: Pick<Budget, "limits"> },
  attempt: number,
): FailureDetail {
  const { wall } = budget.limits;
  const name = `${request.method} ${request.origin}${request.pathTemplate}`;
  const tries = `attempt ${attempt} of ${FIXED.attempts}`;
  return failure(
    "timeout",
    `${name} ${late(detail)}: the budget wall (${wall} s) of the run was spent in ${tries}.`,
    `try again later, or give the run more than ${wall} s: all attempts together may take ${seconds(ALL_ATTEMPTS_MS)}`,
    { retryable: true, request },
  );
}

/** What to look at when nobody answers: the backend's address is a setting, any other is the API's. */
function whereToLook(origin: string, own: Pick<Backend, "entryId" | "origin">): string {
  const address =
    origin === own.origin
      ? `${backendSetting(own.entryId)} is its address`
      : "its address is right";
  return `check that the API is up and ${address}, then try again`;
}

/**
 * The run error for an attempt that gave no response, after its last retry (RUN-150). `own`: the
 * catalog's backend.
 */
export function transportError(
  what: TransportFailure,
  request: FailedRequest,
  own: Pick<Backend, "entryId" | "origin">,
): FailureDetail {
  const { origin } = request;
  const name = `${request.method} ${origin}${request.pathTemplate}`;
  const { detail } = what;
  const again = { retryable: true, request };
  const final = { request };
  switch (what.kind) {
    case "timeout":
      return failure("timeout", `${name} ${late(detail)}.`, "try again later", again);
    case "connect":
      return failure(
        "upstream_error",
        `${origin} cannot be reached${inWords(NOT_REACHED, detail)}.`,
        whereToLook(origin, own),
        again,
      );
    case "lost":
      return failure("upstream_error", `${name}: connection lost.`, "try again", again);
    case "aborted":
      return failure("upstream_error", `${name} was cancelled.`, "run it again", again);
    case "tls": {
      const message = `${origin} has no valid certificate${inWords(CERTIFICATES, detail)}.`;
      return failure("upstream_error", message, "mend it; certificates are always verified", final);
    }
    case "malformed": {
      const message = `${name}: the answer is not valid HTTP.`;
      return failure("upstream_error", message, "check that this is the API's address", final);
    }
    case "too_large":
      return failure("response_too_large", `${name} answers with ${detail}.`, SMALLER, final);
    case "unkept":
      return failure(
        "response_too_large",
        `${name} answers with a file that was not kept: ${detail}`,
        what.fix ?? SMALLER,
        final,
      );
    case "address_refused": {
      const message = `${origin} is a private address, which this catalog may not call.`;
      const fix = `only the catalog's own backend, ${own.origin}, may be a private address`;
      return failure("origin_refused", message, fix, final);
    }
    case "replay_miss": {
      const message = `${name} is not in the recording: ${detail}.`;
      return failure("replay_miss", message, what.fix ?? "record it first", final);
    }
  }
}
