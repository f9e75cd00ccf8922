/** What stands in a recording for a secret. */
export const MASK = "[redacted]";

const SECRET_MEMBERS = ["access_token", "refresh_token", "id_token"];

/** A token answer or envelope without its tokens; any other text as it is (RUN-162). */
export function maskTokens(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return text;
    const members = Object.entries(value).map(([name, member]): [string, unknown] => [
      name,
      SECRET_MEMBERS.includes(name) ? MASK : member,
    ]);
    return JSON.stringify(Object.fromEntries(members));
  } catch {
    return text;
  }
}
