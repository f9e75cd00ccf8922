import { Buffer } from "node:buffer";
import * as oauth from "oauth4webapi";
import manifest from "../../../package.json" with { type: "json" };
import type {
  HeaderPair,
  RequestMark,
  AccessToken,
  Transport,
  TransportResponse,
} from "../../ports.ts";
import { type Backend, rewriteToBackend } from "../effective-backend.ts";
import { fingerprintOf, placeBehind } from "../fingerprint.ts";
import { RunFailure } from "../../base/run-failure.ts";
import { isSendable } from "./credential.ts";
import { jsonObjectOf } from "./envelope.ts";
import { addressFault, mayBePrivate } from "./oauth-provider.ts";
import { maskTokens } from "./redactor.ts";
import {
  noAnswer,
  notAToken,
  tokenStatus,
  type TokenEndpoint,
  tokenFailure,
  unusableEndpoint,
} from "./token-failures.ts";

/** What a token is asked for with. */
export type Grant =
  | {
      readonly kind: "client_credentials";
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scopes: readonly string[];
    }
  | {
      readonly kind: "refresh_token";
      readonly clientId: string;
      readonly clientSecret: string | null;
      readonly refreshToken: string;
      /** what to do where it is refused */
      readonly remedy: string;
    }
  | {
      readonly kind: "authorization_code";
      readonly clientId: string;
      readonly clientSecret: string | null;
      /** the answer that the person came back with, as the library has validated it */
      readonly callback: URLSearchParams;
      readonly redirectUri: string;
      readonly verifier: string;
    }
  | {
      readonly kind: "device_code";
      readonly clientId: string;
      readonly clientSecret: string | null;
      readonly deviceCode: string;
    };

/** Where and how token requests are sent. */
export interface TokenWire {
  readonly transport: Transport;
  readonly backend: Backend;
  readonly redact: (text: string) => string;
  readonly learn: (secret: string) => void;
  readonly now: () => number;
  /** origins that the deployment names: they may be private, and plain http on this machine */
  readonly trusted?: ReadonlySet<string>;
}

const NONE_TRUSTED: ReadonlySet<string> = new Set();

/** RUN-122 and RUN-123. */
const TIMEOUT_MS = {
  client_credentials: 15_000,
  refresh_token: 30_000,
  authorization_code: 30_000,
  device_code: 30_000,
} as const;
const CONNECT_TIMEOUT_MS = 10_000;
const MOST_BYTES = 256 * 1024;
/** RUN-122: how long a token lasts whose answer does not say it, in seconds. */
const DEFAULT_LIFETIME = 3_600;

/** Client secrets go over TLS, but to the backend, whatever address the deployment gave it. */
function endpointOf(
  tokenUrl: string,
  { backend, trusted = NONE_TRUSTED }: TokenWire,
): TokenEndpoint {
  const { entryId } = backend;
  if (!URL.canParse(tokenUrl)) throw unusableEndpoint(entryId, "is no http(s) URL");
  const url = rewriteToBackend(new URL(tokenUrl), backend);
  const fault = addressFault(url, backend, trusted);
  if (fault === null) return { url, entryId };
  throw unusableEndpoint(entryId, fault);
}

/** What a recording knows a token request by: neither client nor secret (RUN-160). */
function markOf(url: URL, form: URLSearchParams, wire: TokenWire): RequestMark {
  const shape = {
    transport: "token",
    method: "POST",
    path: placeBehind(url, wire.backend.base),
    query: [],
    format: "application/x-www-form-urlencoded",
    template: url.pathname,
  };
  const told = [...form].filter(([name]) => name === "grant_type" || name === "scope");
  return {
    fingerprint: fingerprintOf(shape, told),
    shape,
    effect: false,
    redact: wire.redact,
    redactBody: (data) =>
      Buffer.from(wire.redact(maskTokens(Buffer.from(data).toString("utf8"))), "utf8"),
  };
}

/** A fetch on the transport port: the library makes the request, and never sees the network. */
function fetchOn(wire: TokenWire, endpoint: TokenEndpoint, timeoutMs: number) {
  return async (
    _url: string,
    { body, headers }: oauth.CustomFetchOptions<"POST", URLSearchParams>,
  ): Promise<Response> => {
    const { url } = endpoint;
    for (const value of Object.values(headers)) learnBasic(value, wire);
    const pairs: HeaderPair[] = [
      ...Object.entries(headers).filter(([name]) => name.toLowerCase() !== "user-agent"),
      ["User-Agent", `plasm/${manifest.version}`],
    ];
    const outcome = await wire.transport.send({
      method: "POST",
      url: url.href,
      headers: pairs,
      body: Buffer.from(body.toString(), "utf8"),
      allowPrivate: mayBePrivate(url, wire.backend, wire.trusted ?? NONE_TRUSTED),
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      timeoutMs,
      maxResponseBytes: MOST_BYTES,
      freshConnection: false,
      mark: () => markOf(url, body, wire),
    });
    if (!outcome.ok) throw noAnswer(endpoint, outcome.failure);
    return readableResponse(outcome.response);
  };
}

/** `Basic` credentials are a writing of the client secret of their own. */
function learnBasic(header: string, wire: TokenWire): void {
  const [, text] = /^Basic (.+)$/.exec(header) ?? [];
  if (text !== undefined) wire.learn(text);
}

/**
 * The answer as the library takes it. Some servers leave out `token_type` or name kinds of their own;
 * some answer 201, or errors with 200; an `id_token` is of no use here and would be judged by rules for
 * signing in.
 */
function readableResponse({ status, body }: TransportResponse): Response {
  if (status < 200 || status === 204 || status === 205 || status === 304) {
    return new Response(null, { status: 502 });
  }
  const text = Buffer.from(body).toString("utf8");
  const value = jsonObjectOf(text);
  if (value === null) return new Response(text, { status });
  const json = { ...value, token_type: "bearer", id_token: undefined };
  const success = typeof value["error"] === "string" ? 400 : 200;
  return Response.json(json, { status: status < 300 ? success : status });
}

async function ask(
  grant: Grant,
  authenticate: oauth.ClientAuth,
  endpoint: TokenEndpoint,
  wire: TokenWire,
): Promise<oauth.TokenEndpointResponse> {
  const { url } = endpoint;
  const server = { issuer: url.origin, token_endpoint: url.href };
  const client = { client_id: grant.clientId };
  const options = {
    [oauth.customFetch]: fetchOn(wire, endpoint, TIMEOUT_MS[grant.kind]),
    // Checked above: only the backend itself may be plain http.
    [oauth.allowInsecureRequests]: true,
  };
  if (grant.kind === "refresh_token") {
    const { refreshToken } = grant;
    return oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, authenticate, refreshToken, options),
    );
  }
  if (grant.kind === "authorization_code") {
    const { callback, redirectUri, verifier } = grant;
    return oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authenticate,
        callback,
        redirectUri,
        verifier,
        options,
      ),
    );
  }
  if (grant.kind === "device_code") {
    const { deviceCode } = grant;
    return oauth.processDeviceCodeResponse(
      server,
      client,
      await oauth.deviceCodeGrantRequest(server, client, authenticate, deviceCode, options),
    );
  }
  const form = new URLSearchParams();
  if (grant.scopes.length > 0) form.set("scope", grant.scopes.join(" "));
  return oauth.processClientCredentialsResponse(
    server,
    client,
    await oauth.clientCredentialsGrantRequest(server, client, authenticate, form, options),
  );
}

/** Whether a server that refused a client may have wanted its secret in the other place (RFC 6749, 2.3.1). */
const wantsBasic = (error: unknown): boolean =>
  error instanceof oauth.ResponseBodyError
    ? error.error === "invalid_client"
    : error instanceof oauth.OperationProcessingError && tokenStatus(error) === 401;

async function askEitherWay(
  grant: Grant,
  endpoint: TokenEndpoint,
  wire: TokenWire,
): Promise<oauth.TokenEndpointResponse> {
  const { clientSecret } = grant;
  if (clientSecret === null) return ask(grant, oauth.None(), endpoint, wire);
  try {
    return await ask(grant, oauth.ClientSecretPost(clientSecret), endpoint, wire);
  } catch (error) {
    if (!wantsBasic(error)) throw error;
    return ask(grant, oauth.ClientSecretBasic(clientSecret), endpoint, wire);
  }
}

function scopeOf(grant: Grant, answer: oauth.TokenEndpointResponse): string | null {
  if (answer.scope !== undefined) return answer.scope;
  // What is not said differs in nothing from what was asked for (RFC 6749, 5.1).
  return grant.kind === "client_credentials" && grant.scopes.length > 0
    ? grant.scopes.join(" ")
    : null;
}

/** When a token ends; null for one that a person signed in for and that is good until it is revoked. */
function endOf({ kind }: Grant, lifetime: number | undefined, now: number): number | null {
  const isPersons = kind === "authorization_code" || kind === "device_code";
  if (lifetime === undefined && isPersons) return null;
  return now + (lifetime ?? DEFAULT_LIFETIME) * 1000;
}

/**
 * Asks a token endpoint for a token: a form POST, the client's secret in the form or, where the server
 * wants that, as Basic credentials (RUN-122, RUN-123). Every secret in the answer is learnt before
 * anything of it is told. Throws RunFailure.
 */
export async function requestToken(
  grant: Grant,
  tokenUrl: string,
  wire: TokenWire,
): Promise<AccessToken> {
  const endpoint = endpointOf(tokenUrl, wire);
  if (grant.clientSecret !== null) wire.learn(grant.clientSecret);
  if (grant.kind === "refresh_token") wire.learn(grant.refreshToken);
  try {
    const answer = await askEitherWay(grant, endpoint, wire);
    const { access_token: access, refresh_token: refresh, expires_in: lifetime } = answer;
    for (const secret of [access, refresh]) if (secret !== undefined) wire.learn(secret);
    if (access.trim() === "" || !isSendable(access)) throw notAToken(endpoint);
    return Object.freeze({
      access,
      refresh: refresh ?? null,
      expiresAt: endOf(grant, lifetime, wire.now()),
      scope: scopeOf(grant, answer),
    });
  } catch (error) {
    if (error instanceof RunFailure) throw error;
    // Whoever waits for a device looks at what the server says of it.
    if (grant.kind === "device_code" && error instanceof oauth.ResponseBodyError) throw error;
    throw tokenFailure(endpoint, grant, error, wire.redact);
  }
}
