import type { Context, Hono } from "hono";
import type { Row } from "../vendor-api.ts";
import { missing, notFound, type Repository, type World } from "./gitlab-world.ts";

/** One page of rows, with the headers that tell of the others. */
export function page(c: Context, origin: string, all: readonly Row[]): Response {
  const url = new URL(c.req.url);
  const number = (name: string, usual: number): number =>
    Number(url.searchParams.get(name) ?? usual);
  const [current, size] = [number("page", 1), Math.min(number("per_page", 20), 100)];
  const last = Math.max(1, Math.ceil(all.length / size));
  const link = (to: number, rel: string): string => {
    url.searchParams.set("page", String(to));
    url.searchParams.set("per_page", String(size));
    return `<${origin}${url.pathname}${url.search}>; rel="${rel}"`;
  };
  const links = [
    ...(current > 1 ? [link(current - 1, "prev")] : []),
    ...(current < last ? [link(current + 1, "next")] : []),
    link(1, "first"),
    link(last, "last"),
  ];
  const head = {
    Link: links.join(", "),
    "X-Page": String(current),
    "X-Per-Page": String(size),
    "X-Next-Page": current < last ? String(current + 1) : "",
    "X-Total": String(all.length),
    "X-Total-Pages": String(last),
  };
  return c.json(all.slice((current - 1) * size, current * size), 200, head);
}

export const bodyOf = async (c: Context): Promise<Row> => {
  const text = await c.req.text();
  return text === "" ? {} : (JSON.parse(text) as Row);
};

export async function demanded(c: Context, ...names: readonly string[]): Promise<Row> {
  const body = await bodyOf(c);
  const absent = names.find((name) => body[name] === undefined);
  if (absent !== undefined) throw missing(absent);
  return body;
}

export const one = (all: ReadonlyMap<string, Row> | undefined, id: string, what: string): Row => {
  const row = all?.get(id);
  if (row === undefined) throw notFound(what);
  return row;
};

/** Rows of issues or merge requests that a query asks for, the latest first unless it says otherwise. */
export function filtered(c: Context, all: Iterable<Row>): Row[] {
  const asked = c.req.query();
  const has = (row: Row, key: string, wanted: string): boolean =>
    ((row[key] ?? []) as Row[]).some((who) => who["username"] === wanted);
  const tests: Readonly<Record<string, (row: Row, wanted: string) => boolean>> = {
    state: (row, wanted) => row["state"] === wanted,
    labels: (row, wanted) =>
      wanted.split(",").every((name) => (row["labels"] as string[]).includes(name)),
    milestone: (row, wanted) => (row["milestone"] as Row | null)?.["title"] === wanted,
    assignee_username: (row, wanted) => has(row, "assignees", wanted),
    reviewer_username: (row, wanted) => has(row, "reviewers", wanted),
    author_username: (row, wanted) => (row["author"] as Row)["username"] === wanted,
    source_branch: (row, wanted) => row["source_branch"] === wanted,
    target_branch: (row, wanted) => row["target_branch"] === wanted,
    search: (row, wanted) => String(row["title"]).toLowerCase().includes(wanted.toLowerCase()),
    created_after: (row, wanted) => String(row["created_at"]) >= wanted,
    updated_after: (row, wanted) => String(row["updated_at"]) >= wanted,
  };
  const rows = [...all].filter((row) =>
    Object.entries(tests).every(([name, test]) => {
      const wanted = asked[name];
      return wanted === undefined || test(row, wanted);
    }),
  );
  const by = asked["order_by"] ?? "created_at";
  const sorted = rows.toSorted((a, b) => (String(a[by]) < String(b[by]) ? -1 : 1));
  return asked["sort"] === "asc" ? sorted : sorted.toReversed();
}

/** What routes are made of. */
export interface Scene {
  readonly app: Hono;
  readonly world: World;
  readonly rows: (c: Context, all: Iterable<Row>) => Response;
  /** the repository that an address names */
  readonly at: (c: Context) => Repository;
}
