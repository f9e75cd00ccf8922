import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@plasm/core";
import { createYoga, type Plugin } from "graphql-yoga";
import { rootOf } from "./root.ts";
import { githubSchema } from "./schema.ts";
import type { World } from "./data/model.ts";

/** One operation as it came. */
export interface Asked {
  readonly kind: "query" | "mutation";
  /** the name of the operation */
  readonly name: string;
  readonly variables: JsonObject;
}

/** What happens to an operation instead of an answer, or after it was performed. */
export type Fault =
  | {
      readonly kind: "answer";
      readonly status?: number;
      readonly json: object;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** performed, then the connection ends without an answer */
  | { readonly kind: "lost" };

export interface GithubGraphql {
  readonly url: string;
  /** Puts another world in place of the one there. */
  use(world: World): void;
  readonly asked: Asked[];
  /** what befalls the operations to come; null for nothing */
  befall(fault: ((asked: Asked) => Fault | null) | null): void;
  close(): Promise<void>;
}

export const TOKEN = "ghp_of-the-gardener";

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const json = (status: number, body: object, headers: Answer["headers"] = {}): Answer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  text: JSON.stringify(body),
});

/** GitHub tells the type of an error beside its message, not among its extensions. */
function asGithub(text: string): string {
  const body = JSON.parse(text) as { errors?: readonly { extensions?: object }[] };
  const errors = body.errors?.map(({ extensions, ...error }) => ({ ...extensions, ...error }));
  return JSON.stringify(errors === undefined ? body : { ...body, errors });
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of incoming) body += String(chunk);
  return body;
}

type Perform = (body: string) => Promise<Answer>;

/** Yoga on GitHub's schema, with a world behind it. */
function performer(root: () => object): Perform {
  const rooted: Plugin = {
    onExecute: ({ args }) => void Object.assign(args, { rootValue: root() }),
  };
  const yoga = createYoga({
    schema: githubSchema(),
    graphqlEndpoint: "/graphql",
    logging: false,
    maskedErrors: false,
    plugins: [rooted],
  });
  const headers = { "content-type": "application/json", accept: "application/json" };
  return async (body) => {
    const url = "http://github.test/graphql";
    const response = await yoga.fetch(url, { method: "POST", headers, body });
    return json(response.status, JSON.parse(asGithub(await response.text())) as object);
  };
}

/** A GraphQL server with GitHub's schema and a world of its own, on a free port. */
export async function startGithubGraphql(world: World): Promise<GithubGraphql> {
  const asked: Asked[] = [];
  let root = rootOf(world);
  const perform = performer(() => root);
  let befall: (asked: Asked) => Fault | null = () => null;
  const answer = async (incoming: IncomingMessage): Promise<Answer | null> => {
    if (incoming.url !== "/graphql" || incoming.method !== "POST") {
      return json(404, { message: "Not Found" });
    }
    if (incoming.headers.authorization !== `Bearer ${TOKEN}`) {
      return json(401, { message: "Bad credentials" });
    }
    const body = await bodyOf(incoming);
    const { query, variables } = JSON.parse(body) as { query: string; variables?: JsonObject };
    const [, name = ""] = /^(?:query|mutation) (\w+)/.exec(query) ?? [];
    const kind = query.startsWith("mutation ") ? "mutation" : "query";
    const one: Asked = { kind, name, variables: variables ?? {} };
    asked.push(one);
    const fault = befall(one);
    if (fault?.kind === "answer") return json(fault.status ?? 200, fault.json, fault.headers);
    const performed = await perform(body);
    return fault?.kind === "lost" ? null : performed;
  };
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const done = await answer(incoming);
    if (done === null) incoming.socket.destroy();
    else outgoing.writeHead(done.status, done.headers).end(done.text);
  };
  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    use: (next) => {
      root = rootOf(next);
    },
    asked,
    befall: (fault) => {
      befall = fault ?? (() => null);
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
