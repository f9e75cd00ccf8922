import type { Token, TokenCache } from "../ports.ts";

/** How long before its end a token is renewed (RUN-122, RUN-123). */
const RENEW_BEFORE_MS = 30_000;

/** Whether a token need not be renewed yet. */
export const isFresh = ({ expiresAt }: Token, now: number): boolean =>
  expiresAt === null || now < expiresAt - RENEW_BEFORE_MS;

/** So that tokens of sessions long gone do not pile up. */
const MOST_TOKENS = 1_000;

/** A cache that holds nothing yet; it lives in memory only. */
export function createTokenCache(): TokenCache {
  const tokens = new Map<string, Token>();
  const underWay = new Map<string, Promise<Token>>();
  const keep = (key: string, token: Token): void => {
    tokens.delete(key);
    tokens.set(key, token);
    const [oldest] = tokens.keys();
    if (tokens.size > MOST_TOKENS && oldest !== undefined) tokens.delete(oldest);
  };
  return Object.freeze({
    held: (key: string) => tokens.get(key) ?? null,
    renew(key: string, held: Token | null, renew: (held: Token | null) => Promise<Token>) {
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
