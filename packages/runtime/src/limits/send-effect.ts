import type { WireRequest } from "../request/wire-request.ts";
import { type FailureDetail, failure, RunFailure } from "../base/run-failure.ts";
import type { TransportOutcome } from "../ports.ts";
import { isTooLong, type AttemptOptions, pauseKeyOf, rateLimited, sendOnce } from "./attempt.ts";
import {
  type Exchange,
  type BackendAccess,
  redirectTarget,
  refuseRedirect,
  requestName,
  sameOrigin,
  type RequestContext,
} from "./exchange.ts";
import { FIXED, RunStop } from "./limits.ts";
import { backoffMs, type EffectVerdict, judgeEffect, type Resend } from "./retry-rules.ts";
import { transportError } from "./transport-error.ts";

/**
 * How the sending of an effect ended. `answered`: by a response of any status; `doubted` says that an
 * attempt before it, or this one behind a gateway, may have done it unseen. `refused`: it certainly did
 * nothing. `unknown`: there is no telling.
 */
export type EffectSent =
  | { readonly kind: "answered"; readonly exchange: Exchange; readonly doubted: boolean }
  | { readonly kind: "refused" | "unknown"; readonly failure: FailureDetail };

/** An effect on its way. */
export interface Sending {
  readonly wire: RequestContext;
  readonly party: BackendAccess;
  readonly resend: Resend;
  /** resolves once the effect is written down as started (OPS-28) */
  readonly started: () => Promise<void>;
}

/** What the attempts so far came to. */
interface Progress {
  began: boolean;
  doubted: boolean;
}

interface Attempt {
  readonly outcome: TransportOutcome;
  readonly verdict: EffectVerdict;
}

const nothing = (progress: Progress, what: FailureDetail): EffectSent => ({
  kind: progress.doubted ? "unknown" : "refused",
  failure: what,
});

function endOf(
  request: WireRequest,
  { wire, party }: Sending,
  progress: Progress,
  { outcome, verdict }: Attempt,
): EffectSent {
  if (!outcome.ok) {
    return nothing(
      progress,
      transportError(outcome.failure, requestName(request, null), party.backend),
    );
  }
  const { response } = outcome;
  const { limited, wait } = verdict;
  if (limited || (wait !== null && isTooLong(wire, wait))) {
    return nothing(
      progress,
      rateLimited(request, response.status, wait, { response, wire }).failure,
    );
  }
  const exchange = { response, url: request.url };
  return { kind: "answered", exchange, doubted: progress.doubted };
}

/** A redirected effect whose budget ended before it was sent on. */
function notSentOn(request: WireRequest, stop: RunStop): FailureDetail {
  const { method, origin, pathTemplate } = requestName(request, null);
  const message = `${method} ${origin}${pathTemplate} was not sent: ${stop.reason}.`;
  return failure("upstream_error", message, "plan this effect again", { retryable: true });
}

/**
 * One attempt; a failure if there can be no other one. While nothing was sent at all it throws what
 * keeps it from being sent.
 */
async function tryOnce(
  request: WireRequest,
  sending: Sending,
  progress: Progress,
  number: number,
): Promise<Attempt | FailureDetail> {
  const { wire, party, resend, started } = sending;
  const manner: AttemptOptions = {
    expendable: false,
    before: async () => {
      if (progress.began) return;
      await started();
      progress.began = true;
    },
  };
  try {
    const outcome = await sendOnce(request, wire, party, number, manner);
    const verdict = judgeEffect(outcome, resend, wire.ports.clock.now(), request.transport);
    if (verdict.outcome === "unknown") progress.doubted = true;
    return { outcome, verdict };
  } catch (error) {
    if (!progress.began) throw error;
    if (error instanceof RunStop) return notSentOn(request, error);
    if (error instanceof RunFailure) return error.failure;
    throw error;
  }
}

/** Waits before another attempt; false if that would take too long. */
async function waitFor(
  request: WireRequest,
  { wire, party }: Sending,
  { verdict }: Attempt,
  number: number,
): Promise<boolean> {
  const { clock, ids } = wire.ports;
  const wait = verdict.wait ?? backoffMs(number, ids.random());
  // A pause is waited for with all other requests of this host and credential.
  if (verdict.limited) wire.pauses.set(pauseKeyOf(request, party), clock.now() + wait);
  if (!verdict.retry || number === FIXED.attempts || isTooLong(wire, wait)) return false;
  if (!verdict.limited) await clock.sleep(wait, wire.signal);
  return true;
}

async function sendTo(
  request: WireRequest,
  sending: Sending,
  progress: Progress,
): Promise<EffectSent> {
  let last: Attempt | null = null;
  for (let number = 1; ; number++) {
    const tried = await tryOnce(request, sending, progress, number);
    if ("code" in tried) {
      return last === null ? nothing(progress, tried) : endOf(request, sending, progress, last);
    }
    last = tried;
    if (!(await waitFor(request, sending, last, number))) {
      return endOf(request, sending, progress, last);
    }
  }
}

/**
 * Sends an effect, with the retries of RUN-025 and, at the same origin, redirects that keep method and
 * body (RUN-027). It cannot be cancelled on its way (PLAN-065). Throws RunStop, RunFailure or what
 * `started` throws only while nothing was sent.
 */
export async function sendEffect(first: WireRequest, sending: Sending): Promise<EffectSent> {
  const progress: Progress = { began: false, doubted: false };
  let request = first;
  for (let hops = 0; ; hops++) {
    const sent = await sendTo(request, sending, progress);
    if (sent.kind !== "answered") return sent;
    const { response } = sent.exchange;
    if (response.status !== 307 && response.status !== 308) return sent;
    try {
      const target = redirectTarget(request, response, sending.party);
      if (target === null) return sent;
      request = followed(first, request, response.status, target, hops);
    } catch (error) {
      if (error instanceof RunFailure) return nothing(progress, error.failure);
      throw error;
    }
  }
}

function followed(
  first: WireRequest,
  request: WireRequest,
  status: number,
  target: URL,
  hops: number,
): WireRequest {
  if (!sameOrigin(first, target.href)) {
    const message = `${first.origin} redirects an effect to ${target.origin}.`;
    const fix = "set the backend to the address that takes the request itself";
    throw refuseRedirect(request, status, message, fix);
  }
  if (hops === FIXED.redirects) {
    const message = `The API redirects more than ${FIXED.redirects} times.`;
    throw refuseRedirect(request, status, message, "check the backend's address");
  }
  return { ...request, url: target.href };
}
