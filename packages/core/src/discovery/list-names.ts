const MOST = 20;

/** At most 20 names and how many more there are: `depot, orchard, +3` (TEACH-39). */
export function listNames(names: readonly string[]): string {
  const left = names.length - MOST;
  return [...names.slice(0, MOST), ...(left > 0 ? [`+${left}`] : [])].join(", ");
}
