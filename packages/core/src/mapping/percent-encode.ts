import { utf8Bytes } from "../text/utf8-bytes.ts";

const RESERVED = /[^A-Za-z0-9._~-]/gu;
/** What an author's literal may not hold as it stands: all but pchar of RFC 3986, `/`, and encoded bytes. */
const NO_LITERAL = /[^A-Za-z0-9._~\-!$&'()*+,;=:@/%]/gu;

const percent = (character: string): string => {
  const bytes = [...utf8Bytes(character)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
};

/** A value percent-encoded completely: only the unreserved characters of RFC 3986 stay (MAP-012). */
export function percentEncode(text: string): string {
  return text.replace(RESERVED, percent);
}

/** A literal of a path: what no path may hold is percent-encoded, all else stays as written. */
export function encodeLiteral(text: string): string {
  return text.replace(NO_LITERAL, percent);
}
