import { fail } from "@plasm/agent-core";

interface Range {
  readonly type: string;
  readonly quality: number;
}

function readRange(text: string): Range | null {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  if (!/^[^/\s]+\/[^/\s]+$/.test(type)) return null;
  const q = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = q === undefined ? 1 : Number(q.slice(2));
  return { type, quality: Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 0 };
}

const specificity = (range: string): number => (range === "*/*" ? 0 : range.endsWith("/*") ? 1 : 2);

const covers = (range: string, type: string): boolean =>
  range === "*/*" || range === type || range === `${type.slice(0, type.indexOf("/"))}/*`;

/** How much a type is wanted: the quality of the most specific range that covers it. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const [best] = ranges
    .filter((range) => covers(range.type, type))
    .toSorted((a, b) => specificity(b.type) - specificity(a.type));
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
  const ranges = accept.split(",").flatMap((text) => readRange(text) ?? []);
  const [best] = offered
    .map((type) => ({ type, quality: qualityOf(type, ranges) }))
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  if (best !== undefined) return best.type;
  throw fail("plasm-not-acceptable", `This route answers with: ${offered.join(", ")}.`);
}
