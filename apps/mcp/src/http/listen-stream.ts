import { type Caller, type Engine } from "@plasm/agent-core";
import { principalOf } from "@plasm/agent-core/internal";
import {
  createMcpHandler,
  isJSONRPCRequest,
  type JSONRPCRequest,
  type McpHandlerRequestOptions,
  type McpServerFactory,
  ProtocolErrorCode,
  type ServerEvent,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { listenedTo, withListenedTo } from "../watches/listen-request.ts";
import { Subscriptions } from "../watches/subscriptions.ts";

/** Streams of one process, and of one principal in it. */
const MOST_STREAMS = 1_000;
const MOST_OWN = 20;

/** Whether a body is the request of 2026-07-28 that opens a stream of changes. */
export const opensListenStream = (body: unknown): body is JSONRPCRequest =>
  isJSONRPCRequest(body) && body.method === "subscriptions/listen";

/** The changes that one stream is told of: its caller's, and no other's. */
class StreamEvents implements ServerEventBus {
  #tell: ((event: ServerEvent) => void) | null = null;
  readonly #early: ServerEvent[] = [];
  readonly #ended: () => void;

  constructor(ended: () => void) {
    this.#ended = ended;
  }

  get taken(): boolean {
    return this.#tell !== null;
  }

  /** What changes before the stream is acknowledged is told right after. */
  publish(event: ServerEvent): void {
    if (this.#tell === null) this.#early.push(event);
    else this.#tell(event);
  }

  subscribe(tell: (event: ServerEvent) => void): () => void {
    this.#tell = tell;
    for (const event of this.#early.splice(0)) tell(event);
    return this.#ended;
  }
}

/** The streams of changes that clients of 2026-07-28 have open over HTTP (WATCH-06). */
export class ListenStreams {
  readonly #engine: Engine;
  readonly #servers: McpServerFactory;
  readonly #own = new Map<string, number>();
  readonly #open = new Set<() => Promise<void>>();

  constructor(engine: Engine, servers: McpServerFactory) {
    this.#engine = engine;
    this.#servers = servers;
  }

  /** Opens one; it is acknowledged with those of the resources it asks for that are watches which its caller may read. */
  async serve(
    request: Request,
    body: JSONRPCRequest,
    caller: Caller,
    about: McpHandlerRequestOptions,
  ): Promise<Response> {
    const principal = principalOf(caller);
    const own = this.#own.get(principal) ?? 0;
    if (own >= MOST_OWN || this.#open.size >= MOST_STREAMS) return tooMany(body, own);
    this.#own.set(principal, own + 1);
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      watched.close();
      this.#open.delete(close);
      this.#leave(principal);
    };
    const events = new StreamEvents(end);
    const watched = new Subscriptions(this.#engine, caller, (uri) =>
      events.publish({ kind: "resource_updated", uri }),
    );
    const stream = createMcpHandler(this.#servers, { bus: events, legacy: "reject" });
    const close = (): Promise<void> => stream.close();
    this.#open.add(close);
    try {
      const asked = listenedTo(body);
      const heard = asked === null ? body : withListenedTo(body, await watched.add(asked));
      return await stream.fetch(request, { ...about, parsedBody: heard });
    } finally {
      if (!events.taken) end();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((close) => close()));
  }

  #leave(principal: string): void {
    const left = (this.#own.get(principal) ?? 1) - 1;
    if (left === 0) this.#own.delete(principal);
    else this.#own.set(principal, left);
  }
}

function tooMany({ id }: JSONRPCRequest, own: number): Response {
  const message =
    own >= MOST_OWN
      ? `You have ${own} streams of changes open, as many as one caller may. One may listen to many watches: end another first.`
      : `This server has ${MOST_STREAMS} streams of changes open, as many as it takes. Try again later.`;
  return Response.json({
    jsonrpc: "2.0",
    id,
    error: { code: ProtocolErrorCode.InternalError, message },
  });
}
