/** Unicode's White_Space beyond ASCII. */
const WHITE_SPACE: ReadonlySet<number> = new Set([
  0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008,
  0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
]);

/** Whether the character of one UTF-16 unit is white space (Unicode's White_Space; all are one unit). */
function isWhiteSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return WHITE_SPACE.has(code);
}

/** The first offset from `start` on that is no white space, at most `end`. */
export function skipWhiteSpace(text: string, start: number, end = text.length): number {
  let at = start;
  while (at < end && isWhiteSpace(text, at)) at++;
  return at;
}

/** The end of what stands before the white space at `end`, at least `start`. */
export function cutWhiteSpace(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isWhiteSpace(text, at - 1)) at--;
  return at;
}
