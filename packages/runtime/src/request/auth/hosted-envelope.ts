import type { Catalog } from "@plasm/core";
import type { AccessToken } from "../../ports.ts";
import type { Backend } from "../effective-backend.ts";
import {
  type Credential,
  type CredentialSetting,
  nameOfSecret,
  type SecretAuth,
} from "./credential.ts";
import { authMissing, unreadableSecret } from "./credential-help.ts";
import { type EnvelopeClient, readEnvelope, writeEnvelope } from "./envelope.ts";
import {
  providerSettingName,
  type ProviderSettings,
  providerSettings,
  trustedOrigins,
} from "./oauth-provider.ts";
import { StoredSecretError } from "./secret-keys.ts";
import { isFresh, tokenCredential } from "./token-credential.ts";
import { refreshedElsewhere } from "./token-failures.ts";
import { requestToken } from "./token-request.ts";

interface Hosted extends HostedValue {
  readonly client: EnvelopeClient | null;
}

interface HostedValue {
  readonly catalog: Catalog;
  readonly backend: Backend;
  readonly auth: SecretAuth;
  readonly setting: CredentialSetting;
  readonly hostedKey: string;
  readonly value: string;
}

/** Why a token that has ended is not refreshed, and what to do. */
function whyNot({ catalog }: Hosted, token: AccessToken): string {
  if (token.refresh === null) return "its access token has expired and there is no refresh_token";
  const provider = catalog.cgs.oauth?.provider;
  if (provider === undefined) {
    return "its access token has expired and the catalog names no oauth.provider to refresh it";
  }
  const name = (setting: string): string => providerSettingName(provider, setting);
  return `its access token has expired; to refresh it, set ${name("TOKEN_URL")} and ${name("CLIENT_ID")}`;
}

/** What another process, or the operator, has put in place of the envelope meanwhile. */
async function standingToken(
  hosted: Hosted,
): Promise<{ value: string; token: AccessToken; client: EnvelopeClient | null } | null> {
  const { catalog, setting, hostedKey } = hosted;
  const value = (await setting.secrets.hosted(hostedKey, setting.scope))?.trim() ?? "";
  const reading = readEnvelope(value, catalog.entryId);
  return reading.ok ? { value, token: reading.token, client: reading.client } : null;
}

async function refreshNow(
  hosted: Hosted,
  provider: RefreshSettings,
  held: AccessToken,
): Promise<AccessToken> {
  const { catalog, backend, setting, hostedKey } = hosted;
  const { transport, clock, redactor, secrets, scope } = setting;
  const standing = await standingToken(hosted);
  const isOther = standing !== null && standing.token.access !== held.access;
  if (isOther && isFresh(standing.token, clock.now())) return standing.token;
  const from = isOther ? standing.token : held;
  const { redact, add: learn } = redactor;
  const { tokenUrl, clientId, clientSecret, trusted } = provider;
  const wire = { transport, backend, redact, learn, now: () => clock.now(), trusted };
  const refreshToken = from.refresh ?? held.refresh ?? "";
  const grant = { kind: "refresh_token", clientId, clientSecret, refreshToken } as const;
  const answer = await requestToken(grant, tokenUrl, wire);
  // A server that gives no new refresh token lets the old one stand; what it does not say stands, too.
  const token: AccessToken = Object.freeze({
    ...answer,
    refresh: answer.refresh ?? refreshToken,
    scope: answer.scope ?? from.scope,
  });
  const before = standing?.value ?? hosted.value;
  const envelope = writeEnvelope(token, catalog.entryId, standing?.client ?? hosted.client);
  try {
    await secrets.keepHosted?.(hostedKey, scope, before, envelope);
  } catch {
    // The refresh token is spent: what came for it serves as long as the token cache lives.
  }
  return token;
}

/**
 * Gets another token for the one held, one process at a time: a refresh token that rotates is lost where two
 * spend it.
 */
async function refresh(
  hosted: Hosted,
  provider: RefreshSettings,
  held: AccessToken,
): Promise<AccessToken> {
  const { hostedKey, setting, catalog } = hosted;
  const { secrets, scope } = setting;
  const work = (): Promise<AccessToken> => refreshNow(hosted, provider, held);
  if (secrets.exclusively === undefined) return work();
  try {
    const token = await secrets.exclusively(hostedKey, scope, work);
    if (token === null) throw refreshedElsewhere(catalog.entryId);
    return token;
  } catch (thrown) {
    if (thrown instanceof StoredSecretError) throw unreadableSecret(catalog.entryId, thrown);
    throw thrown;
  }
}

/**
 * The credential that a hosted envelope holds (RUN-123). It is refreshed at the token endpoint that its sign-in found
 * (RUN-127), else at the one that the deployment sets for the catalog's `oauth.provider`, and kept in place of the old one. Throws
 * `auth_missing` for an envelope that cannot be used.
 */
export function hostedEnvelope(given: HostedValue): Credential {
  const { catalog, auth, setting, hostedKey, value } = given;
  const { scope, secrets } = setting;
  const reading = readEnvelope(value, catalog.entryId);
  const unusable = (why: string) =>
    authMissing(catalog, scope, [`hosted key ${hostedKey} (${why})`]);
  if (!reading.ok) throw unusable(reading.why);
  const { token, client } = reading;
  const hosted = { ...given, client };
  for (const secret of [token.access, token.refresh, client?.clientSecret])
    setting.redactor.add(secret ?? "");
  const { oauth } = catalog.cgs;
  const provider =
    oauth === undefined || token.refresh === null
      ? null
      : refreshSettings(oauth.provider, client, (name) => secrets.env(name));
  const { tenant, principal = "" } = scope;
  const name = nameOfSecret(tenant, principal, catalog.entryId, hostedKey, value);
  const renew =
    provider === null
      ? null
      : (held: AccessToken | null): Promise<AccessToken> =>
          refresh(hosted, provider, held ?? token);
  const source = {
    id: name,
    key: name,
    first: token,
    renew,
    expired: unusable(whyNot(hosted, token)),
  };
  return tokenCredential({ auth, source, setting });
}

/** Where tokens of an envelope are refreshed, and as which application. */
interface RefreshSettings {
  readonly tokenUrl: string;
  readonly clientId: string;
  /** null for a public client */
  readonly clientSecret: string | null;
  readonly trusted: ReadonlySet<string>;
}

/** As the sign-in wrote it down, else as the deployment says (RUN-123); null where neither does. */
function refreshSettings(
  provider: string,
  client: EnvelopeClient | null,
  env: (name: string) => string | undefined,
): RefreshSettings | null {
  const settings = providerSettings(provider, env);
  const trusted = trustedOrigins(settings);
  if (client !== null) {
    const { clientId, tokenUrl } = client;
    const ofDeployment = takesSecret(client, settings) ? settings.clientSecret : null;
    return { tokenUrl, clientId, clientSecret: client.clientSecret ?? ofDeployment, trusted };
  }
  const { tokenUrl, clientId, clientSecret } = settings;
  if (tokenUrl === null || clientId === null) return null;
  return { tokenUrl, clientId, clientSecret, trusted };
}

/** Whether the deployment's own secret may go where a sign-in says: to its application, at an address that it named itself. */
export const takesSecret = (
  { clientId, tokenUrl, issuer }: EnvelopeClient,
  settings: ProviderSettings,
): boolean =>
  clientId === settings.clientId &&
  (tokenUrl === settings.tokenUrl || (issuer !== null && issuer === settings.issuer));
