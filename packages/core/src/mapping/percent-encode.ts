import { utf8Bytes } from "../text/utf8-bytes.ts";

const UNRESERVED = /^[A-Za-z0-9._~-]$/;
/** What an author's literal may hold as it stands: pchar of RFC 3986, `/`, and encoded bytes. */
const LITERAL = /^[A-Za-z0-9._~\-!$&'()*+,;=:@/%]$/;

/** A value percent-encoded completely: only the unreserved characters of RFC 3986 stay (MAP-012). */
export function percentEncode(text: string): string {
  return encode(text, UNRESERVED);
}

/** A literal of a path: what no path may hold is percent-encoded, all else stays as written. */
export function encodeLiteral(text: string): string {
  return encode(text, LITERAL);
}

function encode(text: string, kept: RegExp): string {
  let encoded = "";
  for (const character of text) {
    if (kept.test(character)) encoded += character;
    else {
      for (const byte of utf8Bytes(character)) {
        encoded += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
      }
    }
  }
  return encoded;
}
