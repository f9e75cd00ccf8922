import { Buffer } from "node:buffer";

const MASK = "[redacted]";

/**
 * Data is searched only for secrets of this length: a shorter one would be found in words that have
 * nothing to do with it.
 */
const LEAST_IN_DATA = 6;

/** Removes known secrets, raw, base64, percent-encoded and escaped as in JSON, from text (RUN-142). */
export interface Redactor {
  /** Makes a secret known for the rest of the run. */
  add(secret: string): void;
  redact(text: string): string;
  /** The same for data, where short secrets are left alone; equal text where there is none. */
  redactData(data: Uint8Array): Uint8Array;
}

const LOWER = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
const UPPER = (char: string): string => `\\u${LOWER(char).slice(2).toUpperCase()}`;

/** As the JSON writers of various languages have it: some escape slashes, signs of markup, or all but ASCII. */
function jsonWritings(secret: string): string[] {
  const plain = JSON.stringify(secret).slice(1, -1);
  const ascii = plain.replace(/[^\x20-\x7e]/g, LOWER);
  return [
    plain,
    plain.replaceAll("/", "\\/"),
    ascii,
    ascii.replaceAll("/", "\\/"),
    plain.replace(/[&<>]/g, LOWER),
    plain.replace(/[&<>'+`]|[^\x20-\x7e]/g, UPPER),
  ];
}

function writings(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const percent = encodeURIComponent(secret);
  return [
    secret,
    bytes.toString("base64"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    percent,
    percent.replace(/%20/g, "+"),
    percent.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    ...jsonWritings(secret),
  ];
}

const longestFirst = (known: ReadonlySet<string>): readonly string[] =>
  [...known].toSorted((a, b) => b.length - a.length);

function redactBytes(data: Uint8Array, known: readonly string[]): Uint8Array {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const found = known.filter((secret) => bytes.includes(secret));
  if (found.length === 0) return data;
  // Latin-1 keeps every byte as it is, whatever the encoding of the data.
  const clean = found.reduce(
    (text, secret) => text.replaceAll(Buffer.from(secret, "utf8").toString("latin1"), MASK),
    bytes.toString("latin1"),
  );
  return Buffer.from(clean, "latin1");
}

/** A redactor that knows no secret yet. */
export function createRedactor(): Redactor {
  const known = new Set<string>();
  const inData = new Set<string>();
  let all: readonly string[] = [];
  let long: readonly string[] = [];
  return Object.freeze({
    add(secret: string) {
      if (secret === "" || secret === MASK || known.has(secret)) return;
      for (const text of writings(secret)) {
        known.add(text);
        if (secret.length >= LEAST_IN_DATA) inData.add(text);
      }
      all = longestFirst(known);
      long = longestFirst(inData);
    },
    redact: (text: string) => all.reduce((clean, secret) => clean.replaceAll(secret, MASK), text),
    redactData: (data: Uint8Array) => redactBytes(data, long),
  });
}
