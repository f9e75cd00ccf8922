import { Buffer } from "node:buffer";
import type { Catalog } from "@plasm/core";
import * as oauth from "oauth4webapi";
import manifest from "../../../package.json" with { type: "json" };
import type { Transport, TransportFailure } from "../../ports.ts";
import { type Backend, privateAccess } from "../effective-backend.ts";
import type { EnvelopeClient } from "./envelope.ts";

/** Why a person cannot be signed in, in words for that person. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  /** whether the sign-in server was out of order: later it may work */
  readonly isOutage: boolean;

  constructor(message: string, options: { cause?: unknown; isOutage?: boolean } = {}) {
    super(message, options);
    this.isOutage = options.isOutage ?? false;
  }
}

/** What a deployment says of an OAuth provider, in variables that begin with `PLASM_OAUTH_<PROVIDER>_`. */
export interface ProviderSettings {
  readonly issuer: string | null;
  readonly authorizeUrl: string | null;
  readonly tokenUrl: string | null;
  readonly deviceUrl: string | null;
  readonly revokeUrl: string | null;
  readonly clientId: string | null;
  /** null for a public client */
  readonly clientSecret: string | null;
}

/** The name of a setting of a provider, such as `PLASM_OAUTH_HARBOUR_ID_TOKEN_URL`. */
export const providerSettingName = (provider: string, setting: string): string =>
  `PLASM_OAUTH_${provider.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_${setting}`;

/** Reads what the deployment says of a provider. */
export function providerSettings(
  provider: string,
  env: (name: string) => string | undefined,
): ProviderSettings {
  const read = (setting: string): string | null =>
    env(providerSettingName(provider, setting))?.trim() || null;
  return {
    issuer: read("ISSUER"),
    authorizeUrl: read("AUTHORIZE_URL"),
    tokenUrl: read("TOKEN_URL"),
    deviceUrl: read("DEVICE_URL"),
    revokeUrl: read("REVOKE_URL"),
    clientId: read("CLIENT_ID"),
    clientSecret: read("CLIENT_SECRET"),
  };
}

/** Origins that the deployment itself names: they may be private addresses, and plain http on this machine. */
export const trustedOrigins = (settings: ProviderSettings): ReadonlySet<string> =>
  new Set(
    [settings.issuer, settings.tokenUrl, settings.deviceUrl, settings.revokeUrl]
      .filter((url) => url !== null && URL.canParse(url))
      .map((url) => new URL(url ?? "").origin),
  );

/**
 * The secret that goes along as an application: its own, else the deployment's, which is sent to the deployment's
 * application alone, at an address that the deployment or the metadata of its issuer names (RUN-127). Null for a public client.
 */
export const secretFor = (client: EnvelopeClient, settings: ProviderSettings): string | null => {
  const { clientId, clientSecret, tokenUrl, issuer } = client;
  const isOurs =
    clientId === settings.clientId &&
    (tokenUrl === settings.tokenUrl || (issuer !== null && issuer === settings.issuer));
  return clientSecret ?? (isOurs ? settings.clientSecret : null);
};

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/;

/** Why no secret may be sent to an address, or null: it must be https, but on this machine or the backend itself. */
export function addressFault(
  url: URL,
  backend: Backend,
  trusted: ReadonlySet<string>,
): string | null {
  if (url.protocol === "https:") return null;
  const own = url.origin === backend.origin;
  const local = trusted.has(url.origin) && LOOPBACK.test(url.hostname);
  return url.protocol === "http:" && (own || local) ? null : "is not https";
}

/** Whether an address may be private: the backend's own, and what the deployment names. */
export const mayBePrivate = (
  url: URL,
  backend: Backend,
  trusted: ReadonlySet<string>,
): boolean | "named" => (trusted.has(url.origin) ? "named" : privateAccess(backend, url.origin));

/** With what a person is signed in to the API of a catalog. */
export interface SignInSetting {
  readonly catalog: Catalog;
  readonly backend: Backend;
  readonly transport: Transport;
  readonly env: (name: string) => string | undefined;
  readonly now: () => number;
  /**
   * the public https address where this deployment describes itself as a client, and the one redirect address that stands there: its id
   * for servers that read such documents; null where it has none
   */
  readonly clientDocument?: { readonly url: string; readonly redirectUri: string } | null;
}

/** Whether a catalog says, or the deployment for it, how a person is signed in (RUN-127). */
export function offersSignIn(
  { cgs: { auth, oauth: declared } }: Catalog,
  env: (name: string) => string | undefined,
): boolean {
  if (declared === undefined) return false;
  if (auth.scheme === "none" || auth.scheme === "oauth2_client_credentials") return false;
  const set = providerSettings(declared.provider, env);
  return [
    set.issuer,
    set.authorizeUrl,
    set.deviceUrl,
    declared.issuer,
    declared.authorizeUrl,
    declared.deviceUrl,
  ].some((url) => url !== null && url !== undefined);
}

/** An authorization server, as its metadata or the catalog describes it. */
export interface OAuthProvider {
  readonly server: oauth.AuthorizationServer;
  readonly settings: ProviderSettings;
  readonly trusted: ReadonlySet<string>;
  /** what every request of the library takes: it makes the request, and never sees the network */
  readonly options: RequestOptions;
}

/** What the library's requests take besides. */
export interface RequestOptions {
  readonly [oauth.customFetch]: (
    url: string,
    options: oauth.CustomFetchOptions<string, oauth.ProtectedResourceRequestBody | undefined>,
  ) => Promise<Response>;
  readonly [oauth.allowInsecureRequests]: true;
}

const CONNECT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 30_000;
const MOST_BYTES = 512 * 1024;

function requestOptions(
  { backend, transport, catalog }: SignInSetting,
  trusted: ReadonlySet<string>,
): RequestOptions {
  return {
    // Addresses are checked here: only this machine's, and the backend's own, may be plain http.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (address, { method, headers, body }) => {
      const url = new URL(address);
      const fault = addressFault(url, backend, trusted);
      const place = `${url.origin}${url.pathname}`;
      if (fault !== null)
        throw new SignInError(`The address ${place} of ${catalog.entryId} ${fault}.`);
      const outcome = await transport.send({
        method: method === "GET" ? "GET" : "POST",
        url: url.href,
        headers: [
          ...Object.entries(headers).filter(([name]) => name.toLowerCase() !== "user-agent"),
          ["User-Agent", `plasm/${manifest.version}`],
        ],
        body: bodyOf(body),
        allowPrivate: mayBePrivate(url, backend, trusted),
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MOST_BYTES,
        freshConnection: false,
      });
      const name = `The sign-in server ${place} of ${catalog.entryId}`;
      if (!outcome.ok) throw noAnswer(name, outcome.failure);
      const { status, headers: answered, body: text } = outcome.response;
      if (status >= 500 || status === 429)
        throw new SignInError(`${name} answered ${status}; try again later.`, { isOutage: true });
      return responseOf(status, answered, text);
    },
  };
}

function noAnswer(name: string, { kind, detail }: TransportFailure): SignInError {
  if (kind === "address_refused")
    return new SignInError(`${name} is a private address, which only the deployment may name.`);
  return new SignInError(`${name} gave no answer (${detail}); try again.`, { isOutage: true });
}

/** The library sends forms and JSON, and nothing else. */
function bodyOf(body: unknown): Uint8Array | null {
  if (body instanceof URLSearchParams) return Buffer.from(body.toString(), "utf8");
  return typeof body === "string" ? Buffer.from(body, "utf8") : null;
}

function responseOf(
  status: number,
  headers: readonly (readonly [string, string])[],
  body: Uint8Array,
): Response {
  if (status < 200) return new Response(null, { status: 502 });
  const empty = status === 204 || status === 205 || status === 304;
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return new Response(empty ? null : Buffer.from(body).toString("utf8"), {
    status,
    headers: type === undefined ? {} : { "content-type": type },
  });
}

/** The metadata of an issuer; null where it publishes none. */
async function discovered(
  issuer: string,
  entryId: string,
  options: RequestOptions,
): Promise<oauth.AuthorizationServer | null> {
  const url = new URL(issuer);
  const look = async (algorithm: "oauth2" | "oidc") => {
    const answer = await oauth.discoveryRequest(url, { ...options, algorithm });
    return answer.status === 200 ? oauth.processDiscoveryResponse(url, answer) : null;
  };
  try {
    return (await look("oauth2")) ?? (await look("oidc"));
  } catch (thrown) {
    if (thrown instanceof SignInError) throw thrown;
    throw new SignInError(
      `The metadata of the sign-in server ${issuer} of ${entryId} is not that of this server: check the issuer that the catalog or the setting names.`,
      { cause: thrown },
    );
  }
}

/** Metadata without the addresses that an application's secret is sent to. */
function withoutEndpoints(metadata: oauth.AuthorizationServer | null): object {
  const {
    token_endpoint: _token,
    device_authorization_endpoint: _device,
    revocation_endpoint: _revocation,
    ...rest
  } = metadata ?? {};
  return rest;
}

/**
 * Finds out how people sign in to the API of a catalog (RUN-127): settings before the catalog, addresses before the
 * metadata of the issuer (RFC 8414, OpenID Connect Discovery). Where the deployment names the issuer, or has a secret for the application,
 * what takes that secret is named by the deployment alone. Throws SignInError.
 */
export async function openOAuthProvider(setting: SignInSetting): Promise<OAuthProvider> {
  const { catalog } = setting;
  const { entryId, cgs } = catalog;
  const declared = cgs.oauth;
  if (declared === undefined || !offersSignIn(catalog, setting.env)) {
    throw new SignInError(
      `${entryId} does not say how people sign in: its oauth names neither issuer nor authorize_url. Store a token with plasm auth set ${entryId}.`,
    );
  }
  const settings = providerSettings(declared.provider, setting.env);
  const trusted = trustedOrigins(settings);
  if (settings.clientSecret !== null && settings.issuer === null && settings.tokenUrl === null) {
    const name = (what: string): string => providerSettingName(declared.provider, what);
    throw new SignInError(
      `${name("CLIENT_SECRET")} is sent only where the deployment says: set ${name("ISSUER")} or ${name("TOKEN_URL")}.`,
    );
  }
  const options = requestOptions(setting, trusted);
  const issuer = settings.issuer ?? declared.issuer ?? null;
  const metadata = issuer === null ? null : await discovered(issuer, entryId, options);
  // Where the deployment names the provider, or has a secret for it, no catalog says where that goes.
  const isOurs = settings.issuer !== null;
  const isSecret = settings.clientSecret !== null;
  const found = isSecret && !isOurs ? withoutEndpoints(metadata) : metadata;
  const ofCatalog = (url: string | undefined, takesSecret: boolean): string | undefined =>
    isOurs || (isSecret && takesSecret) ? undefined : url;
  const given = {
    authorization_endpoint: settings.authorizeUrl ?? ofCatalog(declared.authorizeUrl, false),
    token_endpoint: settings.tokenUrl ?? ofCatalog(declared.tokenUrl, true),
    device_authorization_endpoint: settings.deviceUrl ?? ofCatalog(declared.deviceUrl, true),
    revocation_endpoint: settings.revokeUrl ?? ofCatalog(declared.revokeUrl, true),
  };
  const named = Object.fromEntries(
    Object.entries(given).filter(([, url]) => url !== undefined && url !== null),
  );
  // Without metadata an issuer is whom answers come from (RFC 9207), and all addresses must be named.
  if (issuer !== null && metadata === null && Object.keys(named).length === 0) {
    throw new SignInError(
      `The sign-in server ${issuer} of ${entryId} publishes no metadata: name its addresses beside the issuer, or check it.`,
    );
  }
  const first = Object.values(named)[0] as string | undefined;
  const server = {
    issuer: issuer ?? (first === undefined ? "" : new URL(first).origin),
    ...found,
    ...named,
  } as oauth.AuthorizationServer;
  return { server, settings, trusted, options };
}
