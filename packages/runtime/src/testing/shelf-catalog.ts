import type { Catalog } from "@plasm/core";
import { type Received, type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf } from "./fixture-run.ts";

export interface Author {
  readonly id: string;
  readonly name: string | null;
  readonly born: number | null;
}

export interface Book {
  readonly id: string;
  readonly author: string | null;
  readonly kind: "a" | "b" | null;
}

/** What the shelf's API serves; authors may be missing that books refer to. */
export interface ShelfData {
  readonly authors: readonly Author[];
  readonly books: readonly Book[];
}

const domain = (listed: boolean): string => `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  year: { type: integer }
  kind: { type: select, allowed_values: [a, b] }
  author: { type: entity_ref, target: Author }
entities:
  Author:
    id_field: id
    fields: { id: { value_ref: text }, name: { value_ref: text }, born: { value_ref: year } }
  Book:
    id_field: id
    fields: { id: { value_ref: text }, author: { value_ref: author }, kind: { value_ref: kind } }
capabilities:
  author_query:
    kind: query
    entity: Author
    parameters: [${listed ? "{ name: name, value_ref: text }" : ""}]
    provides: [id, name, born]
  author_get: { kind: get, entity: Author }
  book_query:
    kind: query
    entity: Book
    parameters: [{ name: kind, value_ref: kind }]
    provides: [id, author, kind]
${
  listed
    ? `  book_of:
    kind: query
    entity: Book
    parameters:
      - { name: author, value_ref: author, role: scope, required: true }
      - { name: kind, value_ref: kind }
    provides: [id, author, kind]
`
    : ""
}`;

const query = (...names: readonly string[]): string =>
  `{ type: object, fields: [${names.map((name) => `[${name}, { type: var, name: ${name} }]`).join(", ")}] }`;
const literal = (value: string): string => `{ type: literal, value: ${value} }`;
const paged = "pagination: { params: { page: { counter: 1 }, size: { fixed: 3 } } }";

const mappings = (listed: boolean): string => `
author_query: { method: GET, path: [${literal("authors")}], query: ${query(...(listed ? ["name"] : []))}, response: { items: rows }, ${paged} }
author_get: { method: GET, path: [${literal("authors")}, { type: var, name: id }], response: single }
book_query: { method: GET, path: [${literal("books")}], query: ${query("kind")}, response: { items: rows }, ${paged} }
${listed ? `book_of: { method: GET, path: [${literal("authors")}, { type: var, name: author }, ${literal("books")}], query: ${query("kind")}, response: { items: rows }, ${paged} }` : ""}
`;

/** Books and authors; `listed`: authors are listed by name, and books by author. */
export const shelf = (listed: boolean): Catalog =>
  catalogOf("shelf", domain(listed), mappings(listed));

function page(rows: readonly unknown[], { query: asked }: Received): Reply {
  const at = (Number(asked.get("page") ?? 1) - 1) * Number(asked.get("size") ?? 3);
  return { json: { rows: rows.slice(at, at + Number(asked.get("size") ?? 3)) } };
}

/** The API of a shelf, whose data a test may change. */
export function startShelf(data: () => ShelfData): Promise<TestServer> {
  return startServer((request) => {
    const [kind, id, sub] = request.path.slice(1).split("/").map(decodeURIComponent);
    const { authors, books } = data();
    const name = request.query.get("name");
    const genre = request.query.get("kind");
    if (kind === "authors" && id === undefined) {
      return page(
        authors.filter((each) => name === null || each.name === name),
        request,
      );
    }
    const wanted = books.filter((each) => genre === null || each.kind === genre);
    if (kind === "books") return page(wanted, request);
    if (sub === "books") {
      return page(
        wanted.filter(({ author }) => author === id),
        request,
      );
    }
    const author = authors.find((each) => each.id === id);
    return author === undefined ? { status: 404, json: {} } : { json: author };
  });
}
