import type { Json, RequestDescription } from "@plasm/core";
import { apiText, markupText } from "../decode/api-text.ts";
import {
  headerValue,
  inlineAttachment,
  readBody,
  type ResponseBody,
} from "../decode/response-body.ts";
import { fingerprint } from "../request/fingerprint.ts";
import { FIXED } from "../limits/limits.ts";
import type { Exchange, Party } from "../limits/exchange.ts";
import { sendRead } from "../limits/send-read.ts";
import { addressRequest, identityPlace } from "../request/address-request.ts";
import { describeRequest, identityAddress } from "../request/build-request.ts";
import { type Call, type Environment, readEnvironment } from "../request/environment.ts";
import type { WireRequest } from "../request/wire-request.ts";
import type { FailedRequest } from "../run-error.ts";
import { failure, RunFailure } from "../run-failure.ts";
import type { Engine } from "./engine.ts";

/** The answer of one read that the API did not refuse. */
export interface Answer {
  readonly body: Json;
  /** HTTP 404 or 410 */
  readonly missing: boolean;
  readonly linkHeader: string | null;
  /** the URL that answered, without the credential's query key */
  readonly url: string;
  readonly bytes: number;
  /** how errors name the request */
  readonly request: FailedRequest;
}

/** A call ready to be sent: its environment, and its request before paging. */
export interface PreparedCall {
  readonly call: Call;
  readonly environment: Environment;
  readonly description: RequestDescription;
  /** the address that an identity is, in place of backend and path (RUN-021) */
  readonly at: ((party: Party) => string) | null;
}

/** Builds a call's request (RUN-010, RUN-020); throws RunFailure if its template cannot be filled. */
export function prepareCall(engine: Engine, call: Call): PreparedCall {
  const environment = readEnvironment(call);
  const address = identityAddress(call);
  const template = address?.template ?? call.template;
  const description = describeRequest(template, environment, engine.functions);
  const at =
    address === null
      ? null
      : (party: Party) => identityPlace(address.url, description.path, party.backend);
  return { call, environment, description, at };
}

/** A URL without the query key that carries a credential. */
export function withoutCredentialKey(url: string, party: Party): string {
  const { query } = party.credential;
  if (query === null) return url;
  const clean = new URL(url);
  clean.searchParams.delete(query[0]);
  return clean.href;
}

/** What an API says in a body of any kind. */
function said(engine: Engine, body: ResponseBody): string | null {
  const redact = engine.redactor.redact;
  switch (body.kind) {
    case "json":
      return apiText(body.value, redact);
    case "markup":
      return apiText(markupText(body.text), redact);
    case "broken":
      return apiText(body.text.slice(0, 4096), redact);
    case "other":
      return body.mediaType.startsWith("text/")
        ? apiText(new TextDecoder().decode(body.bytes.slice(0, 4096)), redact)
        : null;
  }
}

function scopesOf(call: Call): string {
  const rule = call.catalog.cgs.oauth?.capabilityRequirements.get(call.capability.name);
  return rule === undefined ? "" : `; it needs scopes ${JSON.stringify(rule)}`;
}

/** The failure for a status that is no success (RUN-039, RUN-124, RUN-150). */
function statusFailure(call: Call, request: FailedRequest): RunFailure {
  const name = `${request.method} ${request.origin}${request.pathTemplate}`;
  const quoted = request.apiText === null ? "" : `: "${request.apiText}"`;
  if (request.status === 401 || request.status === 403) {
    return new RunFailure(
      failure(
        "auth_refused",
        `${call.catalog.entryId} refuses the credential for ${call.capability.label} (${request.status})${quoted}.`,
        `check the credential and what it may do${scopesOf(call)}`,
        { request },
      ),
    );
  }
  const retryable = [502, 503, 504].includes(request.status ?? 0);
  return new RunFailure(
    failure(
      "upstream_error",
      `${name} answered ${request.status}${quoted}.`,
      retryable ? "try again later" : "check the arguments against what the API says",
      {
        retryable,
        request,
      },
    ),
  );
}

/** The JSON of a 2xx body; markup and broken JSON are `response_not_json` (RUN-038). */
function successBody(engine: Engine, body: ResponseBody, request: FailedRequest): Json {
  if (body.kind === "json") return body.value;
  if (body.kind === "other") return inlineAttachment(body.bytes, body.mediaType);
  const found = body.kind === "markup" ? "markup where JSON was expected" : `JSON, but ${body.why}`;
  throw new RunFailure(
    failure(
      "response_not_json",
      `${request.method} ${request.origin}${request.pathTemplate} answered ${found}.`,
      "check that the backend's address is that of the API",
      { request: { ...request, apiText: said(engine, body) } },
    ),
  );
}

function judge(
  engine: Engine,
  call: Call,
  party: Party,
  sent: WireRequest,
  exchange: Exchange,
): Answer {
  const { response } = exchange;
  const { status } = response;
  const { origin } = new URL(exchange.url);
  const named = { method: sent.method, origin, pathTemplate: sent.pathTemplate, status };
  const body = readBody(response, FIXED.jsonDepth);
  const request: FailedRequest = { ...named, apiText: null };
  const ok = status >= 200 && status < 300;
  const missing = status === 404 || status === 410;
  if (!ok && !(missing && call.capability.kind === "get")) {
    throw statusFailure(call, { ...named, apiText: said(engine, body) });
  }
  return {
    body: ok ? successBody(engine, body, request) : null,
    missing: !ok,
    linkHeader: headerValue(response.headers, "link") ?? null,
    url: withoutCredentialKey(exchange.url, party),
    bytes: response.body.length,
    request: missing ? { ...named, apiText: said(engine, body) } : request,
  };
}

/**
 * Sends one read of a call, equal ones once per run (RUN-023), and judges its status and form.
 * `at` is a next URL in place of the call's own address. Throws RunFailure or RunStop.
 */
export async function performRead(
  engine: Engine,
  node: string,
  prepared: PreparedCall,
  description: RequestDescription,
  at: string | null = null,
): Promise<Answer> {
  const { call } = prepared;
  const party = await engine.party(call.catalog.entryId, node);
  const place = at ?? prepared.at?.(party) ?? null;
  const sent = addressRequest(description, party.backend, FIXED.requestBytes, place);
  const key = `${fingerprint(sent, party.backend.base)} ${party.credential.id}`;
  const exchange = await engine.answers.once(call.catalog.entryId, key, () =>
    sendRead(sent, engine.wire, party),
  );
  return judge(engine, call, party, sent, exchange);
}
