/** One more than the largest whole number that templates calculate with. */
export const INTEGER_LIMIT = 2n ** 127n;
