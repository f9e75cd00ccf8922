/** Names that are operators when `(` follows them, and `filter` when `{` does (LANG-024). */
export const OPERATORS: readonly string[] = [
  "limit",
  "page_size",
  "singleton",
  "sort",
  "aggregate",
  "group_by",
  "distinct",
  "filter",
];
