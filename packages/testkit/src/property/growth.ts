import { leastCpu } from "./least-cpu.ts";

/** What texts of somebody else's repeat to make a reader slow: runs of one character, and of small parts of any notation. */
export const GROWING_PIECES: readonly string[] = [
  ..."9 0 a _ - + . / @ : ' \" = < ~ , ; # ` é { ( [ ) ] } | & * ? % ^ \\".split(" "),
  ...'a. a/ %41 a=b& a, a;q=0.1, */*, q=; s0_ pg1 \\u00e9 {"a": "a", [[ 1e plasm:// \\\\ \\"'.split(
    " ",
  ),
  " ",
  "\t",
  "\n",
  "\r\n",
  "\u00a0",
  "\u200b",
  "\u202e",
  "\ud800",
  "\u0000",
  "字",
  "🚢",
  "a ",
  " a",
  "<<T\n",
  "Bearer ",
];

const SHORT = 16_384;
const TIMES = 4;

/**
 * The texts for which a reader takes more than in proportion: of four times as many pieces, in a place, the square is
 * sixteen times as much CPU. What the reader throws for a text is one of its answers.
 */
export function slowTexts(
  read: (text: string) => unknown,
  place: readonly [before: string, behind: string] = ["", ""],
): readonly string[] {
  const answer = (text: string) => (): void => {
    try {
      read(text);
    } catch (error) {
      // A refusal. What overflows the stack is none.
      if (error instanceof RangeError) throw error;
    }
  };
  const textOf = (piece: string, length: number): string =>
    place[0] + piece.repeat(Math.ceil(length / piece.length)) + place[1];
  return GROWING_PIECES.filter((piece) => {
    // A little is left to the collector of garbage.
    const { large, most } = leastCpu(
      answer(textOf(piece, SHORT)),
      answer(textOf(piece, TIMES * SHORT)),
      (few) => 9 * few + 20,
    );
    return large >= most;
  });
}
