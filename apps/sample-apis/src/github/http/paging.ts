import type { Context } from "hono";
import type { Env } from "./api.ts";

const MOST = 100;
const USUAL = 30;

function whole(text: string | undefined, fallback: number): number {
  const value = Number(text);
  return text !== undefined && /^\d+$/.test(text) && value > 0 ? value : fallback;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** the `Link` header, null where there is one page only */
  readonly link: string | null;
}

/** The page that `page` and `per_page` ask for, with links on the server's own origin. */
export function pageOf<Row>(c: Context<Env>, origin: string, all: readonly Row[]): Page<Row> {
  const page = whole(c.req.query("page"), 1);
  const size = Math.min(whole(c.req.query("per_page"), USUAL), MOST);
  const last = Math.max(1, Math.ceil(all.length / size));
  const to = (number: number, rel: string): string => {
    const url = new URL(c.req.url);
    url.searchParams.set("page", String(number));
    return `<${origin}${url.pathname}${url.search}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [to(page - 1, "prev")] : []),
    ...(page < last ? [to(page + 1, "next"), to(last, "last")] : []),
    ...(page > 1 ? [to(1, "first")] : []),
  ];
  return {
    rows: all.slice((page - 1) * size, page * size),
    link: links.length === 0 ? null : links.join(", "),
  };
}

/** A page of rows as a list. */
export function answerPage<Row>(
  c: Context<Env>,
  origin: string,
  all: readonly Row[],
  wire: (row: Row) => object,
): Response {
  const { rows, link } = pageOf(c, origin, all);
  return Response.json(rows.map(wire), { headers: link === null ? {} : { link } });
}

/** A page of rows under a name, with their number. */
export function answerCounted<Row>(
  c: Context<Env>,
  origin: string,
  all: readonly Row[],
  { under, wire }: { readonly under: string; readonly wire: (row: Row) => object },
): Response {
  const { rows, link } = pageOf(c, origin, all);
  const body = { total_count: all.length, [under]: rows.map(wire) };
  return Response.json(body, { headers: link === null ? {} : { link } });
}
