import type { Catalog } from "@plasm/core";
import type { AccessToken } from "../../ports.ts";
import type { RunFailure } from "../../base/run-failure.ts";
import type { Backend } from "../effective-backend.ts";
import {
  type Credential,
  type CredentialSetting,
  nameOfSecret,
  type SecretAuth,
} from "./credential.ts";
import { authMissing, renewalHelp, signedInAnew, unreadableSecret } from "./credential-help.ts";
import { endedEnvelope, type EnvelopeClient, readEnvelope, writeEnvelope } from "./envelope.ts";
import {
  providerSettingName,
  providerSettings,
  secretFor,
  trustedOrigins,
} from "./oauth-provider.ts";
import { StoredSecretError } from "./secret-keys.ts";
import { isFresh, tokenCredential } from "./token-credential.ts";
import { isGrantRefused, refreshedElsewhere } from "./token-failures.ts";
import { requestToken } from "./token-request.ts";

/** What a hosted value gave: a token, and what it was obtained from. The two are never taken from different values. */
interface HeldEnvelope {
  readonly value: string;
  readonly token: AccessToken;
  readonly client: EnvelopeClient | null;
  readonly signIn: string | null;
  readonly ended: boolean;
}

interface Hosted extends HostedValue {
  readonly own: HeldEnvelope;
}

interface HostedValue {
  readonly catalog: Catalog;
  readonly backend: Backend;
  readonly auth: SecretAuth;
  readonly setting: CredentialSetting;
  readonly hostedKey: string;
  readonly value: string;
}

const ENDED = "its server has refused to refresh it, so that only another sign-in helps";

const GONE = "it was removed or replaced meanwhile";

/** Why a token that has ended is not refreshed, and what to do. */
function whyNot({ catalog }: HostedValue, token: AccessToken): string {
  if (token.refresh === null) return "its access token has expired and there is no refresh_token";
  const provider = catalog.cgs.oauth?.provider;
  if (provider === undefined) {
    return "its access token has expired and the catalog names no oauth.provider to refresh it";
  }
  const name = (setting: string): string => providerSettingName(provider, setting);
  return `its access token has expired; to refresh it, set ${name("TOKEN_URL")} and ${name("CLIENT_ID")}`;
}

const unusable = ({ catalog, setting, hostedKey }: HostedValue, why: string): RunFailure =>
  authMissing(catalog, setting.scope, [`hosted key ${hostedKey} (${why})`]);

/**
 * What another process, or the operator, has put in place of the envelope meanwhile; null if it stands as it was. Throws
 * `auth_missing` where there is no envelope any more: whoever removed it wants no other token for it; and where somebody has signed in
 * anew, perhaps as another account than what the run began with (RUN-129).
 */
async function replacement(hosted: Hosted): Promise<HeldEnvelope | null> {
  const { catalog, setting, hostedKey, own } = hosted;
  const value = (await setting.secrets.hosted(hostedKey, setting.scope))?.trim() ?? "";
  if (value === own.value) return null;
  const reading = readEnvelope(value, catalog.entryId);
  if (!reading.ok) throw unusable(hosted, GONE);
  if (reading.signIn !== own.signIn) throw signedInAnew(catalog.entryId);
  return { ...reading, value };
}

async function refreshNow(hosted: Hosted, held: AccessToken): Promise<AccessToken> {
  const { catalog, backend, setting, hostedKey, own } = hosted;
  const { transport, clock, redactor, secrets, scope } = setting;
  const standing = await replacement(hosted);
  const isOther = standing !== null && standing.token.access !== held.access;
  if (isOther && standing.ended) throw unusable(hosted, ENDED);
  if (isOther && isFresh(standing.token, clock.now())) return standing.token;
  // The token in hand may be newer than the envelope that it came for, if that could not be kept.
  const from = isOther ? standing : { ...(standing ?? own), token: held };
  const refreshToken = from.token.refresh;
  const provider = refreshSettings(catalog, from.client, (name) => secrets.env(name));
  if (refreshToken === null || provider === null)
    throw unusable(hosted, whyNot(hosted, from.token));
  const { redact, add: learn } = redactor;
  const { tokenUrl, clientId, clientSecret, trusted } = provider;
  const wire = { transport, backend, redact, learn, now: () => clock.now(), trusted };
  const { tenant, principal = null } = scope;
  const owner = secrets.holder?.(hostedKey, scope) ?? {
    tenant: principal === null ? null : tenant,
    principal,
  };
  const remedy = renewalHelp(catalog.entryId, hostedKey, owner);
  const grant = { kind: "refresh_token", clientId, clientSecret, refreshToken, remedy } as const;
  const keep = async (envelope: string): Promise<void> => {
    try {
      await secrets.keepHosted?.(hostedKey, scope, from.value, envelope);
    } catch {
      // The refresh token is spent: what came for it serves as long as the token cache lives.
    }
  };
  let answer: AccessToken;
  try {
    answer = await requestToken(grant, tokenUrl, wire);
  } catch (thrown) {
    // Where the deployment says as whom, a refusal may be of that setting: it is no end of the token.
    if (from.client !== null && isGrantRefused(thrown)) await keep(endedEnvelope(from.value) ?? "");
    throw thrown;
  }
  // A server that gives no new refresh token lets the old one stand; what it does not say stands, too.
  const token: AccessToken = Object.freeze({
    ...answer,
    refresh: answer.refresh ?? refreshToken,
    scope: answer.scope ?? from.token.scope,
  });
  await keep(writeEnvelope(token, catalog.entryId, from.client, from.signIn));
  return token;
}

/**
 * Gets another token for the one held, one process at a time: a refresh token that rotates is lost where two
 * spend it.
 */
async function refresh(hosted: Hosted, held: AccessToken): Promise<AccessToken> {
  const { hostedKey, setting, catalog } = hosted;
  const { secrets, scope } = setting;
  const work = (): Promise<AccessToken> => refreshNow(hosted, held);
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
  if (!reading.ok) throw unusable(given, reading.why);
  if (reading.ended) throw unusable(given, ENDED);
  const { token, client } = reading;
  const hosted = { ...given, own: { ...reading, value } };
  for (const secret of [token.access, token.refresh, client?.clientSecret])
    setting.redactor.add(secret ?? "");
  const provider = refreshSettings(catalog, client, (name) => secrets.env(name));
  const { tenant, principal = "" } = scope;
  const name = nameOfSecret(tenant, principal, catalog.entryId, hostedKey, value);
  const renew =
    provider === null || token.refresh === null
      ? null
      : (held: AccessToken | null): Promise<AccessToken> => refresh(hosted, held ?? token);
  const source = {
    id: name,
    key: name,
    first: token,
    renew,
    expired: unusable(given, whyNot(given, token)),
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
  { cgs: { oauth } }: Catalog,
  client: EnvelopeClient | null,
  env: (name: string) => string | undefined,
): RefreshSettings | null {
  if (oauth === undefined) return null;
  const settings = providerSettings(oauth.provider, env);
  const trusted = trustedOrigins(settings);
  if (client !== null) {
    const { clientId, tokenUrl } = client;
    return { tokenUrl, clientId, clientSecret: secretFor(client, settings), trusted };
  }
  const { tokenUrl, clientId, clientSecret } = settings;
  if (tokenUrl === null || clientId === null) return null;
  return { tokenUrl, clientId, clientSecret, trusted };
}
