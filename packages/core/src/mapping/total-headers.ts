/** Headers by which APIs say how many rows a list has in all; recordings keep them, so that a replay counts alike. */
export const TOTAL_HEADERS: readonly string[] = [
  "total-count",
  "x-count-total",
  "x-pagination-total-count",
  "x-result-count",
  "x-total",
  "x-total-count",
  "x-total-items",
  "x-total-records",
  "x-total-results",
  "x-wp-total",
];
