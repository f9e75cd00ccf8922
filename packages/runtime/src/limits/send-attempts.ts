import { mergeHeaders, type WireRequest } from "../request/wire-request.ts";
import { failure, RunFailure } from "../run-failure.ts";
import type { FailedRequest } from "../run-error.ts";
import type { TransportOutcome, TransportRequest, TransportResponse } from "../ports.ts";
import { RunStop } from "./budget.ts";
import type { Party, Wire } from "./exchange.ts";
import { FIXED } from "./limits.ts";
import { backoffMs, judgeRead } from "./retry-rules.ts";
import { transportError } from "./transport-error.ts";

/** The name of a request in errors: method, origin and path template (RUN-142). */
export function requestName(request: WireRequest, status: number | null): FailedRequest {
  return {
    method: request.method,
    origin: new URL(request.url).origin,
    pathTemplate: request.pathTemplate,
    status,
    apiText: null,
  };
}

/** Whether credentials may go to an origin (RUN-141). */
function mayAuthenticate(origin: string, party: Party): boolean {
  return party.backend.callable.get(origin)?.sendAuth === true;
}

function withCredential(request: WireRequest, wire: Wire, party: Party): TransportRequest {
  const url = new URL(request.url);
  const allowed = mayAuthenticate(url.origin, party);
  const { header, query } = party.credential;
  if (allowed && query !== null) url.searchParams.set(query[0], query[1]);
  return {
    method: request.method,
    url: url.href,
    headers: mergeHeaders(request.engineHeaders, allowed ? header : null, request.templateHeaders),
    body: request.body,
    allowPrivate: url.origin === party.backend.origin,
    connectTimeoutMs: FIXED.connectTimeoutMs,
    timeoutMs: FIXED.attemptTimeoutMs,
    maxResponseBytes: Math.min(FIXED.responseBytes, Math.max(1, wire.budget.bytesLeft())),
    signal: wire.signal,
  };
}

function rateLimited(request: WireRequest, waitMs: number | null): RunFailure {
  const seconds = waitMs === null ? null : Math.ceil(waitMs / 1000);
  const when = seconds === null ? "later" : `in ${seconds} s`;
  return new RunFailure(
    failure(
      "rate_limited",
      `${new URL(request.url).origin} limits how often it may be asked.`,
      `try again ${when}`,
      { retryable: true, retryAfter: seconds, request: requestName(request, 429) },
    ),
  );
}

/** Waits until requests of this host and credential may go on, or says that it is too long (RUN-025). */
async function awaitPause(request: WireRequest, wire: Wire, key: string): Promise<void> {
  for (;;) {
    const now = wire.ports.clock.now();
    const left = wire.pauses.until(key) - now;
    if (left <= 0) return;
    if (left > FIXED.retryAfterCapMs || now + left >= wire.budget.deadline) {
      throw rateLimited(request, left);
    }
    await wire.ports.clock.sleep(left, wire.signal);
    if (wire.signal?.aborted === true) throw new RunStop("cancelled");
  }
}

async function attempt(
  request: WireRequest,
  wire: Wire,
  party: Party,
  number: number,
): Promise<TransportOutcome> {
  const { clock, transport } = wire.ports;
  wire.budget.takeRequest();
  const started = clock.now();
  const outcome = await transport.send(withCredential(request, wire, party));
  const status = outcome.ok ? outcome.response.status : null;
  wire.onSent({
    node: party.node,
    entryId: party.backend.entryId,
    method: request.method,
    origin: new URL(request.url).origin,
    pathTemplate: request.pathTemplate,
    attempt: number,
    status,
    ms: clock.now() - started,
  });
  if (outcome.ok) wire.budget.addBytes(outcome.response.body.length);
  return outcome;
}

/** One attempt, once there is a slot and no pause; a pause set while waiting is waited for, too. */
async function throughGate(
  request: WireRequest,
  wire: Wire,
  party: Party,
  number: number,
  pauseKey: string,
): Promise<TransportOutcome> {
  const { host } = new URL(request.url);
  for (;;) {
    await awaitPause(request, wire, pauseKey);
    const outcome = await wire.gate.run(host, async () => {
      const paused = wire.pauses.until(pauseKey) > wire.ports.clock.now();
      return paused ? null : attempt(request, wire, party, number);
    });
    if (outcome !== null) return outcome;
  }
}

function giveUp(outcome: TransportOutcome, request: WireRequest, wire: Wire): TransportResponse {
  if (outcome.ok) return outcome.response;
  const { failure: what } = outcome;
  if (what.kind === "aborted" && wire.signal?.aborted === true) throw new RunStop("cancelled");
  // Cut by what the run has left, not by the size of one response.
  if (what.kind === "too_large" && wire.budget.bytesLeft() < FIXED.responseBytes) {
    wire.budget.addBytes(wire.budget.bytesLeft());
    throw new RunStop("bytes");
  }
  throw new RunFailure(transportError(what, requestName(request, null)));
}

/**
 * Sends a read to one place, with the retries of RUN-025; gives the last response, whatever its
 * status. Throws {@link RunStop} when a budget forbids another attempt, else {@link RunFailure}.
 */
export async function sendAttempts(
  request: WireRequest,
  wire: Wire,
  party: Party,
): Promise<TransportResponse> {
  const { host } = new URL(request.url);
  const pauseKey = `${host} ${party.credential.id}`;
  const { clock, ids } = wire.ports;
  for (let number = 1; ; number++) {
    const outcome = await throughGate(request, wire, party, number, pauseKey);
    const verdict = judgeRead(outcome, clock.now());
    if (verdict.kind === "final") return giveUp(outcome, request, wire);
    const wait = verdict.wait ?? backoffMs(number, ids.random());
    if (verdict.limited) wire.pauses.set(pauseKey, clock.now() + wait);
    if (number === FIXED.attempts) {
      if (verdict.limited) throw rateLimited(request, verdict.wait);
      return giveUp(outcome, request, wire);
    }
    if (verdict.limited) continue;
    if (clock.now() + wait >= wire.budget.deadline) return giveUp(outcome, request, wire);
    await clock.sleep(wait, wire.signal);
  }
}
