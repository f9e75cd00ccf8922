import type { WireRequest } from "../request/wire-request.ts";
import { RunFailure } from "../run-failure.ts";
import type { TransportOutcome, TransportResponse } from "../ports.ts";
import { isTooLong, type Manner, pauseKeyOf, rateLimited, sendOnce } from "./attempt.ts";
import { requestName } from "./request-name.ts";
import { RunStop } from "./budget.ts";
import type { Party, Wire } from "./exchange.ts";
import { FIXED } from "./limits.ts";
import { backoffMs, judgeRead } from "./retry-rules.ts";
import { transportError } from "./transport-error.ts";

const READ: Manner = Object.freeze({ expendable: true, before: () => Promise.resolve() });

function giveUp(
  outcome: TransportOutcome,
  request: WireRequest,
  wire: Wire,
  party: Party,
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
 * Sends a read to one place, with the retries of RUN-025; gives the last response, whatever its
 * status. Throws {@link RunStop} when a budget forbids another attempt, else {@link RunFailure}.
 */
export async function sendAttempts(
  request: WireRequest,
  wire: Wire,
  party: Party,
): Promise<TransportResponse> {
  const pauseKey = pauseKeyOf(request, party);
  const { clock, ids } = wire.ports;
  for (let number = 1; ; number++) {
    const outcome = await sendOnce(request, wire, party, number, READ);
    const verdict = judgeRead(outcome, clock.now(), request.transport);
    if (verdict.kind === "final") return giveUp(outcome, request, wire, party);
    const wait = verdict.wait ?? backoffMs(number, ids.random());
    if (verdict.limited) wire.pauses.set(pauseKey, clock.now() + wait);
    const last = number === FIXED.attempts;
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
