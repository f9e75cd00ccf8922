import { unprocessable } from "./api-error.ts";

/** Query parameters by name; each given at most once. */
export type Query = Readonly<Record<string, string>>;

/**
 * The query of a request. A parameter the endpoint does not know, or one given twice, is a 422: a
 * sample server that ignored them would hide a client's mistakes.
 */
export const readQuery = (requestUrl: string, allowed: readonly string[]): Query => {
  const query: Record<string, string> = {};
  const complaints = [];
  for (const [field, value] of new URL(requestUrl).searchParams) {
    if (!allowed.includes(field)) {
      complaints.push({ field, message: `is unknown here, known: ${allowed.join(", ")}` });
    } else if (Object.hasOwn(query, field)) {
      complaints.push({ field, message: "is given twice" });
    } else {
      query[field] = value;
    }
  }
  if (complaints.length > 0) throw unprocessable(complaints);
  return query;
};

export interface IntegerBounds {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}

/** An integer parameter within bounds, its fallback if absent, else a 422. */
export const readInteger = (query: Query, field: string, bounds: IntegerBounds): number => {
  const text = query[field];
  if (text === undefined) return bounds.fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= bounds.min && value <= bounds.max) return value;
  throw unprocessable([
    { field, message: `must be an integer from ${bounds.min} to ${bounds.max}` },
  ]);
};

/** A parameter that takes one of a few words, undefined if absent, else a 422. */
export const readOption = <Option extends string>(
  query: Query,
  field: string,
  options: readonly Option[],
): Option | undefined => {
  const text = query[field];
  if (text === undefined) return undefined;
  const option = options.find((candidate) => candidate === text);
  if (option !== undefined) return option;
  throw unprocessable([{ field, message: `must be one of ${options.join(", ")}` }]);
};
