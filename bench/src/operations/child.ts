import { fork, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fixtureCatalogDir } from "@plasm/testkit";
import type { AnswerTimes } from "./step-clock.ts";

const require = createRequire(import.meta.url);
const FROM_SOURCE = "--conditions=@plasm/source";
const ADDRESS = /HTTP (http:\/\/\S+)/;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

export interface ApiProcess {
  readonly url: string;
  times(): Promise<AnswerTimes>;
  stop(): Promise<void>;
}

/** Starts the API, whose steps take `stepMs`, as a process of its own. */
export async function startApi(dataDir: string, stepMs: number): Promise<ApiProcess> {
  const main = fileURLToPath(new URL("api-main.ts", import.meta.url));
  const child = fork(main, [dataDir, String(stepMs)], { execArgv: [FROM_SOURCE] });
  const [url] = (await once(child, "message")) as [string];
  return {
    url,
    times: async () => {
      const told = once(child, "message") as Promise<[AnswerTimes]>;
      child.send("times");
      return (await told)[0];
    },
    stop: () => end(child),
  };
}

export interface ServerProcess {
  readonly url: string;
  /** what it said on stderr: nothing, if all went well */
  complaints(): string;
  /** most memory it has had so far, in MB; null where the system does not tell */
  peakMb(): number | null;
  /** processor time it has taken so far, in seconds; null where the system does not tell */
  cpuSeconds(): number | null;
  stop(): Promise<void>;
}

/** A file of /proc about a process, which there is on Linux alone. */
function processFile(pid: number | undefined, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

function peakMb(pid: number | undefined): number | null {
  const kb = /VmHWM:\s*(\d+) kB/.exec(processFile(pid, "status"))?.[1];
  return kb === undefined ? null : Number(kb) / 1024;
}

/** Linux counts in ticks of 10 ms. */
function cpuSeconds(pid: number | undefined): number | null {
  const fields = processFile(pid, "stat").split(") ")[1]?.split(" ");
  const [user, system] = [Number(fields?.[11]), Number(fields?.[12])];
  return Number.isNaN(user + system) ? null : (user + system) / 100;
}

/**
 * Starts `plasm serve` on the quay catalog as a process of its own. `PLASM_BENCH_NODE_ARGS` is for Node, such
 * as `--cpu-prof`.
 */
export async function startServer(
  dataDir: string,
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const cli = dirname(require.resolve("@plasm/cli/package.json"));
  const serve = ["serve", "--data", dataDir, "--catalogs", fixtureCatalogDir("quay")];
  const args = [FROM_SOURCE, join(cli, "src/main.ts"), ...serve, "--port", "0"];
  const own = { PATH: process.env["PATH"] ?? "", HOME: dataDir, PLASM_LOG: "warn", ...env };
  const extra = (process.env["PLASM_BENCH_NODE_ARGS"] ?? "").split(" ").filter(Boolean);
  const child = spawn(process.execPath, [...extra, ...args], {
    env: own,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.once("exit", () => reject(new Error(`plasm serve did not start\n${complaints}`)));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const found = ADDRESS.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    url,
    complaints: () => complaints,
    peakMb: () => peakMb(child.pid),
    cpuSeconds: () => cpuSeconds(child.pid),
    stop: () => end(child),
  };
}
