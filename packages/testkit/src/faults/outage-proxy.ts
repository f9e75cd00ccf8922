import { connect, createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** A way to a database that can fail as networks and servers do. */
export interface OutageProxy {
  /** the database's address by this way */
  readonly url: string;
  /** bytes that came from clients so far */
  readonly sent: number;
  /** Resets every connection; new ones are made. */
  cut(): void;
  /** Resets every connection and refuses new ones, as a server that is down. */
  refuse(): Promise<void>;
  /** Takes connections and bytes and brings nothing on, as a network that is gone without a word. */
  silence(): void;
  /** Lets through again what comes from now on, and what was held back. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((ready, fail) => {
    server.once("error", fail);
    server.listen(port, LOOPBACK, () => ready());
  });

class RunningProxy {
  sent = 0;
  readonly #host: string;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #silent = false;

  constructor({ hostname, port }: URL) {
    this.#host = hostname;
    this.#port = Number(port);
  }

  take(client: Socket): void {
    const server = connect(this.#port, this.#host);
    this.#relay(client, server, (bytes) => (this.sent += bytes));
    this.#relay(server, client, () => undefined);
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  silence(silent: boolean): void {
    this.#silent = silent;
    for (const socket of this.#sockets) {
      if (silent) socket.pause();
      else socket.resume();
    }
  }

  #relay(from: Socket, to: Socket, count: (bytes: number) => void): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    from.on("data", (bytes) => {
      count(bytes.length);
      to.write(bytes);
    });
    from.on("end", () => to.end());
    from.on("error", () => to.resetAndDestroy());
    from.on("close", () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    if (this.#silent) from.pause();
  }
}

/** Starts a way to a database on a free loopback port. */
export async function startOutageProxy(databaseUrl: string): Promise<OutageProxy> {
  const target = new URL(databaseUrl);
  const proxy = new RunningProxy(target);
  const server = createServer({ pauseOnConnect: false }, (socket) => proxy.take(socket));
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  const refuse = async (): Promise<void> => {
    if (!server.listening) return proxy.reset();
    const closed = new Promise<void>((done) => server.close(() => done()));
    proxy.reset();
    await closed;
  };
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: LOOPBACK, port: String(port) }).href,
    get sent() {
      return proxy.sent;
    },
    cut: () => proxy.reset(),
    refuse,
    silence: () => proxy.silence(true),
    restore: async () => {
      proxy.silence(false);
      if (!server.listening) await listen(server, port);
    },
    close: refuse,
  };
}
