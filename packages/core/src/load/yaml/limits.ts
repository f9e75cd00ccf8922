/** Nodes of one file, as written and after alias expansion (CAT-013). */
export const MAX_NODES = 1_000_000;

/** Signs, blanks between them and ends of lines of one file, each of which the reader looks at (CAT-013). */
export const MAX_TOKENS = 5_000_000;

/** Levels of one file after alias expansion (CAT-013). */
export const MAX_DEPTH = 100;

/** Bytes of one file (CAT-011). */
export const MAX_BYTES = 50 * 1024 * 1024;
