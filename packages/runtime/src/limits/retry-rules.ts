import { Buffer } from "node:buffer";
import type { Json } from "@plasm/core";
import { followKeys, headerValue, readBody } from "../decode/response-body.ts";
import { hasMember, isArray } from "../base/json-kinds.ts";
import type { TransportFailure, TransportOutcome, TransportResponse } from "../ports.ts";
import type { WireRequest } from "../request/wire-request.ts";
import { FIXED } from "./limits.ts";

type Transport = WireRequest["transport"];

/** What an attempt calls for (RUN-025). `wait` is in milliseconds, null for back-off. */
export type RetryVerdict =
  | { readonly kind: "final" }
  | {
      readonly kind: "retry";
      readonly limited: boolean;
      /** too much is asked at the moment: another request may pass (RUN-213) */
      readonly refused: boolean;
      readonly wait: number | null;
    };

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

/** How APIs call the headers that say how many requests are left, and when there are more. */
const REMAINING = ["ratelimit-remaining", "x-ratelimit-remaining", "x-rate-limit-remaining"];
const RESET = ["ratelimit-reset", "x-ratelimit-reset", "x-rate-limit-reset"];

const firstHeader = ({ headers }: TransportResponse, names: readonly string[]): string | null =>
  names.flatMap((name) => headerValue(headers, name)?.trim() ?? []).at(0) ?? null;

/** Numbers from here on are times, in seconds and in milliseconds since 1970; smaller ones are seconds to wait. */
const TIMES = { seconds: 1e9, milliseconds: 1e12 };

/** Milliseconds until there are requests again, by the header that says so in one of three ways (RUN-215). */
function resetMs(response: TransportResponse, now: number): number | null {
  const text = firstHeader(response, RESET);
  if (text === null || !/^\d+(\.\d+)?$/.test(text)) return null;
  const reset = Number(text);
  if (reset < TIMES.seconds) return Math.ceil(reset * 1_000);
  return Math.max(0, (reset < TIMES.milliseconds ? reset * 1_000 : reset) - now);
}

/** Milliseconds until there are requests again, where a response says that it took the last one (RUN-216). */
export const spentMs = (response: TransportResponse, now: number): number | null =>
  firstHeader(response, REMAINING) === "0" ? resetMs(response, now) : null;

/** Whether headers ask the caller to come later. */
const asksToWait = (response: TransportResponse): boolean =>
  headerValue(response.headers, "retry-after") !== undefined ||
  firstHeader(response, REMAINING) === "0";

/** A longer answer holds rows: it is not read for what it may say besides. */
const MOST_OF_ERRORS = 16 * 1024;
const NAMES_ERRORS = Buffer.from('"errors"');

/**
 * The errors of a GraphQL request error: `errors` and no `data`, so that nothing was executed. A `data` of null beside them
 * is an answer of something that was.
 */
function requestErrors({ body: bytes, ...response }: TransportResponse): readonly Json[] {
  if (bytes.length > MOST_OF_ERRORS || !Buffer.from(bytes).includes(NAMES_ERRORS)) return [];
  const body = readBody({ ...response, body: bytes }, FIXED.jsonDepth);
  if (body.kind !== "json" || !hasMember(body.value, "errors")) return [];
  const { errors } = body.value;
  return isArray(errors) && !hasMember(body.value, "data") ? errors : [];
}

/** How GraphQL servers call it that too much was asked, as the code or type of an error. */
const TOO_MUCH = /^(throttled|rate_?limit(ed|ing|_exceeded)?|too_?many_?requests)$/i;

/** Whether an error of GraphQL says that too much was asked: `extensions.code: THROTTLED`, `type: RATE_LIMITED` (RUN-217). */
const saysTooMuch = (error: Json): boolean =>
  [["extensions", "code"], ["code"], ["type"]].some((path) => {
    const said = followKeys(error, path);
    return said.found && typeof said.value === "string" && TOO_MUCH.test(said.value);
  });

/**
 * Whether a response says that its caller is too fast: 429, or a 403 that says so (RUN-025). A GraphQL server says it under 200 or
 * 400: a request error counts as that 403, and where its code says so, it needs no header.
 */
function isRateLimited(response: TransportResponse, transport: Transport): boolean {
  const { status } = response;
  if (status === 429) return true;
  if (status === 403) return asksToWait(response);
  if (transport !== "graphql" || status > 400) return false;
  const errors = requestErrors(response);
  return errors.some(saysTooMuch) || (status < 300 && errors.length > 0 && asksToWait(response));
}

/** Whether a response says that its host takes no more at the moment: too fast, or too busy (RUN-213, RUN-214). */
export const isRefusal = (response: TransportResponse, transport: Transport): boolean =>
  response.status === 503 || isRateLimited(response, transport);

/** Judges an attempt of a read: whether to try again, and when (RUN-025). */
export function judgeRead(
  outcome: TransportOutcome,
  now: number,
  transport: Transport,
): RetryVerdict {
  if (!outcome.ok) {
    return RETRIED_FAILURES.has(outcome.failure.kind)
      ? { kind: "retry", limited: false, refused: false, wait: null }
      : { kind: "final" };
  }
  const { response } = outcome;
  const asked = retryAfterMs(headerValue(response.headers, "retry-after"), now);
  if (isRateLimited(response, transport)) {
    return { kind: "retry", limited: true, refused: true, wait: asked ?? resetMs(response, now) };
  }
  const { status } = response;
  if (RETRIED_STATUS.has(status)) {
    return { kind: "retry", limited: false, refused: status === 503, wait: asked };
  }
  return { kind: "final" };
}

/** Back-off before attempt `n + 1`: full jitter below a doubling ceiling (RUN-025). */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(FIXED.backoffCapMs, FIXED.backoffBaseMs * 2 ** (attempt - 1));
  return Math.floor(ceiling * random);
}

/** Most limits without a time are of requests in a second, which is then over. */
const SECOND_MS = 1_000;

/** The wait before a read is sent again that was refused while others passed: the second time, a second at least (RUN-213). */
export const refusedWaitMs = (attempt: number, random: number): number =>
  Math.max(backoffMs(attempt, random), attempt > 1 ? SECOND_MS : 0);

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
    const again = resend.afterRefusal || resend.notDone.includes(response.status);
    return verdict("refused", again, asked ?? resetMs(response, now), true);
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
