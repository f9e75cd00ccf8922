import { fail } from "@plasm/agent-core/internal";

/**
 * Returns the type of `offered` that an Accept header prefers; the first one without such a header and
 * among equals. Throws plasm-not-acceptable (SURF-17).
 */
export function negotiate<T extends string>(
  accept: string | null,
  offered: readonly [T, ...T[]],
): T {
  if (accept === null || accept.trim() === "") return offered[0];
  const ranges = readAccept(accept);
  const [best] = offered
    .map((type) => ({ type, quality: weightOf(type, ranges) }))
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  if (best !== undefined) return best.type;
  throw fail("plasm-not-acceptable", `This route answers with: ${offered.join(", ")}.`);
}

/** Whether an Accept header names this very type; ranges such as `text/*` do not. */
export const namesType = (accept: string | null, type: string): boolean =>
  readAccept(accept ?? "").some((range) => range.type === type && range.quality > 0);

/** A media range of an Accept header with its weight, from 0 to 1. */
interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

const specificity = (range: string): number => (range === "*/*" ? 0 : range.endsWith("/*") ? 1 : 2);

const covers = (range: string, type: string): boolean =>
  range === "*/*" || range === type || range === `${type.slice(0, type.indexOf("/"))}/*`;

/** The weight of a type: that of the most specific range that covers it, the largest of equal ones. */
function weightOf(type: string, ranges: readonly MediaRange[]): number {
  const [best] = ranges
    .filter((range) => covers(range.type, type))
    .toSorted((a, b) => specificity(b.type) - specificity(a.type) || b.quality - a.quality);
  return best?.quality ?? 0;
}

/** The ranges of an Accept header, or of several joined by commas; anything else in it is left out. */
const readAccept = (header: string): readonly MediaRange[] =>
  splitOutsideQuotes(header, ",").flatMap(rangeOf);

/** Text between commas, or semicolons, that stand outside of quotes. */
function splitOutsideQuotes(text: string, separator: "," | ";"): readonly string[] {
  const parts: string[] = [];
  let part = "";
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quoted && character === "\\") {
      part += text.slice(at, at + 2);
      at += 1;
    } else if (!quoted && character === separator) {
      parts.push(part.trim());
      part = "";
    } else {
      if (character === '"') quoted = !quoted;
      part += character;
    }
  }
  return [...parts, part.trim()];
}

/** A weight: 0 for text that is not a number, and at most 1. */
function qualityOf(parameters: readonly string[]): number {
  const [, text] = parameters.map((one) => /^q=(.*)$/.exec(one)).find((one) => one !== null) ?? [];
  if (text === undefined) return 1;
  return /^\d+(?:\.\d*)?$|^\.\d+$/.test(text) ? Math.min(Number(text), 1) : 0;
}

function rangeOf(text: string): readonly MediaRange[] {
  const [type = "", ...parameters] = splitOutsideQuotes(text, ";").map((one) => one.toLowerCase());
  if (!/^[^/\s"]+\/[^/\s"]+$/.test(type)) return [];
  return [{ type, quality: qualityOf(parameters) }];
}
