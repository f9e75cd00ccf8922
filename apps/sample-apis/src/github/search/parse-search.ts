/** `name:value`, turned around by a `-` before it. */
export interface Qualifier {
  readonly name: string;
  readonly value: string;
  readonly not: boolean;
}

export interface ParsedSearch {
  /** in lower case */
  readonly words: readonly string[];
  readonly qualifiers: readonly Qualifier[];
}

const PART = /(-)?(?:([a-z-]+):)?(?:"([^"]*)"|(\S+))/g;

/** Splits GitHub's search text into words, phrases and qualifiers. */
export function parseSearch(text: string): ParsedSearch {
  const words: string[] = [];
  const qualifiers: Qualifier[] = [];
  for (const [, minus, name, quoted, bare] of text.matchAll(PART)) {
    const value = quoted ?? bare ?? "";
    if (name !== undefined) qualifiers.push({ name, value, not: minus !== undefined });
    else if (value !== "") words.push(value.toLowerCase());
  }
  return { words, qualifiers };
}

const COMPARISON = /^(>=|<=|>|<)?(.+)$/;

/** `>=2026-01-01`, `<5`, `1..9`, or the value itself (of a day: any time of it). */
export function inRange(value: string, asked: string, key: (text: string) => number): boolean {
  const [from, to] = asked.split("..");
  const at = key(value);
  if (to !== undefined) {
    return (from === "*" || at >= key(from ?? "")) && (to === "*" || at <= key(to));
  }
  const [, operator, text = ""] = COMPARISON.exec(asked) ?? [];
  const wanted = key(text);
  switch (operator) {
    case ">":
      return at > wanted;
    case ">=":
      return at >= wanted;
    case "<":
      return at < wanted;
    case "<=":
      return at <= wanted;
    default:
      return value.startsWith(text);
  }
}
