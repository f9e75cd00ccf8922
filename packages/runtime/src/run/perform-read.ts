import type { Json } from "@plasm/core";
import type { RequestDescription } from "@plasm/core/internal";
import { pagingHeaders } from "../decode/more-signs.ts";
import type { HeaderPair } from "../ports.ts";
import { headerValue, readBodyInSteps, xmlReader } from "../decode/response-body.ts";
import { readKey } from "../request/fingerprint.ts";
import { FIXED } from "../limits/limits.ts";
import { inSlices } from "../base/turns.ts";
import { type Exchange, originOf, type BackendAccess, requestName } from "../limits/exchange.ts";
import { type RunEngine, rowsName } from "./engine.ts";
import { TEXT_MEMORY } from "../limits/row-budget.ts";
import { sendRead } from "../limits/send-read.ts";
import { addressRequest, identityPlace, NO_FILES } from "../request/address-request.ts";
import { describeRequest, identityAddress } from "../request/build-request.ts";
import { withEngineNames } from "../request/engine-names.ts";
import {
  type CapabilityCall,
  type CallEnvironment,
  readCallEnvironment,
} from "../request/environment.ts";
import type { WireRequest } from "../request/wire-request.ts";
import type { FailedRequest } from "../base/run-failure.ts";
import { isFileBody, storeLargeFile, takingFiles, withFiles } from "./files.ts";
import { heldForHook, runHook } from "./response-hook.ts";
import { requireScopes, said, statusFailure, successBody } from "./response-failures.ts";

/** The answer of one read that the API did not refuse. */
export interface ReadAnswer {
  readonly body: Json;
  /** some of its bytes are no text, and are U+FFFD in the body */
  readonly malformed?: boolean;
  /** HTTP 404 or 410 */
  readonly missing: boolean;
  readonly linkHeader: string | null;
  /** what its headers say of how a list goes on */
  readonly paging: readonly HeaderPair[];
  /** the URL that answered, without the credential's query key */
  readonly url: string;
  /** whether a redirect led to another path than was asked */
  readonly moved: boolean;
  readonly bytes: number;
  /** what it was counted as in the run's memory, in bytes; nothing where it came with an equal read before */
  readonly held?: number;
  /** how errors name the request */
  readonly request: FailedRequest;
}

/** A call ready to be sent: its environment, and its request before paging. */
export interface PreparedCall {
  readonly call: CapabilityCall;
  readonly environment: CallEnvironment;
  readonly description: RequestDescription;
  /** the address that an identity is, in place of backend and path (RUN-021) */
  readonly at: ((party: BackendAccess) => string) | null;
}

/** The names of a call as its template sees them (RUN-010, RUN-014, RUN-015). */
export function callNames(
  engine: RunEngine,
  call: CapabilityCall,
  names: CallEnvironment,
): CallEnvironment {
  const variables = engine.variables.of(call.catalog.entryId);
  return withEngineNames(call, names, variables, engine.context.session);
}

/**
 * Builds a call's request in the environment of a read, or in another one (RUN-010, RUN-020); throws
 * RunFailure if its template cannot be filled.
 */
export function prepareCall(
  engine: RunEngine,
  call: CapabilityCall,
  environment: CallEnvironment = readCallEnvironment(call),
): PreparedCall {
  const address = identityAddress(call);
  const template = address?.template ?? call.template;
  const names = callNames(engine, call, environment);
  const description = describeRequest(template, names, engine.functions);
  const at =
    address === null
      ? null
      : (party: BackendAccess) => identityPlace(address.url, description.path, party.backend);
  return { call, environment, description, at };
}

/** A URL without the query keys that carry a credential. */
export function withoutCredentialKey(url: string, party: BackendAccess): string {
  const { queryKeys } = party.credential;
  if (queryKeys.length === 0) return url;
  const clean = new URL(url);
  for (const key of queryKeys) clean.searchParams.delete(key);
  return clean.href;
}

async function judge(
  engine: RunEngine,
  call: CapabilityCall,
  party: BackendAccess,
  sent: WireRequest,
  exchange: Exchange,
): Promise<ReadAnswer> {
  const response = { ...exchange.response };
  const { status } = response;
  const origin = originOf(exchange, sent);
  const named = { ...requestName(sent, status), origin };
  const ok = status >= 200 && status < 300;
  const shape = call.template.response;
  const xml = ok && shape.xml !== undefined ? await xmlReader(shape) : undefined;
  const body = await inSlices(readBodyInSteps(response, FIXED.jsonDepth, xml), engine.pause);
  const request: FailedRequest = { ...named, apiText: null };
  const missing = status === 404 || status === 410;
  if (!ok && !(missing && call.capability.kind === "get")) {
    throw statusFailure(call, { ...named, apiText: said(engine, body, call) });
  }
  return {
    body: ok ? successBody(engine, body, request, call) : null,
    malformed: body.kind === "json" && body.malformed === true,
    missing: !ok,
    linkHeader: headerValue(response.headers, "link") ?? null,
    paging: pagingHeaders(response.headers),
    url: withoutCredentialKey(exchange.url, party),
    moved:
      exchange.url !== sent.url && new URL(exchange.url).pathname !== new URL(sent.url).pathname,
    bytes: response.body.length,
    request: missing ? { ...named, apiText: said(engine, body, call) } : request,
  };
}

/** Answers of fewer bytes stay where they are. */
const SMALL_BODY = 32 * 1024;

/** An answer as equal reads share it (RUN-023): the rows that were made of it are read often, its text hardly ever. */
function shelved({ shelf }: RunEngine, exchange: Exchange): Exchange {
  const { body, ...rest } = exchange.response;
  if (body.length < SMALL_BODY) return exchange;
  const { length } = body;
  const kept = shelf.put(body);
  const response = {
    ...rest,
    get body(): Uint8Array {
      return kept.read(0, length);
    },
  };
  return { ...exchange, response };
}

/** A request of a next URL, which may lead to another path than the call's own. */
function namedPage(sent: WireRequest, own: WireRequest): WireRequest {
  const { pathname } = new URL(sent.url);
  return pathname === new URL(own.url).pathname ? sent : { ...sent, askedPath: pathname };
}

/**
 * Sends one read of a call, equal ones once per run (RUN-023), and judges its status and form.
 * `at` is a next URL in place of the call's own address. Throws RunFailure or RunStop.
 */
export async function performRead(
  engine: RunEngine,
  node: string,
  prepared: PreparedCall,
  description: RequestDescription,
  at: string | null = null,
): Promise<ReadAnswer> {
  const { call } = prepared;
  const party = await engine.party(call.catalog.entryId, node);
  if (call.catalog.cgs.oauth !== undefined) await requireScopes(call, party);
  const place = at ?? prepared.at?.(party) ?? null;
  const { request, files } =
    description.body === undefined
      ? { request: description, files: NO_FILES }
      : await withFiles(engine, description);
  const addressed = (to: string | null): WireRequest =>
    addressRequest(request, party.backend, FIXED.requestBytes, to, files);
  const own = at === null ? addressed(place) : namedPage(addressed(at), addressed(null));
  const sent = takingFiles(engine, call, heldForHook(call, own));
  const key = `${readKey(sent, party.backend.base, party.credential.queryKeys)} ${party.credential.id}`;
  try {
    let held = 0;
    const exchange = await engine.answers.once(call.catalog.entryId, key, async () => {
      const fresh = await engine.rows.fetch(
        () => rowsName(engine, node),
        () => sendRead(sent, engine.wire, party),
        ({ response }) => response.body.length,
      );
      held = fresh.response.body.length * TEXT_MEMORY;
      return shelved(engine, fresh);
    });
    const answer = { ...(await judge(engine, call, party, sent, exchange)), held };
    if (answer.missing) return answer;
    const names = () => callNames(engine, call, prepared.environment);
    const body = isFileBody(answer.body)
      ? await storeLargeFile(engine, call, answer.body)
      : answer.body;
    const shown = runHook(engine, call, names, body);
    return shown === answer.body ? answer : { ...answer, body: shown };
  } finally {
    await sent.held?.release();
  }
}
