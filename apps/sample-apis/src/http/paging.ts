import { unprocessable } from "./api-app.ts";

/** Rows of a page where the client names no size. */
const pageSize = 20;

const largest = { min: 1, max: 100, fallback: pageSize };
const position = { max: 1_000_000 };

export const pageParameters = ["page", "per_page"] as const;

/** One page counted from 1; a page past the end is empty. */
export const numberedPage = <Row>(rows: readonly Row[], query: Query) => {
  const page = readInteger(query, "page", { ...position, min: 1, fallback: 1 });
  const size = readInteger(query, "per_page", largest);
  return { items: rows.slice((page - 1) * size, page * size), page, total: rows.length };
};

export const offsetParameters = ["offset", "limit"] as const;

/** The rows from an offset on; an offset past the end gives none. */
export const offsetPage = <Row>(rows: readonly Row[], query: Query) => {
  const offset = readInteger(query, "offset", { ...position, min: 0, fallback: 0 });
  const size = readInteger(query, "limit", largest);
  return { rows: rows.slice(offset, offset + size), offset, total: rows.length };
};

export const cursorParameters = ["after", "limit"] as const;

/** Base64 as URLs have it, of plain letters alone. */
const encodeCursor = (id: number): string => btoa(`after:${id}`).replaceAll("=", "");

function decoded(cursor: string): string {
  try {
    return atob(cursor);
  } catch {
    return "";
  }
}

const decodeCursor = (cursor: string): number => {
  const id = /^after:(\d+)$/.exec(decoded(cursor))?.[1];
  if (id === undefined) {
    throw unprocessable([{ field: "after", message: "must be a `next` of an earlier page" }]);
  }
  return Number(id);
};

/** The rows behind a cursor, by rising id; `next` is null on the last page. */
export const cursorPage = <Row extends { readonly id: number }>(
  rows: readonly Row[],
  query: Query,
) => {
  const size = readInteger(query, "limit", largest);
  const after = query["after"] === undefined ? 0 : decodeCursor(query["after"]);
  const left = rows.filter((row) => row.id > after).toSorted((a, b) => a.id - b.id);
  const page = left.slice(0, size);
  const last = page.at(-1);
  return {
    rows: page,
    next: last === undefined || left.length <= size ? null : encodeCursor(last.id),
  };
};

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

interface IntegerBounds {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}

/** An integer parameter within bounds, its fallback if absent, else a 422. */
const readInteger = (query: Query, field: string, bounds: IntegerBounds): number => {
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
