import { Buffer } from "node:buffer";
import { type Injection, NO_CREDENTIAL } from "../request/auth/credential.ts";
import { redactedResponse, type Redactor, secretless } from "../request/auth/redactor.ts";
import { bodyText } from "../decode/api-text.ts";
import { isDecodedAsItComes, isFileAnswer, readBody } from "../decode/response-body.ts";
import { privateAccess } from "../request/effective-backend.ts";
import { fingerprint, requestShape } from "../request/fingerprint.ts";
import { mergeHeaders, type WireRequest } from "../request/wire-request.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import type {
  FileTaker,
  HeaderPair,
  RequestMark,
  TransportOutcome,
  TransportRequest,
  TransportResponse,
} from "../ports.ts";
import type { Passage } from "./host-window.ts";
import { FIXED, RunStop } from "./limits.ts";
import { isRefusal, spentMs } from "./retry-rules.ts";
import { type BackendAccess, requestName, type RequestContext } from "./exchange.ts";
import { cutByWall } from "./transport-error.ts";

/** How a request of a kind is attempted. */
export interface AttemptOptions {
  /**
   * whether a cancel or the end of the run's wall time may cut it off, and the run's bytes bound its
   * answer: reads only. A running effect is awaited, as long as an attempt may take (PLAN-065)
   */
  readonly expendable: boolean;
  /** what must have happened before the request leaves, if anything; if it rejects, nothing is sent */
  readonly before: (() => Promise<void>) | null;
}

/** Requests of one host and credential wait together when the API limits its callers. */
export const pauseKeyOf = (request: WireRequest, party: BackendAccess): string =>
  `${request.host} ${party.credential.id}`;

/** Whether credentials may go to an origin (RUN-141). */
function mayAuthenticate(origin: string, party: BackendAccess): boolean {
  return party.backend.callable.get(origin)?.sendAuth === true;
}

/** How long an attempt may take: a read no longer than the run (RUN-024, RUN-130). */
function timeLimit(
  { budget }: RequestContext,
  { expendable }: AttemptOptions,
  most: number = FIXED.attemptTimeoutMs,
): number {
  const left = Math.max(1, Math.ceil(budget.wallLeft()));
  return expendable ? Math.min(most, left) : most;
}

const MEBIBYTE = 1024 * 1024;

/** What a body adds to the time of its attempt: a second for each MiB that is sent as it comes (RUN-024). */
const sendingMs = ({ body }: WireRequest): number =>
  body !== null && "sha256" in body ? Math.ceil(body.size / MEBIBYTE) * 1_000 : 0;

/** A body as the transport takes it, in one piece or as it comes (VAL-02). */
const bodyOf = ({ body }: WireRequest): Pick<TransportRequest, "body" | "stream"> =>
  body !== null && "sha256" in body ? { body: null, stream: body } : { body };

/** Answers of up to so many bytes stand in their rows (RUN-038). */
export const INLINE_BYTES = 64 * 1024;

/** Who takes a file that answers; it has its own limits, since it is never in memory (VAL-01, VAL-05). */
function takerOf(
  { takeFile }: WireRequest,
  wire: RequestContext,
  manner: AttemptOptions,
): Pick<TransportRequest, "file"> {
  if (takeFile === undefined || wire.ports.transport.streams !== true) return {};
  const file: FileTaker = {
    from: takeFile.any === true ? 1 : INLINE_BYTES + 1,
    takes: takeFile.any === true ? isDecodedAsItComes : isFileAnswer,
    maxBytes: takeFile.maxBytes,
    timeoutMs: timeLimit(wire, manner, FIXED.fileTimeoutMs),
    take: takeFile.take,
  };
  return { file };
}

/** What the request is to a recording (RUN-160 to RUN-162). */
function markOf(
  request: WireRequest,
  wire: RequestContext,
  party: BackendAccess,
  manner: AttemptOptions,
): RequestMark {
  const { base } = party.backend;
  const { queryKeys } = party.credential;
  return {
    // A replay has masks in place of what hooks set (RUN-105).
    fingerprint: fingerprint(request, base, queryKeys, (data) => secretless(data, wire.redactor)),
    shape: requestShape(request, base, queryKeys),
    effect: !manner.expendable,
    redact: wire.redactor.redact,
    redactBody: wire.redactor.redactData,
    ...(request.held === undefined ? {} : { later: request.held.later }),
  };
}

function withQueryKeys(address: string, keys: Injection["query"]): string {
  const url = new URL(address);
  for (const [name, value] of keys) url.searchParams.set(name, value);
  return url.href;
}

function withCredential(
  request: WireRequest,
  wire: RequestContext,
  party: BackendAccess,
  manner: AttemptOptions,
  { headers, query }: Injection,
): TransportRequest {
  const { expendable } = manner;
  const { responseBytes } = FIXED;
  const { method } = request;
  return {
    method,
    url: query.length === 0 ? request.url : withQueryKeys(request.url, query),
    headers: mergeHeaders(request.engineHeaders, headers, request.templateHeaders),
    ...bodyOf(request),
    ...takerOf(request, wire, manner),
    allowPrivate: privateAccess(party.backend, request.origin),
    connectTimeoutMs: FIXED.connectTimeoutMs,
    timeoutMs: timeLimit(wire, manner, FIXED.attemptTimeoutMs + sendingMs(request)),
    maxResponseBytes: expendable
      ? Math.min(responseBytes, Math.max(1, wire.budget.bytesLeft()))
      : responseBytes,
    freshConnection: !expendable,
    signal: expendable ? wire.signal : undefined,
    mark: () => markOf(request, wire, party, manner),
  };
}

/** A request with what proves who sends it, where its credential signs each anew. */
async function signed(
  request: TransportRequest,
  sign: NonNullable<Injection["sign"]>,
  now: number,
): Promise<TransportRequest> {
  const { method, url, headers, stream } = request;
  const body = stream === undefined ? request.body : ("stream" as const);
  const proof = await sign({ method, url, headers, body }, now);
  return proof.length === 0 ? request : { ...request, headers: mergeHeaders(headers, [], proof) };
}

/** An answer that limits its caller. */
interface Limiting {
  readonly response: TransportResponse;
  readonly wire: RequestContext;
}

/**
 * The failure of a request that the API will not take now, with what it says, if it was asked (RUN-025,
 * RUN-150).
 */
export function rateLimited(
  request: WireRequest,
  status: number | null,
  waitMs: number | null,
  answer: Limiting | null,
): RunFailure {
  const apiText =
    answer === null
      ? null
      : bodyText(readBody(answer.response, FIXED.jsonDepth), answer.wire.redactor.redact);
  const quoted = apiText === null ? "" : `: "${apiText}"`;
  const seconds = waitMs === null ? null : Math.ceil(waitMs / 1000);
  const when = seconds === null ? "later" : `in ${seconds} s`;
  return new RunFailure(
    failure(
      "rate_limited",
      `${request.origin} limits how often it may be asked${quoted}.`,
      `try again ${when}`,
      {
        retryable: true,
        retryAfter: seconds,
        request: { ...requestName(request, status), apiText },
      },
    ),
  );
}

/** Whether a wait is longer than any the run may make. */
export const isTooLong = (wire: RequestContext, waitMs: number): boolean =>
  waitMs > FIXED.retryAfterCapMs || waitMs >= wire.budget.wallLeft();

/** Waits until requests of this host and credential may go on, or says that it is too long (RUN-025). */
async function awaitPause(request: WireRequest, wire: RequestContext, key: string): Promise<void> {
  const { clock } = wire.ports;
  for (;;) {
    const left = wire.pauses.until(key) - clock.now();
    if (left <= 0) return;
    if (isTooLong(wire, left)) throw rateLimited(request, null, left, null);
    await clock.sleep(left, wire.signal);
    if (wire.signal?.aborted === true) throw new RunStop("cancelled");
  }
}

const withHeaders = (sent: TransportRequest, more: readonly HeaderPair[]): TransportRequest =>
  more.length === 0 ? sent : { ...sent, headers: [...sent.headers, ...more] };

/** Sends a request with a credential once, counts it, and takes every known secret out of the answer (RUN-142). */
async function exchange(
  request: WireRequest,
  wire: RequestContext,
  party: BackendAccess,
  sent: TransportRequest,
  number: number,
): Promise<TransportOutcome> {
  const { clock, transport } = wire.ports;
  const name = {
    node: party.node,
    entryId: party.backend.entryId,
    method: request.method,
    origin: request.origin,
    pathTemplate: request.pathTemplate,
    attempt: number,
  };
  const watch = wire.onSending(name);
  const started = clock.now();
  const outcome = await transport.send(withHeaders(sent, watch?.headers ?? []));
  const status = outcome.ok ? outcome.response.status : null;
  const ms = clock.now() - started;
  watch?.ended(status, ms);
  wire.onSent({ ...name, status, ms });
  if (!outcome.ok) return outcome;
  wire.budget.addBytes(outcome.response.body.length);
  return { ok: true, response: redactedResponse(outcome.response, wire.redactor) };
}

/**
 * One attempt with the party's credential, if the origin may have it. A 401 on one that can be renewed
 * renews it and is tried once more (RUN-124).
 */
async function attempt(
  request: WireRequest,
  wire: RequestContext,
  party: BackendAccess,
  number: number,
  manner: AttemptOptions,
): Promise<TransportOutcome> {
  const { clock } = wire.ports;
  keepSecretsHome(request, wire.redactor);
  const allowed = mayAuthenticate(request.origin, party);
  const credential = allowed ? party.credential : NO_CREDENTIAL;
  const used = await credential.take();
  wire.budget.takeRequest();
  if (manner.before !== null) await manner.before();
  const plain = withCredential(request, wire, party, manner, used);
  const sent = used.sign === undefined ? plain : await signed(plain, used.sign, clock.now());
  const outcome = await exchange(request, wire, party, sent, number);
  if (!outcome.ok) {
    const { failure: what } = outcome;
    if (what.kind === "timeout" && sent.timeoutMs < FIXED.attemptTimeoutMs) {
      throw new RunStop("wall", cutByWall(what, requestName(request, null), wire, number));
    }
    return outcome;
  }
  if (outcome.response.status !== 401) credential.accepted(used);
  else if (wire.budget.stopped() === null) {
    const other = await credential.renew(used);
    if (other !== null) {
      wire.budget.takeRequest();
      const plain = withCredential(request, wire, party, manner, other);
      const again = other.sign === undefined ? plain : await signed(plain, other.sign, clock.now());
      const second = await exchange(request, wire, party, again, number);
      if (second.ok && second.response.status !== 401) credential.accepted(other);
      return second;
    }
  }
  return outcome;
}

const STILL_PAUSED = Promise.resolve(null);

/** What an attempt tells of how many requests its host takes at once (RUN-214). */
function passageOf(outcome: TransportOutcome | null, transport: WireRequest["transport"]): Passage {
  if (outcome?.ok !== true) return "nothing";
  return isRefusal(outcome.response, transport) ? "refused" : "passed";
}

/** Pauses of effects alone: a read that is refused is sent again, many an effect is not. */
const effectsOf = (key: string): string => `${key}\neffects`;

/**
 * One attempt, once there is a slot and no pause; a pause set while waiting is waited for, too. An effect waits besides
 * where its API said that no request is left, for at most a minute (RUN-216). Throws RunStop or, where a pause is too
 * long, RunFailure: then nothing was sent, but for a read that the end of the run's wall time cut off.
 */
export async function sendOnce(
  request: WireRequest,
  wire: RequestContext,
  party: BackendAccess,
  number: number,
  manner: AttemptOptions,
): Promise<TransportOutcome> {
  const { host } = request;
  const { clock } = wire.ports;
  const key = pauseKeyOf(request, party);
  const keys = manner.expendable ? [key] : [key, effectsOf(key)];
  const isPaused = (): boolean => keys.some((one) => wire.pauses.until(one) > clock.now());
  for (;;) {
    if (isPaused()) for (const one of keys) await awaitPause(request, wire, one);
    const outcome = await wire.gate.run(
      host,
      () => (isPaused() ? STILL_PAUSED : attempt(request, wire, party, number, manner)),
      (ended) => passageOf(ended, request.transport),
    );
    if (outcome === null) continue;
    const spent = outcome.ok ? spentMs(outcome.response, clock.now()) : null;
    if (spent !== null && !isTooLong(wire, spent)) {
      wire.pauses.set(effectsOf(key), clock.now() + spent);
    }
    return outcome;
  }
}

function holdsSecret({ url, body: sent }: WireRequest, redactor: Redactor): boolean {
  if (redactor.redact(url) !== url) return true;
  if (sent === null) return false;
  // Files were searched when they were taken (VAL-03).
  const body = "sha256" in sent ? sent.around : sent;
  const text = Buffer.from(body).toString("utf8");
  return redactor.redact(text) !== text || redactor.redactData(body) !== body;
}

/**
 * Refuses to send address or body with a known secret to a place that an answer or an identity led to:
 * what a template sends there goes without (RUN-027, RUN-141). Throws RunFailure.
 */
function keepSecretsHome(request: WireRequest, redactor: Redactor): void {
  if (request.trusted || !holdsSecret(request, redactor)) return;
  const { origin } = request;
  throw new RunFailure(
    failure(
      "origin_refused",
      `This request holds a secret of the session, and would go to ${origin}, which gets none.`,
      `set the backend to the address that answers itself, or list ${origin} in the catalog's allow_origins with send_auth`,
      { request: requestName(request, null) },
    ),
  );
}
