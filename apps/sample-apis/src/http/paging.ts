import { unprocessable } from "./api-error.ts";
import { readInteger, type Query } from "./query.ts";

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

const encodeCursor = (id: number): string => Buffer.from(`after:${id}`).toString("base64url");

const decodeCursor = (cursor: string): number => {
  const id = /^after:(\d+)$/.exec(Buffer.from(cursor, "base64url").toString("utf8"))?.[1];
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
