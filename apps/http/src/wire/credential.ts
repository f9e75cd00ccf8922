const BEARER = /^bearer +(\S+)$/i;

/** The credential of a request: `X-API-Key` first, then Bearer; null without any (SURF-23). */
export function credentialOf({ headers }: Request): string | null {
  const key = headers.get("x-api-key");
  if (key !== null) return key;
  const [, token] = BEARER.exec(headers.get("authorization") ?? "") ?? [];
  return token ?? null;
}

/** The text of whatever credential a request sends, of a kind that is taken or not; null without any. */
export const sentCredential = ({ headers }: Request): string | null =>
  headers.get("x-api-key") ?? headers.get("authorization")?.replace(/^bearer +/i, "") ?? null;
