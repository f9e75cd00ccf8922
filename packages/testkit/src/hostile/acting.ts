/* oxlint-disable no-control-regex -- naming them is the point */

/**
 * What acts on whoever shows a text: controls but LF and TAB, which our own answers are made of, signs of
 * direction, and line ends of other systems.
 */
const ACTING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The characters of a text that act, each once, as `U+202E`: none in any text that we give (SURF-13). */
export const actingIn = (text: string): readonly string[] => [
  ...new Set(
    (text.match(ACTING) ?? []).map((character) => {
      return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    }),
  ),
];

/** Halves of pairs, which no UTF-8 can say: a strict reader of JSON refuses the whole answer for one. */
export const halfPairsIn = (text: string): number => (text.match(/\p{Surrogate}/gu) ?? []).length;
