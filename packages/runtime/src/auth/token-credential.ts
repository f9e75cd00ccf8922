import type { Token } from "../ports.ts";
import { RunFailure } from "../run-failure.ts";
import type { Credential, CredentialSetting } from "./credential.ts";
import { inject, type Injection, type SecretAuth } from "./injection.ts";
import { isFresh } from "./token-cache.ts";

/** Gets a token in place of the one held, or the first one. Rejects with RunFailure. */
type Renew = (held: Token | null) => Promise<Token>;

/** Where the tokens of a credential come from. */
export interface TokenSource {
  readonly id: string;
  /** under which the host's cache holds them */
  readonly key: string;
  /** the token in hand, or null where one must be asked for first */
  readonly first: Token | null;
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

const scopesOf = ({ scope }: Token): ReadonlySet<string> | null =>
  scope === null ? null : new Set(scope.split(/[\s,]+/).filter((name) => name !== ""));

/**
 * A credential whose token ends: renewed 30 s early, and once where an API refuses it (RUN-122 to
 * RUN-124). A token that came in place of a refused one, and is refused itself, is not renewed again.
 * What keeps one request of a run from its token keeps all of them.
 */
export function tokenCredential({ auth, source, setting }: Parts): Credential {
  const { tokens, clock, redactor } = setting;
  const { id, key, first, renew, expired } = source;
  let dead: RunFailure | null = null;
  let inUse: Token | null = first;
  /** tokens that came in place of refused ones, as long as no API has taken them */
  const unproven = new Set<string>();

  const use = (token: Token): Injection => {
    inUse = token;
    redactor.add(token.access);
    if (token.refresh !== null) redactor.add(token.refresh);
    return inject(auth, token.access);
  };
  const renewed = async (held: Token | null, by: Renew): Promise<Token> => {
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
