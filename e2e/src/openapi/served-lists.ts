import { catalogFromOpenApi } from "@plasm/importers";
import { serveCatalog } from "../engine/served-catalog.ts";

export interface Row {
  readonly id: number;
  readonly name: string;
}

/** What a server answers. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** A number of the query, or another where it is not there. */
export type Ask = (name: string, other?: number) => number;

export const text = { type: "string" };
export const integer = { type: "integer" };

/** A parameter of the query. */
export const asked = (name: string, schema: object = integer, more: object = {}) => ({
  name,
  in: "query",
  schema,
  ...more,
});

/** The rows of a list of so many. */
export const thingRows = (length = 57): readonly Row[] =>
  Array.from({ length }, (_none, at) => ({ id: at + 1, name: `n${at + 1}` }));

/** A list as a document says it, and as its server answers. */
export interface ServedList {
  readonly parameters: readonly object[];
  /** members of the answer beside its items */
  readonly beside: object;
  /** whether the document says that answers have a `Link` header */
  readonly isLinked?: boolean;
  readonly reply: (ask: Ask, query: URLSearchParams) => Reply;
}

/** Lists of a document that a server on loopback answers: `Thing0`, `Thing1` and so on. */
export interface ServedLists {
  /** the queries that the server was asked */
  readonly journal: string[];
  readonly run: (program: string) => Promise<string>;
  /** The rows of a program whose result is read page by page. */
  readonly byPages: (
    program: string,
  ) => Promise<{ readonly rows: readonly string[]; readonly told: boolean }>;
  readonly close: () => Promise<void>;
}

const object = (properties: object) => ({ type: "object", properties });

function documentOf(lists: readonly ServedList[]): object {
  const paths = lists.map(({ parameters, beside, isLinked = false }, at) => {
    const row = { $ref: `#/components/schemas/Thing${at}` };
    const schema = object({ items: { type: "array", items: row }, ...beside });
    const headers = isLinked ? { headers: { Link: { schema: text } } } : {};
    const answer = { description: "", ...headers, content: { "application/json": { schema } } };
    return [`/things${at}`, { get: { parameters, responses: { "200": answer } } }];
  });
  const schemas = lists.map((_list, at) => [`Thing${at}`, object({ id: integer, name: text })]);
  return {
    openapi: "3.0.3",
    info: { title: "Lists", version: "1" },
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  };
}

/** The cells of the one table of an answer. */
export const cells = (answered: string): readonly string[] =>
  (/```tsv\n[^\n]*\n([\s\S]*?)\n?```/.exec(answered)?.[1] ?? "").split("\n").filter(Boolean);

/** Serves lists, imports their document, and opens a session on their rows. */
export async function serveLists(lists: readonly ServedList[]): Promise<ServedLists> {
  const journal: string[] = [];
  const served = await serveCatalog({
    listener: (request, response) => {
      const url = new URL(request.url ?? "/", "http://lists.example");
      journal.push(url.search);
      const list = lists[Number(url.pathname.slice("/things".length))];
      const ask: Ask = (name, other = 0) => Number(url.searchParams.get(name) ?? other);
      const reply = list?.reply(ask, url.searchParams) ?? { status: 404 };
      response.writeHead(reply.status ?? 200, {
        "content-type": "application/json",
        ...reply.headers,
      });
      const body = reply.body ?? (reply.status === 204 ? undefined : {});
      response.end(body === undefined ? undefined : JSON.stringify(body));
    },
    make: (options) => catalogFromOpenApi(documentOf(lists), options),
    entities: lists.map((_list, at) => `Thing${at}`),
  });
  const run = async (program: string): Promise<string> => (await served.outcome(program)).text;
  return {
    journal,
    run,
    byPages: async (program) => {
      let answered = await run(program);
      const rows = [...cells(answered)];
      for (;;) {
        const handle = /(?:next|rest): page\((\w+)\)/.exec(answered)?.[1];
        if (handle === undefined) return { rows, told: answered.includes("partial") };
        answered = await run(`page(${handle})`);
        rows.push(...cells(answered));
      }
    },
    close: served.close,
  };
}
