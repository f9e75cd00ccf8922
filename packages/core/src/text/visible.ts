/** Controls, and signs that change the order in which others are shown, with line ends of any kind. */
// eslint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const NAMED: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n" };

const escape = (character: string): string =>
  NAMED[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Text on one line in which no character acts: a TAB is `\t`, a line end `\n`, any other control or
 * bidirectional sign `\u202e` and the like (SURF-13). Everything else stands as it is.
 */
export const visible = (text: string): string =>
  text.replace(/\r\n?/g, "\n").replace(INVISIBLE, escape);
