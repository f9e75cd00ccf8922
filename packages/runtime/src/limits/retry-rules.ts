import { headerValue, readBody } from "../decode/response-body.ts";
import { hasMember, isArray } from "../base/json-kinds.ts";
import type { TransportFailure, TransportOutcome, TransportResponse } from "../ports.ts";
import type { WireRequest } from "../request/wire-request.ts";
import { FIXED } from "./limits.ts";

type Transport = WireRequest["transport"];

/** What an attempt calls for (RUN-025). `wait` is in milliseconds, null for back-off. */
export type RetryVerdict =
  | { readonly kind: "final" }
  | { readonly kind: "retry"; readonly limited: boolean; readonly wait: number | null };

const RETRIED_STATUS = new Set([502, 503, 504]);
const RETRIED_FAILURES: ReadonlySet<TransportFailure["kind"]> = new Set([
  "connect",
  "timeout",
  "lost",
]);

/** Milliseconds that a `Retry-After` asks for: seconds, or a date against the clock. */
export function retryAfterMs(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const at = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

function resetMs(response: TransportResponse, now: number): number | null {
  const reset = headerValue(response.headers, "x-ratelimit-reset")?.trim() ?? "";
  return /^\d+$/.test(reset) ? Math.max(0, Number(reset) * 1000 - now) : null;
}

/** Whether headers ask the caller to come later. */
function asksToWait({ headers }: TransportResponse): boolean {
  if (headerValue(headers, "retry-after") !== undefined) return true;
  return headerValue(headers, "x-ratelimit-remaining")?.trim() === "0";
}

/**
 * Whether a 2xx is a GraphQL request error: `errors` and no `data`, so that nothing was executed. A
 * `data` of null beside them is an answer of something that was.
 */
function isRequestError(response: TransportResponse): boolean {
  if (response.status < 200 || response.status > 299) return false;
  const body = readBody(response, FIXED.jsonDepth);
  if (body.kind !== "json" || !hasMember(body.value, "errors")) return false;
  const { errors } = body.value;
  return isArray(errors) && errors.length > 0 && !hasMember(body.value, "data");
}

/**
 * Whether a response says that its caller is too fast: 429, or a 403 that says so (RUN-025). A GraphQL
 * server says it with a 2xx: a request error counts as that 403.
 */
function isRateLimited(response: TransportResponse, transport: Transport): boolean {
  if (response.status === 429) return true;
  if (response.status !== 403 && transport !== "graphql") return false;
  if (!asksToWait(response)) return false;
  return response.status === 403 || isRequestError(response);
}

/** Judges an attempt of a read: whether to try again, and when (RUN-025). */
export function judgeRead(
  outcome: TransportOutcome,
  now: number,
  transport: Transport,
): RetryVerdict {
  if (!outcome.ok) {
    return RETRIED_FAILURES.has(outcome.failure.kind)
      ? { kind: "retry", limited: false, wait: null }
      : { kind: "final" };
  }
  const { response } = outcome;
  const asked = retryAfterMs(headerValue(response.headers, "retry-after"), now);
  if (isRateLimited(response, transport)) {
    return { kind: "retry", limited: true, wait: asked ?? resetMs(response, now) };
  }
  if (RETRIED_STATUS.has(response.status)) return { kind: "retry", limited: false, wait: asked };
  return { kind: "final" };
}

/** Back-off before attempt `n + 1`: full jitter below a doubling ceiling (RUN-025). */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(FIXED.backoffCapMs, FIXED.backoffBaseMs * 2 ** (attempt - 1));
  return Math.floor(ceiling * random);
}

/** What makes it safe to send an effect again (RUN-025). */
export interface Resend {
  /** statuses by which the API says that it did nothing, so that any effect may be sent again */
  readonly notDone: readonly number[];
  /** the method is PUT or DELETE, or there is an idempotency header */
  readonly afterRefusal: boolean;
  /** there is an idempotency header */
  readonly afterUnknown: boolean;
}

/** What one attempt of an effect tells, and whether another may follow; `wait` as in {@link Verdict}. */
export interface EffectVerdict {
  /** `refused`: it certainly did nothing; `unknown`: it may have */
  readonly outcome: "unsent" | "refused" | "answered" | "unknown";
  readonly limited: boolean;
  readonly retry: boolean;
  readonly wait: number | null;
}

const verdict = (
  outcome: EffectVerdict["outcome"],
  retry: boolean,
  wait: number | null = null,
  limited = false,
): EffectVerdict => Object.freeze({ outcome, limited, retry, wait });

/** Judges an attempt of an effect (RUN-025): retried when nothing was sent, else as `resend` allows. */
export function judgeEffect(
  attempt: TransportOutcome,
  resend: Resend,
  now: number,
  transport: Transport,
): EffectVerdict {
  if (!attempt.ok) {
    const { kind, sent } = attempt.failure;
    const again = RETRIED_FAILURES.has(kind);
    return sent ? verdict("unknown", again && resend.afterUnknown) : verdict("unsent", again);
  }
  const { response } = attempt;
  const asked = retryAfterMs(headerValue(response.headers, "retry-after"), now);
  if (isRateLimited(response, transport)) {
    return verdict("refused", resend.afterRefusal, asked ?? resetMs(response, now), true);
  }
  const { status } = response;
  if (resend.notDone.includes(status)) return verdict("refused", true, asked);
  switch (status) {
    case 503:
      // A server that is too busy may have begun; a proxy before it does not know.
      return verdict("unknown", resend.afterRefusal, asked);
    case 502:
    case 504:
      return verdict("unknown", resend.afterUnknown, asked);
    default:
      return verdict("answered", false);
  }
}
