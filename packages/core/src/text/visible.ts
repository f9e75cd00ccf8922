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
