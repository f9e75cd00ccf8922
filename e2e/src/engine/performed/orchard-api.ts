import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { FINE, type Fault } from "./fault.ts";

/** What an orchard API does in one run, and what it did. */
export interface Behaviour {
  /** of each write, in order of arrival; beyond the list all is fine */
  readonly faults: readonly Fault[];
  /** whether lists fail */
  readonly listsFail: boolean;
  /** called on each write, with its number from 1 */
  readonly onWrite: (number: number) => void;
}

/** An API over loopback sockets that keeps account of what it performed, and misbehaves as told. */
export interface OrchardApi {
  readonly url: string;
  /** writes performed: `create oak`, `update 12 oak`, `prune 12 2026-01-05`, `delete 12` */
  readonly performed: readonly string[];
  /** writes that arrived */
  readonly arrived: number;
  /** Forgets everything and behaves like this from now on. */
  behave(how: Behaviour): void;
  close(): Promise<void>;
}

/** The trees that stand on a plot: three, with numbers of their own. */
const treesOn = (plot: number): readonly number[] => [1, 2, 3].map((one) => plot * 10 + one);

const tree = (id: number, species: string) => ({ id, species, state: "bearing", plot: "x" });

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: { readonly species?: string; readonly on?: string };
  readonly key: string | null;
}

async function read(incoming: IncomingMessage): Promise<Asked> {
  let text = "";
  for await (const chunk of incoming) text += String(chunk);
  const url = new URL(incoming.url ?? "/", "http://orchard");
  const key = incoming.headers["idempotency-key"];
  return {
    method: incoming.method ?? "",
    path: url.pathname,
    query: url.searchParams,
    body: text === "" ? {} : (JSON.parse(text) as Asked["body"]),
    key: typeof key === "string" ? key : null,
  };
}

function nameOf({ method, path, body }: Asked): string {
  const id = path.split("/")[2] ?? "";
  if (method === "DELETE") return `delete ${id}`;
  if (method === "PATCH") return `update ${id} ${body.species}`;
  return id === "" ? `create ${body.species}` : `prune ${id} ${body.on}`;
}

function send(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" });
  outgoing.end(body === undefined ? "" : JSON.stringify(body));
}

class RunningOrchard {
  performed: string[] = [];
  arrived = 0;
  #keys = new Set<string>();
  #how: Behaviour = { faults: [], listsFail: false, onWrite: () => undefined };

  behave(how: Behaviour): void {
    this.#how = how;
    this.performed = [];
    this.arrived = 0;
    this.#keys = new Set();
  }

  async handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const asked = await read(incoming);
    if (asked.method === "GET") return this.#get(asked, outgoing);
    const fault = this.#how.faults[this.arrived] ?? FINE;
    this.arrived += 1;
    this.#how.onWrite(this.arrived);
    if (fault.performs) this.#perform(asked);
    const { answer } = fault;
    switch (answer.kind) {
      case "success":
        return this.#succeed(asked, outgoing);
      case "hang up":
        outgoing.socket?.destroy();
        return;
      case "hang":
        return;
      case "text":
        outgoing.writeHead(answer.status, {
          "content-type": answer.body.startsWith("<") ? "text/html" : "application/json",
          ...answer.headers,
        });
        outgoing.end(answer.body);
    }
  }

  /** Of two requests with one key the second changes nothing. */
  #perform(asked: Asked): void {
    if (asked.key !== null && this.#keys.has(asked.key)) return;
    if (asked.key !== null) this.#keys.add(asked.key);
    this.performed.push(nameOf(asked));
  }

  #get({ path, query }: Asked, outgoing: ServerResponse): void {
    const id = Number(path.split("/")[2] ?? 0);
    if (this.#how.listsFail) return send(outgoing, 500, { message: "no" });
    if (id > 0) return send(outgoing, 200, tree(id, `s${id}`));
    const plot = Number(query.get("plot"));
    send(outgoing, 200, { items: treesOn(plot).map((one) => tree(one, `s${one}`)) });
  }

  #succeed({ method, path, body }: Asked, outgoing: ServerResponse): void {
    const id = Number(path.split("/")[2] ?? 0);
    if (method === "DELETE" || path.endsWith("/prunings")) return send(outgoing, 204, undefined);
    send(
      outgoing,
      id === 0 ? 201 : 200,
      tree(id === 0 ? 900 + this.arrived : id, body.species ?? ""),
    );
  }
}

export async function startOrchard(): Promise<OrchardApi> {
  const orchard = new RunningOrchard();
  const server = createServer((incoming, outgoing) => {
    orchard.handle(incoming, outgoing).catch((error: unknown) => {
      outgoing.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get performed() {
      return orchard.performed;
    },
    get arrived() {
      return orchard.arrived;
    },
    behave: (how) => orchard.behave(how),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
