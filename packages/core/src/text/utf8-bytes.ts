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
