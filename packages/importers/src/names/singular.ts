const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["people", "person"],
  ["children", "child"],
  ["men", "man"],
  ["women", "woman"],
  ["feet", "foot"],
  ["mice", "mouse"],
  ["indices", "index"],
  ["vertices", "vertex"],
  ["matrices", "matrix"],
  ["criteria", "criterion"],
  ["leaves", "leaf"],
  ["shelves", "shelf"],
  ["knives", "knife"],
  ["lives", "life"],
  ["movies", "movie"],
  ["cookies", "cookie"],
  ["caches", "cache"],
  ["aliases", "alias"],
  ["biases", "bias"],
  ["canvases", "canvas"],
]);

const SAME = new Set([
  "series",
  "species",
  "news",
  "analytics",
  "settings",
  "statistics",
  "stats",
  "alias",
  "bias",
  "canvas",
  "atlas",
]);

/** The singular of an English word, as paths have them: `boats` → `boat`, `entries` → `entry`. */
export function singular(word: string): string {
  const known = IRREGULAR.get(word);
  if (known !== undefined) return known;
  if (SAME.has(word) || /(?:[^s]ss|us|is)$/.test(word) || word.length < 4) return word;
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh|zz|[^aeiou]us)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** The same of a name of several words: the last one counts. */
export const singularWords = (words: readonly string[]): readonly string[] =>
  words.map((word, at) => (at === words.length - 1 ? singular(word) : word));
