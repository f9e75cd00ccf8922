/**
 * What acts on whoever shows a text: controls, signs that change the order in which others are shown, line
 * ends of any kind, and halves of surrogate pairs, for which a strict reader refuses all of an answer.
 */
// eslint-disable-next-line no-control-regex
const ACTING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\p{Cs}]/gu;

const LINE_ENDS = /\r\n?/g;

const NAMED: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n" };

const escape = (character: string): string =>
  NAMED[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Text on one line in which no character acts: a TAB is `\t`, a line end `\n`, any other control or
 * bidirectional sign `\u202e` and the like (SURF-13). Everything else stands as it is. JSON stays the same
 * JSON.
 */
export const visible = (text: string): string =>
  text.replace(LINE_ENDS, "\n").replace(ACTING, escape);

/** The same for text of many lines, which keeps its line ends and its TABs: for whole answers on a terminal. */
export const visibleLines = (text: string): string =>
  text
    .replace(LINE_ENDS, "\n")
    .replace(ACTING, (character) => (character in NAMED ? character : escape(character)));

/** The same length of text, for what stands above marks: each character that acts is U+FFFD. */
export const withoutActing = (text: string): string => text.replace(ACTING, "\ufffd");

/** At most `limit` code points of a text, the last of them `…` if something was cut. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const points = Array.from(text.slice(0, 2 * limit + 2));
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join("")}…`;
}

/** Orders texts by Unicode code point: negative, 0 or positive, as `sort` wants it. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** UTF-16 puts surrogates below U+E000 to U+FFFF; code points above those belong after them. */
function rank(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}

/** How many of the ascending numbers are below `limit`. */
export function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The Levenshtein distance of two texts by code point, or `limit + 1` if it is more than `limit`.
 */
export function editDistance(left: string, right: string, limit: number): number {
  const a = Array.from(left);
  const b = Array.from(right);
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = b.map((_, at) => at + 1);
  for (const [row, point] of a.entries()) {
    const current: number[] = [];
    let best = row + 1;
    for (const [column, other] of b.entries()) {
      const diagonal = column === 0 ? row : (previous[column - 1] ?? 0);
      const above = previous[column] ?? 0;
      const before = column === 0 ? row + 1 : (current[column - 1] ?? 0);
      const cost = Math.min(diagonal + (point === other ? 0 : 1), above + 1, before + 1);
      current.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    previous = current;
  }
  const distance = b.length === 0 ? a.length : (previous[b.length - 1] ?? 0);
  return Math.min(distance, limit + 1);
}

/**
 * A text as UTF-8. Core has no TextEncoder; a lone surrogate becomes U+FFFD, as there.
 */
export function utf8Bytes(text: string): Uint8Array {
  const plain = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) return beyondAscii(text, plain, at);
    plain[at] = unit;
  }
  return plain;
}

/** The bytes of a text of which those before `start` are known, all of them ASCII. */
function beyondAscii(text: string, known: Uint8Array, start: number): Uint8Array {
  const bytes = new Uint8Array(start + (text.length - start) * 3);
  bytes.set(known.subarray(0, start));
  let at = start;
  for (let index = start; index < text.length; index++) {
    const point = text.codePointAt(index) ?? 0;
    if (point > 0xffff) index++;
    const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
    if (code < 0x80) bytes[at++] = code;
    else if (code < 0x800) {
      bytes[at++] = 0xc0 | (code >> 6);
      bytes[at++] = 0x80 | (code & 0x3f);
    } else if (code < 0x10000) {
      bytes[at++] = 0xe0 | (code >> 12);
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[at++] = 0x80 | (code & 0x3f);
    } else {
      bytes[at++] = 0xf0 | (code >> 18);
      bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[at++] = 0x80 | (code & 0x3f);
    }
  }
  return bytes.subarray(0, at);
}

/** The number of bytes of a text in UTF-8; a lone surrogate counts 3, as its replacement does. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(at + 1);
    if (next >= 0xdc00 && next <= 0xdfff) at++;
  }
  return bytes;
}

/** The longest prefix of whole code points that takes at most `limit` bytes in UTF-8. */
export function utf8Prefix(text: string, limit: number): string {
  let bytes = 0;
  let at = 0;
  for (const point of text) {
    const value = point.codePointAt(0) ?? 0;
    bytes += value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
    if (bytes > limit) return text.slice(0, at);
    at += point.length;
  }
  return text;
}
