/** What the sample APIs hold, as far as the least number of requests depends on it. */
export interface Facts {
  readonly boats: number;
  readonly yardBoats: number;
  /** boats whose length is the number of a boat in the yard */
  readonly asLong: number;
  /** of the first 20 boats: visits of each, and their different owners */
  readonly visits: readonly number[];
  readonly owners: number;
  /** boats whose state is lost, and owned by ann */
  readonly lost: number;
  readonly anns: number;
  /** days on which b1 was at the quay */
  readonly stays: number;
}

/** Rows that a page of the sample APIs holds. */
export const PAGE = 20;
export const pagesOf = (rows: number): number => Math.max(1, Math.ceil(rows / PAGE));

/** What an agent typically asks, and what it must cost. */
export interface EconomyTask {
  readonly name: string;
  readonly program: string;
  /** the session has yard's boats, too: `e1` are quay's, `e2` yard's */
  readonly both?: true;
  /** pages of the result that are asked for afterwards */
  readonly morePages?: number;
  /** rows of the last result, all pages together */
  readonly rows: (facts: Facts) => number;
  /** requests without which no client gets these rows from these APIs */
  readonly least: (facts: Facts) => number;
  /** gets for fields that the program names and lists do not have, one a row */
  readonly hydration?: (facts: Facts) => number;
  /** rows that lists give on the way: what one get a row asks once more each */
  readonly listed: (facts: Facts) => number;
}
