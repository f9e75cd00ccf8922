import { Buffer } from "node:buffer";
import type { Writing } from "./secret-writings.ts";

/** What stands for a secret where it was. */
export const MASK = "[redacted]";

/** A text to be found, with its neighbours if parts of it stand there, and what stands for it. */
export interface Needle {
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
export function without(text: string, { text: found, inner, mask }: Needle): string {
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
export const wideNeedles = ({ text }: Writing): readonly Needle[] =>
  ([2, 4] as const).flatMap((width) =>
    [false, true].map((bigEndian) => {
      const found = widened(text, width, bigEndian);
      return { text: found, inner: false, mask: widened(MASK, width, bigEndian) };
    }),
  );

/** As data has it, byte by byte: in UTF-8, and in Latin-1 where that differs. */
export function narrowNeedles({ text, inner }: Writing): readonly Needle[] {
  const utf8 = Buffer.from(text, "utf8").toString("latin1");
  const isLatin = utf8 !== text && /^[\0-\xff]*$/.test(text);
  return [utf8, ...(isLatin ? [text] : [])].map((each) => ({ text: each, inner, mask: MASK }));
}
