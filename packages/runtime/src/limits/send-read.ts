import { NO_CREDENTIAL } from "../request/auth/credential.ts";
import type { WireRequest } from "../request/wire-request.ts";
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
import { RunFailure } from "../base/run-failure.ts";
import type { TransportOutcome, TransportResponse } from "../ports.ts";
import { isTooLong, type AttemptOptions, pauseKeyOf, rateLimited, sendOnce } from "./attempt.ts";
import { backoffMs, judgeRead, refusedWaitMs } from "./retry-rules.ts";
import { transportError } from "./transport-error.ts";

function becomesGet(request: WireRequest, status: number): boolean {
  if (request.method === "GET" || request.method === "HEAD") return false;
  return status === 303 || ((status === 301 || status === 302) && request.method === "POST");
}

/** The request that a redirect leads to; other origins than the first get no template headers and no secrets (RUN-027). */
function follow(
  first: WireRequest,
  request: WireRequest,
  status: number,
  target: URL,
): WireRequest {
  const asGet = becomesGet(request, status);
  const home = sameOrigin(first, target.href);
  const engineHeaders = asGet
    ? request.engineHeaders.filter(([name]) => name.toLowerCase() !== "content-type")
    : request.engineHeaders;
  return {
    ...request,
    url: target.href,
    origin: target.origin,
    host: target.host,
    method: asGet ? "GET" : request.method,
    body: asGet ? null : request.body,
    engineHeaders,
    templateHeaders: home ? first.templateHeaders : [],
    trusted: home && first.trusted,
  };
}

/**
 * Sends a read, with retries (RUN-025) and at most five redirects (RUN-027); gives the last response,
 * whatever its status. Throws RunStop or RunFailure.
 */
export async function sendRead(
  first: WireRequest,
  wire: RequestContext,
  party: BackendAccess,
): Promise<Exchange> {
  let request = first;
  for (let hops = 0; ; hops++) {
    const home = sameOrigin(first, request.url);
    const as = home ? party : { ...party, credential: NO_CREDENTIAL };
    const response = await sendAttempts(request, wire, as);
    const target = redirectTarget(request, response, party);
    if (target === null) return { response, url: request.url };
    if (hops === FIXED.redirects) {
      throw refuseRedirect(
        first,
        response.status,
        `The API redirects more than ${FIXED.redirects} times.`,
        "check the backend's address",
      );
    }
    request = follow(first, request, response.status, target);
  }
}

const READ: AttemptOptions = Object.freeze({ expendable: true, before: null });

function giveUp(
  outcome: TransportOutcome,
  request: WireRequest,
  wire: RequestContext,
  party: BackendAccess,
): TransportResponse {
  if (outcome.ok) return outcome.response;
  const { failure: what } = outcome;
  if (what.kind === "aborted" && wire.signal?.aborted === true) throw new RunStop("cancelled");
  // Cut by what the run has left, not by the size of one response.
  if (what.kind === "too_large" && wire.budget.bytesLeft() < FIXED.responseBytes) {
    wire.budget.addBytes(wire.budget.bytesLeft());
    throw new RunStop("bytes");
  }
  throw new RunFailure(transportError(what, requestName(request, null), party.backend));
}

/**
 * Sends a read to one place, with the retries of RUN-025 and RUN-213; gives the last response, whatever its
 * status. Throws {@link RunStop} when a budget forbids another attempt, else {@link RunFailure}.
 */
async function sendAttempts(
  request: WireRequest,
  wire: RequestContext,
  party: BackendAccess,
): Promise<TransportResponse> {
  const pauseKey = pauseKeyOf(request, party);
  const { clock, ids } = wire.ports;
  let passed = wire.gate.passed(request.host);
  let inVain = 0;
  for (let number = 1; ; number++) {
    const outcome = await sendOnce(request, wire, party, number, READ);
    const verdict = judgeRead(outcome, clock.now(), request.transport);
    if (verdict.kind === "final") return giveUp(outcome, request, wire, party);
    // Who is refused while others pass comes in turn: the API does what it can.
    const seen = passed;
    passed = wire.gate.passed(request.host);
    inVain = verdict.refused && passed !== seen ? 1 : inVain + 1;
    const last = inVain === FIXED.attempts || number === FIXED.refusedAttempts;
    const backoff = verdict.refused && passed > 0 ? refusedWaitMs : backoffMs;
    const wait = verdict.wait ?? backoff(inVain, ids.random());
    if (verdict.limited) wire.pauses.set(pauseKey, clock.now() + wait);
    if (verdict.limited && (last || isTooLong(wire, wait))) {
      const answer = outcome.ok ? { response: outcome.response, wire } : null;
      const status = outcome.ok ? outcome.response.status : null;
      throw rateLimited(request, status, last ? verdict.wait : wait, answer);
    }
    if (last) return giveUp(outcome, request, wire, party);
    if (verdict.limited) continue;
    if (isTooLong(wire, wait)) {
      if (outcome.ok && verdict.wait !== null) {
        const { response } = outcome;
        throw rateLimited(request, response.status, verdict.wait, { response, wire });
      }
      return giveUp(outcome, request, wire, party);
    }
    await clock.sleep(wait, wire.signal);
  }
}
