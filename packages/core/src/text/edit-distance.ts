/**
 * The Levenshtein distance of two texts by code point, or `limit + 1` if it is more than `limit`.
 */
export function editDistance(left: string, right: string, limit: number): number {
  const a = Array.from(left);
  const b = Array.from(right);
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = b.map((_, at) => at + 1);
  for (const [row, point] of a.entries()) {
    const current: number[] = [];
    let best = row + 1;
    for (const [column, other] of b.entries()) {
      const diagonal = column === 0 ? row : (previous[column - 1] ?? 0);
      const above = previous[column] ?? 0;
      const before = column === 0 ? row + 1 : (current[column - 1] ?? 0);
      const cost = Math.min(diagonal + (point === other ? 0 : 1), above + 1, before + 1);
      current.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    previous = current;
  }
  const distance = b.length === 0 ? a.length : (previous[b.length - 1] ?? 0);
  return Math.min(distance, limit + 1);
}
