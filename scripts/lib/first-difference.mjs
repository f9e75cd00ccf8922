/** What two texts differ in, as a few lines: the lines only one of them has, in order, at most 20. */
export const firstDifference = (before, after) => {
  const old = new Set(before.split("\n"));
  const now = new Set(after.split("\n"));
  const lines = [
    ...[...old].filter((line) => !now.has(line)).map((line) => `  - ${line}`),
    ...[...now].filter((line) => !old.has(line)).map((line) => `  + ${line}`),
  ];
  const shown = lines.slice(0, 20);
  const rest = lines.length - shown.length;
  if (lines.length === 0) return "  the same lines in another order or number";
  return [...shown, ...(rest > 0 ? [`  … and ${rest} more lines`] : [])].join("\n");
};
