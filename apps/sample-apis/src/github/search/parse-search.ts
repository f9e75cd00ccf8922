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

/** What stands between blanks, those in quotes aside. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let [part, isQuoted] = ["", false];
  for (const sign of text) {
    if (sign === '"') isQuoted = !isQuoted;
    if (isQuoted || sign.trim() !== "") part += sign;
    else if (part !== "") {
      parts.push(part);
      part = "";
    }
  }
  return part === "" ? parts : [...parts, part];
}

const QUALIFIER = /^(-)?([a-z-]+):(.+)$/;

/** Splits GitHub's search text into words, phrases and qualifiers. */
export function parseSearch(text: string): ParsedSearch {
  const words: string[] = [];
  const qualifiers: Qualifier[] = [];
  for (const part of partsOf(text)) {
    const [, minus, name, given] = QUALIFIER.exec(part) ?? [];
    const value = (given ?? part).replaceAll('"', "");
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
