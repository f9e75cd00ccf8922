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
