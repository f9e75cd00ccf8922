import { fail } from "@plasm/agent-core";
import { readAccept, type MediaRange } from "./accept.ts";

const specificity = (range: string): number => (range === "*/*" ? 0 : range.endsWith("/*") ? 1 : 2);

const covers = (range: string, type: string): boolean =>
  range === "*/*" || range === type || range === `${type.slice(0, type.indexOf("/"))}/*`;

/** How much a type is wanted: the weight of the most specific range that covers it, the largest of equal ones. */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  const [best] = ranges
    .filter((range) => covers(range.type, type))
    .toSorted((a, b) => specificity(b.type) - specificity(a.type) || b.quality - a.quality);
  return best?.quality ?? 0;
}

/**
 * The type of `offered` that an Accept header wants most; the first one without such a header and
 * among equals. Throws plasm-not-acceptable (SURF-17).
 */
export function negotiate<T extends string>(
  accept: string | null,
  offered: readonly [T, ...T[]],
): T {
  if (accept === null || accept.trim() === "") return offered[0];
  const ranges = readAccept(accept);
  const [best] = offered
    .map((type) => ({ type, quality: qualityOf(type, ranges) }))
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  if (best !== undefined) return best.type;
  throw fail("plasm-not-acceptable", `This route answers with: ${offered.join(", ")}.`);
}
