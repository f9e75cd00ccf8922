import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Account, binariesFor, dropBinaries, serverAccount } from "./binaries.ts";
import { runSql } from "./databases.ts";

/** A real PostgreSQL on loopback, with data of its own that no test needs to survive. */
export interface TestPostgres {
  /** its own database, as its superuser: `postgres://USER:PASSWORD@HOST:PORT/postgres` */
  readonly url: string;
  readonly pid: number;
  /** where its data are */
  readonly directory: string;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

const USER = "plasm";
const FIRST_PORT = 10_240;
/** Where the system begins to give ports to clients. */
const PORTS_END = 32_768;
const START_TRIES = 10;
const START_MS = 30_000;

/** Nothing of it survives a power cut, and nothing waits for a disk. */
const FAST = ["fsync=off", "full_page_writes=off", "synchronous_commit=off"];
const SETTINGS = [
  ...FAST,
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=200",
];

interface Place {
  readonly bin: string;
  readonly directory: string;
  readonly account: Account | null;
  readonly password: string;
}

/** Compared by the rules of a language, so that a query that relies on the order of bytes says so. */
const LOCALE = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en"];

function makeCluster({ bin, directory, account, password }: Place): void {
  const file = join(directory, "password");
  writeFileSync(file, password);
  if (account !== null)
    for (const path of [directory, file]) chownSync(path, account.uid, account.gid);
  const quick = ["--no-sync", "--no-instructions", "--auth=scram-sha-256"];
  const args = ["-D", join(directory, "data"), "-U", USER, `--pwfile=${file}`, ...quick, ...LOCALE];
  const made = spawnSync(join(bin, "initdb"), args, {
    ...account,
    cwd: directory,
    encoding: "utf8",
  });
  rmSync(file);
  if (made.status === 0) return;
  throw new Error(`initdb failed: ${made.error?.message ?? ""}${made.stderr}`);
}

/**
 * Ends the server and deletes its data when this process is no more, however it ended: the pipe that
 * it reads closes with us.
 */
function watchOver(server: number, directories: readonly string[]): ChildProcess {
  const gone = 'while kill -0 "$1" 2>/dev/null; do sleep 0.1; done';
  const script = `cat >/dev/null; kill -INT "$1"; ${gone}; shift; rm -rf "$@"`;
  const watcher = spawn("sh", ["-c", script, "sh", String(server), ...directories], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watcher.unref();
  return watcher;
}

/** Resolves once it answers; rejects with what it said if it ends first or never answers. */
async function answering(server: ChildProcess, url: string, said: () => string): Promise<void> {
  const until = Date.now() + START_MS;
  for (;;) {
    if (server.exitCode !== null || Date.now() > until) throw new Error(said());
    try {
      await runSql(url, "select 1");
      return;
    } catch {
      await delay(20);
    }
  }
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, "exit");
  // Or this process might end first.
  server.ref();
  server.kill("SIGINT");
  await exit;
}

interface Started {
  readonly server: ChildProcess;
  readonly url: string;
}

async function startOn(port: number, place: Place): Promise<Started> {
  const settings = SETTINGS.flatMap((setting) => ["-c", setting]);
  const args = ["-D", join(place.directory, "data"), "-p", String(port), ...settings];
  const server = spawn(join(place.bin, "postgres"), args, {
    ...place.account,
    cwd: place.directory,
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  let said = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const url = `postgres://${USER}:${place.password}@127.0.0.1:${port}/postgres`;
  try {
    await answering(server, url, () => said);
  } catch (thrown) {
    await ended(server);
    throw thrown;
  }
  server.unref();
  return { server, url };
}

/** Another program may take a port before the server does; then it is another's turn. */
async function startSomewhere(place: Place): Promise<Started> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOn(randomInt(FIRST_PORT, PORTS_END), place);
    } catch (thrown) {
      const taken = thrown instanceof Error && thrown.message.includes("Address already in use");
      if (!taken || tries === START_TRIES) throw thrown;
    }
  }
}

/** Makes and starts a server, as root or not, in about 2 s. */
export async function startPostgres(): Promise<TestPostgres> {
  const account = serverAccount();
  const binaries = binariesFor(account);
  const directory = mkdtempSync(join(tmpdir(), "plasm-postgres-"));
  const clear = (): void => {
    rmSync(directory, { recursive: true, force: true });
    dropBinaries(binaries);
  };
  const password = randomBytes(12).toString("hex");
  const place = { bin: binaries.directory, directory, account, password };
  try {
    makeCluster(place);
    const { server, url } = await startSomewhere(place);
    const pid = server.pid ?? 0;
    const directories = [directory, ...(binaries.copied === null ? [] : [binaries.copied])];
    const watcher = watchOver(pid, directories);
    return {
      url,
      pid,
      directory,
      stop: async () => {
        await ended(server);
        clear();
        watcher.kill("SIGKILL");
      },
    };
  } catch (thrown) {
    clear();
    throw thrown;
  }
}
