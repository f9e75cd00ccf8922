import * as oauth from "oauth4webapi";
import type { Catalog } from "@plasm/core";
import { compareCodePoints } from "@plasm/core/internal";
import { RunFailure } from "../../base/run-failure.ts";
import type { AccessToken } from "../../ports.ts";
import { type EnvelopeClient, readEnvelope, writeEnvelope } from "./envelope.ts";
import { takesSecret } from "./hosted-envelope.ts";
import {
  addressFault,
  type OAuthProvider,
  openOAuthProvider,
  providerSettingName,
  providerSettings,
  SignInError,
  type SignInSetting,
} from "./oauth-provider.ts";
import { createRedactor } from "./redactor.ts";
import { type Grant, requestToken } from "./token-request.ts";

/** A sign-in under way: what is kept until the person comes back. Holds secrets. */
export interface PendingSignIn {
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly clientId: string;
  /** of a client that was registered for this sign-in alone */
  readonly clientSecret: string | null;
  readonly scopes: readonly string[];
}

/** Where a person goes to consent, and what is kept meanwhile. */
export interface BegunSignIn {
  readonly url: string;
  readonly pending: PendingSignIn;
}

/**
 * The scopes to ask for unless told otherwise: those of the set `default`, else of the smallest set, else all that the catalog
 * declares.
 */
export function defaultScopes({ cgs: { oauth: declared } }: Catalog): readonly string[] {
  if (declared === undefined) return [];
  const { defaultScopeSets: sets, scopes } = declared;
  const [[, smallest] = []] = [...sets].toSorted(
    ([a, { scopes: one }], [b, { scopes: other }]) =>
      one.length - other.length || compareCodePoints(a, b),
  );
  return (sets.get("default") ?? smallest)?.scopes ?? [...scopes.keys()];
}

interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string | null;
}

/** The application that people sign in to: the deployment's, the catalog's, or one that is registered now (RFC 7591). */
async function clientFor(
  { catalog }: SignInSetting,
  { server, settings, options }: OAuthProvider,
  redirectUri: string | null,
): Promise<OAuthClient> {
  const { entryId, cgs } = catalog;
  const provider = cgs.oauth?.provider ?? "";
  if (settings.clientId !== null)
    return { clientId: settings.clientId, clientSecret: settings.clientSecret };
  const ofCatalog = cgs.oauth?.clientId;
  if (ofCatalog !== undefined) return { clientId: ofCatalog, clientSecret: null };
  const setting = providerSettingName(provider, "CLIENT_ID");
  if (server.registration_endpoint === undefined) {
    throw new SignInError(
      `Signing in to ${entryId} needs the id of an application: register one with ${provider}${redirectUri === null ? "" : `, with the redirect address ${redirectUri}`}, and set ${setting}.`,
    );
  }
  const grants =
    redirectUri === null
      ? ["urn:ietf:params:oauth:grant-type:device_code"]
      : ["authorization_code"];
  try {
    const answer = await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: "Plasm",
        redirect_uris: redirectUri === null ? [] : [redirectUri],
        response_types: redirectUri === null ? [] : ["code"],
        grant_types: [...grants, "refresh_token"],
        token_endpoint_auth_method: "none",
        application_type: redirectUri?.startsWith("http://127.0.0.1") === false ? "web" : "native",
      },
      options,
    );
    const made = await oauth.processDynamicClientRegistrationResponse(answer);
    const secret = made["client_secret"];
    return { clientId: made.client_id, clientSecret: typeof secret === "string" ? secret : null };
  } catch (thrown) {
    if (thrown instanceof SignInError) throw thrown;
    throw new SignInError(
      `The sign-in server of ${entryId} registers no application for it${saidBy(thrown)}: register one with ${provider}, and set ${setting}.`,
      { cause: thrown },
    );
  }
}

// oxlint-disable-next-line no-control-regex -- naming them is the point
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;
const quoted = (text: string): string => text.replace(CONTROLS, " ").slice(0, 200);

/** What the server says of a failure, as data: one line. */
function saidBy(thrown: unknown): string {
  if (
    !(
      thrown instanceof oauth.ResponseBodyError ||
      thrown instanceof oauth.AuthorizationResponseError
    )
  )
    return "";
  const { error, error_description: more } = thrown;
  return ` ("${quoted(more === undefined ? error : `${error}: ${more}`)}")`;
}

function endpoint(
  { catalog, backend }: SignInSetting,
  { trusted }: OAuthProvider,
  address: string | undefined,
  what: string,
): URL {
  const { entryId } = catalog;
  if (address === undefined || !URL.canParse(address)) {
    throw new SignInError(`The sign-in server of ${entryId} has no ${what}.`);
  }
  const url = new URL(address);
  const fault = addressFault(url, backend, trusted);
  if (fault !== null) throw new SignInError(`The ${what} of ${entryId} ${fault}.`);
  return url;
}

/**
 * Begins a sign-in by authorization code with PKCE (RUN-127): where to send the person, who comes back to
 * `redirectUri`. Throws SignInError.
 */
export async function beginSignIn(
  setting: SignInSetting,
  redirectUri: string,
  scopes: readonly string[] = defaultScopes(setting.catalog),
): Promise<BegunSignIn> {
  const provider = await openOAuthProvider(setting);
  const url = endpoint(
    setting,
    provider,
    provider.server.authorization_endpoint,
    "address to sign in at",
  );
  endpoint(setting, provider, provider.server.token_endpoint, "token endpoint");
  const client = await clientFor(setting, provider, redirectUri);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const query: Readonly<Record<string, string>> = {
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    // Some servers give a refresh token only to whom they have asked (OpenID Connect Core, 11).
    ...(scopes.includes("offline_access") ? { prompt: "consent" } : {}),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const secret = client.clientId === provider.settings.clientId ? null : client.clientSecret;
  const pending = {
    state,
    verifier,
    redirectUri,
    clientId: client.clientId,
    clientSecret: secret,
    scopes,
  };
  return { url: url.href, pending };
}

/** Whether an answer belongs to a sign-in: what has another state is somebody else's, and changes nothing. */
export const isAnswerTo = ({ state }: PendingSignIn, answer: URLSearchParams): boolean =>
  answer.getAll("state").length === 1 && answer.get("state") === state;

/**
 * Ends a sign-in with the answer that the person came back with, and returns the envelope to store. Checks state and
 * issuer (RFC 9207) before anything is sent. Throws SignInError.
 */
export async function finishSignIn(
  setting: SignInSetting,
  pending: PendingSignIn,
  answer: URLSearchParams,
): Promise<string> {
  const { entryId } = setting.catalog;
  const provider = await openOAuthProvider(setting);
  const { server } = provider;
  let callback: URLSearchParams;
  if (!isAnswerTo(pending, answer)) {
    throw new SignInError(
      "This answer does not belong to the sign-in under way: nothing was connected.",
    );
  }
  try {
    callback = oauth.validateAuthResponse(
      server,
      { client_id: pending.clientId },
      answer,
      pending.state,
    );
  } catch (thrown) {
    if (thrown instanceof oauth.AuthorizationResponseError) {
      const denied = thrown.error === "access_denied";
      const what = denied ? "Consent was refused" : "The sign-in server refused";
      throw new SignInError(`${what}${saidBy(thrown)}: ${entryId} is not connected.`, {
        cause: thrown,
      });
    }
    const iss = answer.get("iss");
    throw new SignInError(
      `The answer comes from another sign-in server than the one that was asked (${quoted(iss ?? "it names none")} instead of ${server.issuer}): ${entryId} is not connected.`,
      { cause: thrown },
    );
  }
  const { redirectUri, verifier, clientId } = pending;
  const clientSecret = secretOf(pending, provider);
  const grant: Grant = {
    kind: "authorization_code",
    clientId,
    clientSecret,
    callback,
    redirectUri,
    verifier,
  };
  const token = await tokenFor(setting, provider, grant);
  return envelopeOf(setting, provider, token, pending);
}

const secretOf = (
  { clientId, clientSecret }: OAuthClient,
  { settings }: OAuthProvider,
): string | null => clientSecret ?? (clientId === settings.clientId ? settings.clientSecret : null);

async function tokenFor(
  setting: SignInSetting,
  { server, trusted }: OAuthProvider,
  grant: Grant,
): Promise<AccessToken> {
  const { transport, backend, now } = setting;
  const { redact, add: learn } = createRedactor();
  try {
    return await requestToken(grant, server.token_endpoint ?? "", {
      transport,
      backend,
      redact,
      learn,
      now,
      trusted,
    });
  } catch (thrown) {
    if (!(thrown instanceof RunFailure)) throw thrown;
    const { message, correction } = thrown.failure;
    throw new SignInError(`${message} To mend it, ${correction}.`, { cause: thrown });
  }
}

function envelopeOf(
  { catalog }: SignInSetting,
  { server, settings }: OAuthProvider,
  token: AccessToken,
  { clientId, clientSecret, scopes }: OAuthClient & { readonly scopes: readonly string[] },
): string {
  const client: EnvelopeClient = {
    clientId,
    clientSecret,
    tokenUrl: server.token_endpoint ?? "",
    revokeUrl: server.revocation_endpoint ?? null,
    issuer: settings.issuer,
  };
  // What is not said differs in nothing from what was asked for (RFC 6749, 5.1).
  const scope = token.scope ?? (scopes.length === 0 ? null : scopes.join(" "));
  return writeEnvelope({ ...token, scope }, catalog.entryId, client);
}

/** A code that a person types on another device. */
export interface DeviceCode {
  /** where the person goes */
  readonly url: string;
  /** the same with the code in it, where the server has that */
  readonly wholeUrl: string | null;
  readonly code: string;
  /** Asks until the person has consented; the envelope to store. Rejects with SignInError. */
  wait(sleep: (ms: number) => Promise<void>): Promise<string>;
}

const DEFAULT_INTERVAL_S = 5;

/** Begins a sign-in on another device (RFC 8628, RUN-127). Throws SignInError. */
export async function beginDeviceSignIn(
  setting: SignInSetting,
  scopes: readonly string[] = defaultScopes(setting.catalog),
): Promise<DeviceCode> {
  const { entryId } = setting.catalog;
  const provider = await openOAuthProvider(setting);
  const { server, options } = provider;
  endpoint(
    setting,
    provider,
    server.device_authorization_endpoint,
    "address for devices: sign in without --device",
  );
  const client = await clientFor(setting, provider, null);
  const authenticate =
    client.clientSecret === null ? oauth.None() : oauth.ClientSecretPost(client.clientSecret);
  const asked = { client_id: client.clientId };
  const form = scopes.length === 0 ? {} : { scope: scopes.join(" ") };
  let device: oauth.DeviceAuthorizationResponse;
  try {
    const answer = await oauth.deviceAuthorizationRequest(
      server,
      asked,
      authenticate,
      form,
      options,
    );
    device = await oauth.processDeviceAuthorizationResponse(server, asked, answer);
  } catch (thrown) {
    if (thrown instanceof SignInError) throw thrown;
    throw new SignInError(`The sign-in server gives ${entryId} no code${saidBy(thrown)}.`, {
      cause: thrown,
    });
  }
  const grant: Grant = { kind: "device_code", ...client, deviceCode: device.device_code };
  return {
    url: device.verification_uri,
    wholeUrl: device.verification_uri_complete ?? null,
    code: device.user_code,
    async wait(sleep) {
      const end = setting.now() + device.expires_in * 1000;
      let interval = (device.interval ?? DEFAULT_INTERVAL_S) * 1000;
      while (setting.now() < end) {
        await sleep(interval);
        try {
          const token = await tokenFor(setting, provider, grant);
          return envelopeOf(setting, provider, token, {
            ...client,
            clientSecret:
              client.clientId === provider.settings.clientId ? null : client.clientSecret,
            scopes,
          });
        } catch (thrown) {
          if (!(thrown instanceof oauth.ResponseBodyError)) throw thrown;
          if (thrown.error === "slow_down") interval += 5_000;
          else if (thrown.error === "access_denied") {
            throw new SignInError(`Consent was refused: ${entryId} is not connected.`, {
              cause: thrown,
            });
          } else if (thrown.error !== "authorization_pending") break;
        }
      }
      throw new SignInError(`The code has expired: ${entryId} is not connected. Begin again.`);
    },
  };
}

/**
 * Revokes the tokens of an envelope where its server has an endpoint for that (RFC 7009). False where it has none.
 * Throws SignInError where it refuses.
 */
export async function revokeEnvelope(setting: SignInSetting, value: string): Promise<boolean> {
  const { entryId, cgs } = setting.catalog;
  const reading = readEnvelope(value, entryId);
  if (!reading.ok) return false;
  const { token, client } = reading;
  const settings = providerSettings(cgs.oauth?.provider ?? "", setting.env);
  const known =
    client ??
    (settings.clientId === null
      ? null
      : { clientId: settings.clientId, clientSecret: null, revokeUrl: settings.revokeUrl });
  if (known?.revokeUrl === undefined || known.revokeUrl === null) return false;
  const provider = await openOAuthProvider(setting);
  const server = { ...provider.server, revocation_endpoint: known.revokeUrl };
  const isOurs =
    client === null ||
    (takesSecret(client, settings) && known.revokeUrl === provider.server.revocation_endpoint);
  const secret = known.clientSecret ?? (isOurs ? settings.clientSecret : null);
  const authenticate = secret === null ? oauth.None() : oauth.ClientSecretPost(secret);
  const asked = { client_id: known.clientId };
  try {
    for (const one of [token.refresh, token.access]) {
      if (one === null) continue;
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, asked, authenticate, one, provider.options),
      );
    }
    return true;
  } catch (thrown) {
    if (thrown instanceof SignInError) throw thrown;
    throw new SignInError(
      `The sign-in server of ${entryId} did not revoke the token${saidBy(thrown)}.`,
      { cause: thrown },
    );
  }
}
