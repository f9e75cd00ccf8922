import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Answer, textAnswer } from "./answer.ts";
import { type FaultRule, faultScript } from "./fault.ts";
import { forward } from "./forward.ts";
import { receive, type Received } from "./received.ts";
import { sendAnswer, sendFault } from "./send-fault.ts";

/** What is behind the proxy: another server's URL, or what answers in its place. */
export type Behind = string | ((request: Received) => Answer | Promise<Answer>);

/** A real HTTP server on a free loopback port that goes wrong as its script says. */
export interface FaultProxy {
  readonly url: string;
  /** every request that arrived, in order, with its credentials */
  readonly requests: readonly Received[];
  /** those that what is behind was asked to do */
  readonly passed: readonly Received[];
  /** bytes handed to the sockets so far, heads and bodies of answers: what callers took, and what waits for them */
  readonly bytesOut: number;
  /** how many connections were opened */
  readonly connections: number;
  /** From now on this script, from its beginning; forgets all requests and counts. */
  follow(rules: readonly FaultRule[]): void;
  close(): Promise<void>;
}

class RunningProxy {
  requests: Received[] = [];
  passed: Received[] = [];
  readonly #behind: Behind;
  #rule: ReturnType<typeof faultScript>;
  #sockets = new Set<Socket>();
  #bytesEnded = 0;
  connections = 0;

  constructor(behind: Behind, rules: readonly FaultRule[]) {
    this.#behind = behind;
    this.#rule = faultScript(rules);
  }

  get bytesOut(): number {
    return [...this.#sockets].reduce((sum, one) => sum + one.bytesWritten, this.#bytesEnded);
  }

  follow(rules: readonly FaultRule[]): void {
    this.#rule = faultScript(rules);
    this.requests = [];
    this.passed = [];
    this.connections = 0;
    this.#bytesEnded -= this.bytesOut;
  }

  connected(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      this.#bytesEnded += socket.bytesWritten;
    });
    // A caller that gives up resets its connection, which is no error here.
    socket.on("error", () => undefined);
  }

  async handle(request: Received, outgoing: ServerResponse): Promise<void> {
    this.requests.push(request);
    const rule = this.#rule(request);
    if (rule !== null && rule.when !== "after") return sendFault(outgoing, rule.fault, request);
    this.passed.push(request);
    const behind = this.#behind;
    const answer = await (typeof behind === "string" ? forward(behind, request) : behind(request));
    if (rule === null) return sendAnswer(outgoing, answer);
    sendFault(outgoing, rule.fault, request);
  }
}

/**
 * Starts a server before `behind` whose answers go wrong by rules: of each request the first rule that
 * matches. Without any it passes everything on as it is.
 */
export async function startFaultProxy(
  behind: Behind,
  rules: readonly FaultRule[] = [],
): Promise<FaultProxy> {
  const proxy = new RunningProxy(behind, rules);
  const server = createServer((incoming, outgoing) => {
    receive(incoming, proxy.requests.length + 1)
      .then((request) => proxy.handle(request, outgoing))
      .catch((error: unknown) => sendAnswer(outgoing, textAnswer(String(error), 500)));
  });
  server.on("connection", (socket: Socket) => proxy.connected(socket));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return proxy.requests;
    },
    get passed() {
      return proxy.passed;
    },
    get bytesOut() {
      return proxy.bytesOut;
    },
    get connections() {
      return proxy.connections;
    },
    follow: (next) => proxy.follow(next),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** A server at which nothing must arrive, or nothing that holds a credential; it answers `{}`. */
export const startWitness = (answer: Answer = textAnswer("{}")): Promise<FaultProxy> =>
  startFaultProxy(() => answer);
