import type { Catalog } from "@plasm/core";
import type { Auth, SecretSource } from "@plasm/core/internal";
import type { AccessToken, TokenCache } from "../../ports.ts";
import { RunFailure } from "../../base/run-failure.ts";
import {
  type Credential,
  type CredentialSetting,
  inject,
  type Injection,
  nameOfSecret,
  type SecretAuth,
} from "./credential.ts";
import type { Backend } from "../effective-backend.ts";
import { authMissing, type SecretPart } from "./credential-help.ts";
import { grantedScopes } from "./scopes.ts";
import { seekSecret } from "./secret-sources.ts";
import { requestToken } from "./token-request.ts";

/** Gets a token in place of the one held, or the first one. Rejects with RunFailure. */
type Renew = (held: AccessToken | null) => Promise<AccessToken>;

/** Where the tokens of a credential come from. */
export interface TokenSource {
  readonly id: string;
  /** under which the host's cache holds them */
  readonly key: string;
  /** the token in hand, or null where one must be asked for first */
  readonly first: AccessToken | null;
  /** null where no other token can be had */
  readonly renew: Renew | null;
  /** what to say of a token that has ended and cannot be renewed */
  readonly expired: RunFailure | null;
}

interface Parts {
  readonly auth: SecretAuth;
  readonly source: TokenSource;
  readonly setting: CredentialSetting;
}

const scopesOf = ({ scope }: AccessToken): ReadonlySet<string> | null =>
  scope === null ? null : grantedScopes(scope);

/**
 * A credential whose token ends: renewed 30 s early, and once where an API refuses it (RUN-122 to
 * RUN-124). A token that came in place of a refused one, and is refused itself, is not renewed again.
 * What keeps one request of a run from its token keeps all of them.
 */
export function tokenCredential({ auth, source, setting }: Parts): Credential {
  const { tokens, clock, redactor } = setting;
  const { id, key, first, renew, expired } = source;
  let dead: RunFailure | null = null;
  let inUse: AccessToken | null = first;
  /** tokens that came in place of refused ones, as long as no API has taken them */
  const unproven = new Set<string>();

  const use = (token: AccessToken): Injection => {
    inUse = token;
    redactor.add(token.access);
    if (token.refresh !== null) redactor.add(token.refresh);
    return inject(auth, token.access);
  };
  const renewed = async (held: AccessToken | null, by: Renew): Promise<AccessToken> => {
    try {
      return await tokens.renew(key, held, by);
    } catch (error) {
      if (error instanceof RunFailure) dead = error;
      throw error;
    }
  };
  return Object.freeze({
    id,
    queryKeys: auth.scheme === "api_key_query" ? [auth.param] : [],
    async take() {
      if (dead !== null) throw dead;
      const held = tokens.held(key) ?? first;
      const now = clock.now();
      if (held !== null && isFresh(held, now)) return use(held);
      if (renew !== null) return use(await renewed(held, renew));
      if (held !== null && (held.expiresAt ?? now + 1) > now) return use(held);
      throw expired ?? new Error("a token has ended and nothing says so");
    },
    async renew(refused: Injection) {
      const held = tokens.held(key) ?? first;
      if (held !== null && held.access !== refused.secret) return use(held);
      if (renew === null || unproven.has(refused.secret ?? "")) return null;
      const token = await renewed(held, renew);
      unproven.add(token.access);
      return use(token);
    },
    accepted(used: Injection) {
      if (used.secret !== null) unproven.delete(used.secret);
    },
    granted: () => (inUse === null ? null : scopesOf(inUse)),
  });
}

/** How long before its end a token is renewed (RUN-122, RUN-123). */
const RENEW_BEFORE_MS = 30_000;

/** Whether a token need not be renewed yet. */
export const isFresh = ({ expiresAt }: AccessToken, now: number): boolean =>
  expiresAt === null || now < expiresAt - RENEW_BEFORE_MS;

/** So that tokens of sessions long gone do not pile up. */
const MOST_TOKENS = 1_000;

/** A cache that holds nothing yet; it lives in memory only. */
export function createTokenCache(): TokenCache {
  const tokens = new Map<string, AccessToken>();
  const underWay = new Map<string, Promise<AccessToken>>();
  const keep = (key: string, token: AccessToken): void => {
    tokens.delete(key);
    tokens.set(key, token);
    const [oldest] = tokens.keys();
    if (tokens.size > MOST_TOKENS && oldest !== undefined) tokens.delete(oldest);
  };
  return Object.freeze({
    held: (key: string) => tokens.get(key) ?? null,
    renew(
      key: string,
      held: AccessToken | null,
      renew: (held: AccessToken | null) => Promise<AccessToken>,
    ) {
      const known = underWay.get(key);
      if (known !== undefined) return known;
      const renewal = renew(held)
        .then((token) => {
          keep(key, token);
          return token;
        })
        .finally(() => underWay.delete(key));
      underWay.set(key, renewal);
      return renewal;
    },
  });
}

/** What client credentials are looked up and exchanged with. */
interface ClientSetting {
  readonly catalog: Catalog;
  readonly backend: Backend;
  readonly auth: Extract<Auth, { scheme: "oauth2_client_credentials" }>;
  readonly setting: CredentialSetting;
}

async function need(
  { catalog, setting }: ClientSetting,
  part: SecretPart,
  declared: SecretSource,
): Promise<string> {
  const { secrets, scope } = setting;
  const sought = await seekSecret({ catalog, part, declared, secrets, scope });
  if (sought.found !== null) return sought.found.value;
  throw authMissing(catalog, scope, ["the session's credential", ...sought.tried]);
}

/** The tokens of client credentials: exchanged when first needed, renewed 30 s early (RUN-122). */
export async function clientCredentials(given: ClientSetting): Promise<TokenSource> {
  const { auth, backend, setting } = given;
  const { transport, redactor, clock, scope } = setting;
  const clientId = await need(given, "client_id", auth.clientId);
  const clientSecret = await need(given, "client_secret", auth.clientSecret);
  redactor.add(clientSecret);
  const { tokenUrl, scopes } = auth;
  const grant = { kind: "client_credentials", clientId, clientSecret, scopes } as const;
  const { redact, add: learn } = redactor;
  const wire = { transport, backend, redact, learn, now: () => clock.now() };
  const { tenant, principal = "" } = scope;
  const who = [tenant, principal, backend.entryId, backend.base, tokenUrl];
  return {
    id: nameOfSecret(clientId, clientSecret, ...who),
    key: nameOfSecret(clientId, clientSecret, ...who, ...scopes),
    first: null,
    renew: () => requestToken(grant, tokenUrl, wire),
    expired: null,
  };
}
