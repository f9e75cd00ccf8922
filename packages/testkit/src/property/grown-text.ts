import fc from "fast-check";
import { GROWING_PIECES } from "./growth.ts";

const LARGEST = 262_000;

/** How long a text is: mostly short, now and then as long as a program may be, each scale alike. */
const size: fc.Arbitrary<number> = fc
  .oneof(
    { weight: 90, arbitrary: fc.integer({ min: 0, max: 8 * 16 }) },
    { weight: 8, arbitrary: fc.integer({ min: 8 * 16, max: 13 * 16 }) },
    { weight: 2, arbitrary: fc.integer({ min: 13 * 16, max: 18 * 16 }) },
  )
  .map((sixteenths) => Math.min(LARGEST, Math.floor(2 ** (sixteenths / 16))));

const TAILS = ["", "", "z", " z", '"', ")", "]", "}", "\n", ",", "'", "\u0000"];

/** A text that grows: a small piece of any notation again and again, of `own` above all, with or without a tail. */
export const arbitraryGrownText = (own: readonly string[] = []): fc.Arbitrary<string> => {
  const any = fc.constantFrom(...GROWING_PIECES);
  const one = own.length === 0 ? any : fc.oneof(any, fc.constantFrom(...own));
  return fc
    .record({
      piece: fc.oneof(
        { weight: 3, arbitrary: one },
        {
          weight: 1,
          arbitrary: fc.array(one, { minLength: 2, maxLength: 3 }).map((all) => all.join("")),
        },
      ),
      size,
      tail: fc.constantFrom(...TAILS),
    })
    .map(({ piece, size: length, tail }) => piece.repeat(Math.ceil(length / piece.length)) + tail);
};
