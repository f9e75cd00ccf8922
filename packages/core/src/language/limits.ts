/** The caps of LANG-001; whatever goes beyond them is `too_large`. */
export const MAX_BYTES = 262_144;
export const MAX_STATEMENTS = 500;
export const MAX_DEPTH = 64;
export const MAX_CONDITION_DEPTH = 50;
export const MAX_ITEMS = 10_000;
export const MAX_NAME = 128;

/** The largest n of `limit` and `page_size` (LANG-062), and of `page` (PLAN-082). */
export const MAX_COUNT = 100_000;
export const MAX_PAGE = 1_000;
