/** Nodes of one file after alias expansion (CAT-013). */
export const MAX_NODES = 1_000_000;

/** Levels of one file after alias expansion (CAT-013). */
export const MAX_DEPTH = 100;

/** Bytes of one file (CAT-011). */
export const MAX_BYTES = 50 * 1024 * 1024;
