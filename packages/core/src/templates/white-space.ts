const WHITE_SPACE = /^\p{White_Space}$/u;

/** Whether the character of one UTF-16 unit is white space (Unicode's White_Space; all are one unit). */
function isWhiteSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return WHITE_SPACE.test(text.charAt(at));
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
