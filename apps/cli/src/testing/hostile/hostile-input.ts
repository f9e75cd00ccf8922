/** A file that somebody hostile, or a broken program, has written. */
export interface HostileInput {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** what is said of it; where nothing is asked for, it makes a catalog */
  readonly said?: RegExp;
}

/** What text is in UTF-16, with the mark of its byte order. */
export const utf16 = (text: string): Uint8Array => {
  const bytes = new Uint8Array(2 + 2 * text.length);
  const view = new DataView(bytes.buffer);
  for (const [at, unit] of [0xfeff, ...Array.from(text, (_, n) => text.charCodeAt(n))].entries())
    view.setUint16(2 * at, unit, true);
  return bytes;
};

/** Names that objects have already, and those that look like numbers. */
export const PROTOTYPE_NAMES: readonly string[] = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "then",
  "toJSON",
  "0",
];

/** Controls, marks that turn the direction of text, and what stands in no terminal. */
export const ACTING_TEXT = "a\u001b[2Jb\u0007c\u202ed\u2066e\u200bf\ufeffg\u0085h\u2028i\u009bj";
