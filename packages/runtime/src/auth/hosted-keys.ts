/** A part of a credential that is stored under a key of its own: `secret`, `client_id`, `client_secret`, or the name of a further key. */
export type SecretPart = string;

const PART = /^[a-z][a-z0-9_]*$/;

/** What the keys of all catalogs begin with. */
const OF_CATALOGS = "plasm:outbound:v1:catalog:";

/** The hosted key that stands for a catalog unless it names one: where `plasm auth set` stores. */
export function defaultHostedKey(entryId: string, part: SecretPart = "secret"): string {
  const key = `${OF_CATALOGS}${entryId}`;
  return part === "secret" ? key : `${key}:${part}`;
}

/**
 * Whether a key is kept for another catalog: what is stored for one never serves another that names its
 * key (RUN-120). Blanks and letters count as a store that is lenient about them would take them.
 */
export function isOfAnother(key: string, entryId: string): boolean {
  if (!key.trim().toLowerCase().startsWith(OF_CATALOGS)) return false;
  const own = defaultHostedKey(entryId);
  return key !== own && !(key.startsWith(`${own}:`) && PART.test(key.slice(own.length + 1)));
}
