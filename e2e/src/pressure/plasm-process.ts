import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { watchOver } from "./watch.ts";

/** The command as it is published; `PRESSURE_PROGRAM` tries another build of it. */
const PROGRAM =
  process.env["PRESSURE_PROGRAM"] ??
  fileURLToPath(new URL("../../../apps/cli/dist/plasm.mjs", import.meta.url));
const PROBE = new URL("probe.mjs", import.meta.url).href;
const SAID_KEPT = 200_000;

export interface PlasmSettings {
  readonly directory: string;
  readonly catalog: string;
  readonly name: string;
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** options of Node, such as a bound on the heap */
  readonly nodeOptions?: string;
}

export interface Probe {
  readonly rss: number;
  readonly heap: number;
  /** delays of the event loop since the probe was asked before, in milliseconds */
  readonly loop: LoopDelays;
}

/** How long it took the event loop to come round, of all looks at it. */
export interface LoopDelays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** A built server that can be killed, stopped for a while and started again at the same address. */
export interface PlasmProcess {
  readonly url: string;
  readonly name: string;
  pid(): number | null;
  /** Starts it if it does not run, and resolves once it answers; false if it ended before that, which is a crash unless it may. */
  start(limitMs?: number, mayRefuse?: boolean): Promise<boolean>;
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** SIGTERM, and the code it ended with; killed after `limitMs`. */
  terminate(limitMs: number): Promise<number | null>;
  /** Moves its clock by so many milliseconds. */
  stepClock(ms: number): Promise<void>;
  /** Its memory, and what of its heap is in use: after a collection unless that is not to happen. */
  measure(collect?: boolean): Promise<Probe>;
  /** Ends that nobody asked for. */
  readonly crashes: readonly string[];
  said(): string;
}

/** A port that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

export async function healthOf(url: string, limitMs = 2_000): Promise<number> {
  try {
    const response = await fetch(`${url}/v1/health`, { signal: AbortSignal.timeout(limitMs) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

const exitOf = (child: ChildProcess): Promise<void> =>
  hasEnded(child) ? Promise.resolve() : new Promise((resolve) => child.once("exit", resolve));

/** How a test talks to the probe that is loaded into the process: a file each way, and a signal. */
interface ProbeFiles {
  readonly orders: string;
  readonly answers: string;
}

/** Half a minute: a server that is worked hard beside other work comes to its signals late. */
const PROBE_TRIES = 600;

async function askProbe(
  child: ChildProcess | null,
  files: ProbeFiles,
  order: { readonly step?: number; readonly collect?: boolean },
): Promise<Probe> {
  const id = Math.random().toString(36).slice(2);
  writeFileSync(files.orders, JSON.stringify({ id, ...order }));
  child?.kill("SIGUSR2");
  for (let tries = 0; tries < PROBE_TRIES; tries += 1) {
    await delay(50);
    if (!existsSync(files.answers)) continue;
    const text = readFileSync(files.answers, "utf8");
    if (text.includes(`"${id}"`) && text.endsWith("}")) return JSON.parse(text) as Probe;
  }
  throw new Error("the probe does not answer");
}

/** Prepares a server; `start` starts it. */
export async function plasmProcess(settings: PlasmSettings): Promise<PlasmProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const files = {
    orders: join(settings.directory, `${settings.name}.orders`),
    answers: join(settings.directory, `${settings.name}.answers`),
  };
  const crashes: string[] = [];
  let said = "";
  let child: ChildProcess | null = null;
  let expected = false;

  const launch = (): ChildProcess => {
    const args = ["serve", "--port", String(port), "--data", settings.dataDir];
    const made = spawn(process.execPath, [PROGRAM, ...args, "--catalogs", settings.catalog], {
      cwd: settings.directory,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: settings.directory,
        PLASM_LOG: "warn",
        NODE_OPTIONS: `--import=${PROBE} ${settings.nodeOptions ?? ""}`,
        PRESSURE_ORDERS: files.orders,
        PRESSURE_ANSWERS: files.answers,
        ...(settings.databaseUrl === undefined ? {} : { PLASM_DATABASE_URL: settings.databaseUrl }),
        ...settings.env,
      },
    });
    const keep = (text: string): void => void (said = (said + text).slice(-SAID_KEPT));
    for (const stream of [made.stdout, made.stderr]) stream.setEncoding("utf8").on("data", keep);
    watchOver(made);
    made.once("exit", (code, signal) => {
      if (!expected)
        crashes.push(`${settings.name} ended: ${code ?? signal}\n${said.slice(-1500)}`);
    });
    return made;
  };

  const start = async (limitMs = 60_000, mayRefuse = false): Promise<boolean> => {
    if (child === null || hasEnded(child)) child = launch();
    expected = mayRefuse;
    const until = performance.now() + limitMs;
    while (performance.now() < until) {
      if (hasEnded(child)) return false;
      if ((await healthOf(url)) !== 0) return true;
      await delay(30);
    }
    return false;
  };

  return {
    url,
    name: settings.name,
    crashes,
    pid: () => (child === null || hasEnded(child) ? null : (child.pid ?? null)),
    start,
    signal: (signal) => void child?.kill(signal),
    kill: async () => {
      if (child === null) return;
      expected = true;
      child.kill("SIGKILL");
      await exitOf(child);
    },
    terminate: async (limitMs) => {
      const old = child;
      if (old === null) return null;
      expected = true;
      old.kill("SIGTERM");
      const timer = setTimeout(() => old.kill("SIGKILL"), limitMs);
      await exitOf(old);
      clearTimeout(timer);
      return old.exitCode;
    },
    stepClock: async (ms) => void (await askProbe(child, files, { step: ms })),
    measure: (collect = true) => askProbe(child, files, { collect }),
    said: () => said,
  };
}
