const SHARED = /^(done \S+ \S+?) ×(\d+)(?: (.*))?$/su;
const OWN_QUOTED = /^(done \S+ \S+?) (".*")$/su;
/** An item in quotes, one without, or the sign between two. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[^\s",=·]+| · |[ ,=]/gu;

const isSign = (token: string): boolean => /^(?: · |[ ,=])$/u.test(token);
const plain = (token: string): string =>
  token.startsWith('"') ? (JSON.parse(token) as string) : token;

/** The tokens between signs of a kind. */
function split(tokens: readonly string[], sign: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  for (const token of tokens) {
    if (token === sign) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

const words = (tokens: readonly string[]): readonly string[] =>
  tokens.filter((token) => !isSign(token)).map(plain);

type Pair = readonly [name: string, value: string];

/** `shop=north,no=7` as pairs. */
const pairsOf = (tokens: readonly string[]): readonly Pair[] =>
  split(tokens, ",").map((pair): Pair => {
    const [name = "", value = ""] = words(pair);
    return [name, value];
  });

/** `no=7 9` or `bed,no=1,7 2,9` as the pairs of each item. */
function listOf(tokens: readonly string[]): readonly (readonly Pair[])[] {
  const [names = [], values = []] = split(tokens, "=");
  const parts = words(names);
  return split(values, " ").map((item) => {
    return words(item).map((value, at): Pair => [parts[at] ?? "", value]);
  });
}

const keyText = (pairs: readonly Pair[]): string =>
  pairs
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.join("="))
    .join(",");

/** The keys of a line that several effects share; without any where nothing tells them apart. */
function keysOf(list: string, count: number): readonly (string | null)[] {
  const tokens = list.match(TOKEN) ?? [];
  const same = <T>(value: T): readonly T[] => Array.from({ length: count }, () => value);
  if (tokens.length === 0) return same(null);
  const signs = tokens.filter((token) => token === "=").length;
  if (signs === 0) return split(tokens, " ").map((item) => words(item).join(""));
  const [before = [], behind = null] = split(tokens, " · ");
  if (behind !== null) {
    return listOf(behind).map((pairs) => keyText([...pairsOf(before), ...pairs]));
  }
  return signs > 1 ? same(keyText(pairsOf(before))) : listOf(before).map(keyText);
}

/**
 * The effects that a line tells of, each as a line of its own (SURF-15), with its key as it is, in order:
 * `done send quay.Boat ×2 b1 b2` as `done send quay.Boat b1` and `done send quay.Boat b2`.
 */
export function eachEffect(line: string): readonly string[] {
  const [, kind, id] = OWN_QUOTED.exec(line) ?? [];
  const [, shared, count, list = ""] = SHARED.exec(line) ?? [];
  if (shared !== undefined) {
    const keys = keysOf(list, Number(count));
    if (keys.length !== Number(count)) throw new Error(`${count} effects, ${line}`);
    return keys.map((key) => (key === null ? shared : `${shared} ${key}`));
  }
  return kind === undefined || id === undefined ? [line] : [`${kind} ${plain(id)}`];
}
