/** What stands in a recording for a secret. */
export const MASK = "[redacted]";

/** What token answers and envelopes say of a token, none of it secret. */
const TERMS: ReadonlySet<string> = new Set([
  "entry_id",
  "error",
  "error_description",
  "error_uri",
  "expires_at_unix",
  "expires_in",
  "scope",
  "token_type",
  "version",
]);

const isScalar = (value: unknown): boolean => value === null || typeof value !== "object";

/**
 * A token answer or envelope with its terms alone: all else in it is masked, whatever it is called, and so is
 * the whole of what is no JSON object (RUN-162).
 */
export function maskTokens(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return MASK;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return MASK;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    TERMS.has(name) && isScalar(member) ? member : MASK,
  ]);
  return JSON.stringify(Object.fromEntries(members));
}
