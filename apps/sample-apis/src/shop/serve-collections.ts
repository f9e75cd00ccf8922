import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type ServedRow = Record<string, unknown>;

/** How a list is cut into pages. */
type Paging = "page" | "offset" | "cursor" | "whole";

/** What may be done to one row besides reading and correcting it. */
interface Action {
  /** members of its body */
  readonly takes: readonly string[];
  readonly apply: (row: ServedRow, body: ServedRow) => void;
}

/** One list of an API, and what may be done with its rows. */
export interface Collection {
  /** the last part of its address */
  readonly name: string;
  readonly key: string;
  readonly rows: readonly object[];
  readonly paging: Paging;
  /** columns that the list may be filtered by */
  readonly filters: readonly string[];
  /** the column that `q` is looked for in */
  readonly search?: string;
  /** makes a row of a body and the number of rows so far */
  readonly create?: (body: ServedRow, count: number) => ServedRow;
  readonly update?: readonly string[];
  readonly delete?: true;
  readonly actions?: Readonly<Record<string, Action>>;
}

/** A write as it reached the server. Of an update only what it changed; one that changed nothing is left out. */
export interface Effect {
  readonly method: string;
  readonly path: string;
  readonly body: ServedRow;
}

export interface WorldServer {
  readonly url: string;
  /** writes since the last reset, in order */
  readonly effects: readonly Effect[];
  /** Puts the first data back and forgets all effects. */
  reset(): void;
  close(): Promise<void>;
}

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

const refuse = (status: number, message: string): Answered => ({ status, body: { message } });

const PAGE_SIZE = 20;

async function readBody(request: IncomingMessage): Promise<ServedRow> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? {} : (JSON.parse(text) as ServedRow);
}

function paged(
  rows: readonly ServedRow[],
  paging: Paging,
  key: string,
  query: URLSearchParams,
): unknown {
  if (paging === "whole") return { items: rows };
  if (paging === "page") {
    const page = Number(query.get("page") ?? 1);
    return { items: rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE) };
  }
  if (paging === "offset") {
    const offset = Number(query.get("offset") ?? 0);
    return { items: rows.slice(offset, offset + PAGE_SIZE) };
  }
  const after = query.get("after");
  const start = after === null ? 0 : rows.findIndex((row) => String(row[key]) === after) + 1;
  const items = rows.slice(start, start + PAGE_SIZE);
  const more = start + PAGE_SIZE < rows.length;
  return { items, next: more ? String(items.at(-1)?.[key]) : null };
}

/** The rows of a world while it is served. */
class Served {
  readonly effects: Effect[] = [];
  readonly #collections: readonly Collection[];
  #rows = new Map<string, ServedRow[]>();

  constructor(collections: readonly Collection[]) {
    this.#collections = collections;
    this.reset();
  }

  reset(): void {
    this.effects.length = 0;
    this.#rows = new Map(
      this.#collections.map(({ name, rows }) => [name, structuredClone(rows) as ServedRow[]]),
    );
  }

  answer(method: string, url: URL, body: ServedRow): Answered {
    const [name = "", key, action] = url.pathname.slice(1).split("/").map(decodeURIComponent);
    const collection = this.#collections.find((one) => one.name === name);
    const rows = this.#rows.get(name);
    if (collection === undefined || rows === undefined) return refuse(404, `no ${url.pathname}`);
    if (key === undefined) {
      if (method === "GET") return this.#list(collection, rows, url.searchParams);
      return method === "POST" ? this.#create(collection, rows, body) : refuse(405, "not allowed");
    }
    const row = rows.find((one) => String(one[collection.key]) === key);
    if (row === undefined) return refuse(404, `there is no ${name} ${key}`);
    const path = `/${name}/${key}`;
    if (action !== undefined) return this.#act(collection, row, action, { path, body });
    if (method === "GET") return { status: 200, body: row };
    if (method === "PATCH") return this.#update(collection, row, { path, body });
    if (method !== "DELETE" || collection.delete !== true) return refuse(405, "not allowed");
    rows.splice(rows.indexOf(row), 1);
    this.effects.push({ method, path, body: {} });
    return { status: 204, body: undefined };
  }

  #list(collection: Collection, rows: readonly ServedRow[], query: URLSearchParams): Answered {
    const paging = ["page", "offset", "after"];
    let found = rows;
    for (const [name, value] of query) {
      if (paging.includes(name)) continue;
      if (name === "q" && collection.search !== undefined) {
        const { search } = collection;
        const words = value.toLowerCase();
        found = found.filter((row) => String(row[search]).toLowerCase().includes(words));
      } else if (collection.filters.includes(name)) {
        found = found.filter((row) => String(row[name]) === value);
      } else {
        return refuse(422, `${name} is no parameter of ${collection.name}`);
      }
    }
    return { status: 200, body: paged(found, collection.paging, collection.key, query) };
  }

  #create({ name, create }: Collection, rows: ServedRow[], body: ServedRow): Answered {
    if (create === undefined) return refuse(405, "not allowed");
    const made = create(body, rows.length);
    rows.push(made);
    this.effects.push({ method: "POST", path: `/${name}`, body });
    return { status: 201, body: made };
  }

  #update(
    { update = [] }: Collection,
    row: ServedRow,
    { path, body }: Omit<Effect, "method">,
  ): Answered {
    const unknown = Object.keys(body).find((member) => !update.includes(member));
    if (unknown !== undefined) return refuse(422, `${unknown} cannot be changed`);
    const changed = Object.entries(body).filter(
      ([member, value]) => JSON.stringify(row[member]) !== JSON.stringify(value),
    );
    Object.assign(row, body);
    if (changed.length > 0) {
      this.effects.push({ method: "PATCH", path, body: Object.fromEntries(changed) });
    }
    return { status: 200, body: row };
  }

  #act(
    { actions = {} }: Collection,
    row: ServedRow,
    name: string,
    sent: Omit<Effect, "method">,
  ): Answered {
    const action = actions[name];
    if (action === undefined) return refuse(404, `there is no action ${name}`);
    const unknown = Object.keys(sent.body).find((member) => !action.takes.includes(member));
    if (unknown !== undefined) return refuse(422, `${name} takes no ${unknown}`);
    action.apply(row, sent.body);
    this.effects.push({ method: "POST", path: `${sent.path}/${name}`, body: sent.body });
    return { status: 200, body: row };
  }
}

/** Serves collections as JSON on a free port of loopback. */
export async function serveWorld(collections: readonly Collection[]): Promise<WorldServer> {
  const served = new Served(collections);
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const { status, body } = served.answer(request.method ?? "GET", url, await readBody(request));
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: String(error) }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    effects: served.effects,
    reset: () => served.reset(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
