import { Buffer } from "node:buffer";

/** What stands for a secret where it was. */
export const MASK = "[redacted]";

/** A text to be found, with its neighbours if parts of it stand there, and what stands for it. */
export interface SecretPattern {
  readonly text: string;
  /** base64 of a longer text: up to four letters on both sides hold a part of the secret, too */
  readonly inner: boolean;
  readonly mask: string;
}

const BASE64_BEFORE = /[A-Za-z0-9+/_-]{0,4}$/;
const BASE64_BEHIND = /^[A-Za-z0-9+/_-]{0,4}={0,2}/;
/** More than the letters and signs of a side. */
const SIDE = 6;

/** Where a text begins and ends with its neighbours, none of which stands before `least`. */
function withNeighbours(text: string, at: number, length: number, least: number): [number, number] {
  const end = at + length;
  const before = BASE64_BEFORE.exec(text.slice(Math.max(least, at - SIDE), at))?.[0] ?? "";
  const behind = BASE64_BEHIND.exec(text.slice(end, end + SIDE))?.[0] ?? "";
  return [at - before.length, end + behind.length];
}

/** A text without a needle. Its neighbours are sought by hand: of a long one, an expression would be too large. */
export function without(text: string, { text: found, inner, mask }: SecretPattern): string {
  if (!inner) return text.replaceAll(found, mask);
  let clean = "";
  let from = 0;
  for (let at = text.indexOf(found); at !== -1; at = text.indexOf(found, at + found.length)) {
    const [start, end] = withNeighbours(text, at, found.length, from);
    clean += text.slice(from, start) + mask;
    from = end;
  }
  return clean + text.slice(from);
}

/** Each 16-bit letter as that many bytes, the first or the last two of which count. */
function widened(text: string, width: 2 | 4, bigEndian: boolean): string {
  const zeros = "\0".repeat(width - 2);
  let wide = "";
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const [high, low] = [String.fromCharCode(code >> 8), String.fromCharCode(code & 0xff)];
    wide += bigEndian ? zeros + high + low : low + high + zeros;
  }
  return wide;
}

/** A writing as the encodings that are no superset of ASCII have it: UTF-16 and UTF-32 in both orders. */
export const wideNeedles = ({ text }: Writing): readonly SecretPattern[] =>
  ([2, 4] as const).flatMap((width) =>
    [false, true].map((bigEndian) => {
      const found = widened(text, width, bigEndian);
      return { text: found, inner: false, mask: widened(MASK, width, bigEndian) };
    }),
  );

/** As data has it, byte by byte: in UTF-8, and in Latin-1 where that differs. */
export function narrowNeedles({ text, inner }: Writing): readonly SecretPattern[] {
  const utf8 = Buffer.from(text, "utf8").toString("latin1");
  const isLatin = utf8 !== text && /^[\0-\xff]*$/.test(text);
  return [utf8, ...(isLatin ? [text] : [])].map((each) => ({ text: each, inner, mask: MASK }));
}

/** A text by which a secret is recognised. */
export interface Writing {
  readonly text: string;
  /** base64 of a longer text: up to four letters on both sides hold a part of the secret, too */
  readonly inner: boolean;
}

/** So short a part of base64 is found in words that have nothing to do with it. */
const LEAST_INNER = 8;

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
    // JSON as text in JSON
    JSON.stringify(plain).slice(1, -1),
  ];
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** As pages have it. */
const markup = (secret: string): string =>
  secret.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");

/** Each byte by its number, as some have it in addresses and in dumps. */
function byteWritings(bytes: Buffer): string[] {
  const hex = bytes.toString("hex");
  const percent = hex.replace(/../g, "%$&");
  return [hex, hex.toUpperCase(), percent, percent.toUpperCase()];
}

function percentWritings(secret: string): string[] {
  const percent = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, "\ufffd"));
  return [
    percent,
    percent.replace(/%20/g, "+"),
    // as path variables are (MAP-012)
    percent.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    percent.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    new URLSearchParams({ s: secret }).toString().slice(2),
  ];
}

/** The letters of base64 that stand for these bytes, whatever stands before and after them. */
function innerBase64(bytes: Buffer, offset: number): string {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
  const whole = padded.subarray(0, padded.length - (padded.length % 3));
  return whole.toString("base64").slice(offset === 0 ? 0 : 4);
}

/** With the two signs that differ in addresses, and with slashes escaped. */
const alphabets = (base64: string): string[] => [
  base64,
  base64.replaceAll("+", "-").replaceAll("/", "_"),
  base64.replaceAll("/", "\\/"),
];

/**
 * A secret in every writing that an answer may repeat it in: raw, base64 wherever it begins in what was
 * encoded, percent-encoded, hex, escaped as in JSON and in markup (RUN-142).
 */
export function writingsOf(secret: string): readonly Writing[] {
  const bytes = Buffer.from(secret, "utf8");
  const base64 = bytes.toString("base64");
  const whole = [
    secret,
    // what headers are read as
    bytes.toString("latin1"),
    ...alphabets(base64),
    ...alphabets(base64.replace(/={1,2}$/, "")),
    ...percentWritings(secret),
    ...byteWritings(bytes),
    ...jsonWritings(secret),
    markup(secret),
  ];
  const inner = [0, 1, 2]
    .map((offset) => innerBase64(bytes, offset))
    .filter((text) => text.length >= LEAST_INNER)
    .flatMap(alphabets);
  return [
    ...[...new Set(whole)].map((text) => ({ text, inner: false })),
    ...[...new Set(inner)].map((text) => ({ text, inner: true })),
  ];
}
