import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Pair, Work } from "./pair.ts";
import { buildShipped, shippedIn } from "./shipped.ts";

/** Pairs that need a built file and a place to run it, and how to remove these. */
export interface StartPairs {
  readonly pairs: readonly Pair[];
  close(): void;
}

const CATALOGS = fileURLToPath(new URL("../../catalogs", import.meta.url));

/** What an MCP host sends before it knows the tools. */
const OPENING = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list" },
]
  .map((message) => `${JSON.stringify(message)}\n`)
  .join("");

/** Starts a process, says hello, and resolves once it has told its tools; it ends in `after`. */
function starting(what: string, args: readonly string[], env: NodeJS.ProcessEnv): Work {
  let ended: Promise<unknown> = Promise.resolve();
  const run = async (): Promise<number> => {
    const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "ignore"] });
    ended = once(child, "exit");
    child.stdin.write(OPENING);
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, result } = JSON.parse(line) as { id: number; result: { tools?: unknown[] } };
      if (id !== 2) continue;
      child.stdin.end();
      return result.tools?.length ?? 0;
    }
    throw new Error(`${what} told no tools`);
  };
  return { what, run, after: async () => void (await ended) };
}

/** The least that a program of Node takes. */
const bare: Work = {
  what: "node that does nothing",
  run: async () => {
    const [code] = (await once(spawn(process.execPath, ["-e", "0"]), "exit")) as [number];
    return code;
  },
};

/** The same, each time with the file, and what is kept of it, out of the system's cache of files. */
function cold(work: Work, places: readonly string[]): Work {
  const after = async (): Promise<void> => {
    await work.after?.();
    for (const place of places) {
      const drop = 'find "$0" -type f -exec dd of={} oflag=nocache conv=notrunc,fdatasync count=0';
      execFileSync("sh", ["-c", `${drop} status=none ';'`, place]);
    }
  };
  return { ...work, what: `${work.what}, its files not in the system's cache`, after };
}

/** A start with a home and a data directory that nothing was ever kept in. */
function veryFirst(what: string, file: string, catalogs: string, root: string): Work {
  const home = join(root, "first");
  const args = [file, "serve", "--stdio", "--data", join(home, "data"), "--catalogs", catalogs];
  const work = starting(what, args, { PATH: process.env["PATH"] ?? "", HOME: home });
  const after = async (): Promise<void> => {
    await work.after?.();
    rmSync(home, { recursive: true, force: true });
  };
  return { ...work, after };
}

/**
 * From the start of `plasm` in one file, over stdio, to its answer to tools/list, against a Node that does
 * nothing. The catalogs, those of this repository unless others are named, are compiled before.
 */
export function startPairs(catalogs: string = CATALOGS): StartPairs {
  const root = mkdtempSync(join(tmpdir(), "plasm-bench-"));
  const dist = join(root, "dist");
  buildShipped(dist, [catalogs]);
  const file = shippedIn(dist);
  const env = { PATH: process.env["PATH"] ?? "", HOME: join(root, "home") };
  const serve = [file, "serve", "--stdio", "--data", join(root, "data")];
  const withCatalogs = [...serve, "--catalogs", catalogs];
  const off = { ...env, NODE_DISABLE_COMPILE_CACHE: "1" };
  const pair = (name: string, ours: Work): Pair => ({ name, ours, base: bare });
  const usual = (what: string, args: readonly string[]) => starting(what, args, env);
  return {
    pairs: [
      pair("start to tools/list", usual("stdio without catalogs", serve)),
      pair("start to tools/list, catalogs", usual("stdio with all catalogs", withCatalogs)),
      pair(
        "start to tools/list, catalogs, cold files",
        cold(usual("stdio with all catalogs", withCatalogs), [dist, env.HOME]),
      ),
      pair(
        "start to tools/list, catalogs, nothing compiled before",
        starting("stdio with all catalogs, as at the first start", withCatalogs, off),
      ),
      pair(
        "start to tools/list, catalogs, the very first",
        veryFirst("stdio with all catalogs, nothing kept", file, catalogs, root),
      ),
    ],
    close: () => {
      rmSync(root, { recursive: true });
    },
  };
}
