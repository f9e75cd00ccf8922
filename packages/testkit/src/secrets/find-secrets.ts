import { Buffer } from "node:buffer";

/** A secret that stands where none may be: which one, and in which writing. */
export interface Leak {
  readonly where: string;
  readonly secret: string;
  readonly writing: string;
}

/** Base64 of a text that begins `offset` bytes into a longer one: what no neighbour changes. */
function innerBase64(text: string, offset: number): string {
  const padded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text, "utf8")]);
  const whole = padded.subarray(0, padded.length - (padded.length % 3));
  return whole.toString("base64").slice(offset === 0 ? 0 : 4);
}

const percentLower = (text: string): string =>
  encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());

const everyByte = (text: string): string =>
  [...Buffer.from(text, "utf8")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** How a secret may be written: as it is, in base64 wherever it begins, percent-encoded, in JSON. */
function writingsOf(secret: string): ReadonlyMap<string, string> {
  const base64 = [0, 1, 2].map((offset) => innerBase64(secret, offset));
  const writings: readonly (readonly [string, string])[] = [
    ["raw", secret],
    ["JSON", JSON.stringify(secret).slice(1, -1)],
    ["percent-encoded", encodeURIComponent(secret)],
    ["percent-encoded, lower case", percentLower(secret)],
    ["form-encoded", new URLSearchParams({ s: secret }).toString().slice(2)],
    ["every byte percent-encoded", everyByte(secret)],
    ["hex", Buffer.from(secret, "utf8").toString("hex")],
    ...base64.map((text, offset) => [`base64 at ${offset}`, text] as const),
    ...base64.map(
      (text, offset) =>
        [`base64url at ${offset}`, text.replaceAll("+", "-").replaceAll("/", "_")] as const,
    ),
  ];
  return new Map(writings);
}

/** So short a secret is found in text that has nothing to do with it. */
const LEAST = 8;

/**
 * Where secrets stand in a text or in bytes, in any writing; nothing where they do not. A test expects
 * `[]`. Throws for a secret of fewer than 8 characters, which says nothing when it is found.
 */
export function findSecrets(
  where: string,
  data: string | Uint8Array,
  secrets: Readonly<Record<string, string>>,
): readonly Leak[] {
  const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : Buffer.from(data);
  return Object.entries(secrets).flatMap(([secret, value]) => {
    if (value.length < LEAST) throw new Error(`${secret} is too short to be searched for`);
    return [...writingsOf(value)]
      .filter(([, text]) => bytes.includes(text))
      .map(([writing]) => ({ where, secret, writing }));
  });
}
