import { CHARACTERS_A_PIECE, type SpendWork, ValueFault } from "@plasm/core/internal";

/** What the values of one row may go through and make, as characters: about a twentieth of a second. */
const MOST_A_ROW = 128 * 1024 * 1024;

/**
 * Counts what the values that are computed of one row after the other go through and make (18.13, 18.14). What is more
 * than a row may take is null, as any value that its cells do not allow.
 */
export class RowWork {
  #ofRow = 0;
  #unpaid = 0;

  /** Another row begins. */
  begin(): void {
    this.#ofRow = 0;
  }

  readonly spend: SpendWork = (characters) => {
    if (this.#ofRow + characters > MOST_A_ROW)
      throw new ValueFault("it takes more work than the values of a row may");
    this.#ofRow += characters;
    this.#unpaid += characters;
  };

  /** How many pieces of work were done since it was last asked. */
  pieces(): number {
    const pieces = Math.floor(this.#unpaid / CHARACTERS_A_PIECE);
    this.#unpaid -= pieces * CHARACTERS_A_PIECE;
    return pieces;
  }
}
