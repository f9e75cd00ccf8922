import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { StartedApi, TaskSet, World } from "@plasm/eval";
import { HostStartError, openHost } from "@plasm/host";
import type { CliContext } from "../cli-context.ts";
import { failedError, usageError } from "../cli-error.ts";
import { builtInPlugins } from "../plugins.ts";
import { besideProgram } from "../commands/serve.ts";

/** The APIs and the engine of an evaluation. */
export interface OpenedWorld extends World {
  close(): Promise<void>;
}

/** An API that runs beside an evaluation. */
interface RunningApi {
  readonly urls: Readonly<Record<string, string>>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

const START_MS = 30_000;
const LOOK_MS = 50;
const END_MS = 5_000;

const freePort = (): Promise<number> =>
  new Promise((found, failed) => {
    const probe = createServer();
    probe.once("error", failed);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => found(port));
    });
  });

const listens = (port: number): Promise<boolean> =>
  new Promise((told) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => (socket.destroy(), told(true)));
    socket.once("error", () => told(false));
  });

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolved) => child.once("exit", resolved));
  child.kill();
  await Promise.race([ended, delay(END_MS)]);
  child.kill("SIGKILL");
}

/** Starts a program that serves an API on a free port; begun anew, it has its first data. Throws CliError where it does not listen. */
async function startApi(
  cli: CliContext,
  id: string,
  api: StartedApi,
  directory: string,
): Promise<RunningApi> {
  const port = await freePort();
  const [program = "", ...args] = api.command;
  const begin = async (): Promise<ChildProcess> => {
    const errors: Buffer[] = [];
    const child = spawn(program, args, {
      cwd: directory,
      env: { ...cli.env, [api.port]: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let failed: string | null = null;
    child.stderr.on("data", (chunk: Buffer) => void errors.push(chunk));
    child.once("error", ({ message }) => (failed = message));
    child.once("exit", (code, signal) => (failed ??= `it ended (${signal ?? code})`));
    for (const until = performance.now() + START_MS; performance.now() < until;) {
      if (await listens(port)) return child;
      if (failed !== null) break;
      await delay(LOOK_MS);
    }
    await end(child);
    const told = Buffer.concat(errors).toString().trim().slice(-500);
    const why = failed ?? `nothing listens on 127.0.0.1:${port} after ${START_MS / 1_000} s`;
    throw failedError(
      `The API of ${id}, ${api.command.join(" ")}, did not start: ${why}.${told === "" ? "" : `\n${told}`}\nIt has to listen on 127.0.0.1, on the port in ${api.port}.`,
    );
  };
  let child = await begin();
  return {
    urls: { [id]: `http://127.0.0.1:${port}${api.path}` },
    reset: async () => {
      await end(child);
      child = await begin();
    },
    close: () => end(child),
  };
}

/** The harbour and the yard, on free ports. */
async function startSamples(dataDir: string): Promise<RunningApi> {
  const { startSampleApis } = await import("@plasm/sample-apis");
  const apis = await startSampleApis({ dataDir, ports: { quay: 0, yard: 0 }, keepRequests: 0 });
  return {
    urls: { quay: apis.quay.url, yard: apis.yard.url },
    reset: () => apis.reset(),
    close: () => apis.close(),
  };
}

const variable = (id: string): string =>
  `PLASM_BACKEND_${id.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}`;

/**
 * Starts the APIs of a task set, and an engine with its catalogs whose store is gone afterwards. `catalogs` take the place of those that the
 * set names. Throws CliError where one does not start.
 */
export async function openWorld(
  cli: CliContext,
  set: TaskSet,
  directory: string,
  catalogs: readonly string[],
): Promise<OpenedWorld> {
  const scratch = await mkdtemp(join(tmpdir(), "plasm-eval-"));
  const running: RunningApi[] = [];
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const each of closing.toReversed()) await each();
    await Promise.all(running.map((one) => one.close()));
    await rm(scratch, { recursive: true, force: true });
  };
  try {
    if (set.samples) running.push(await startSamples(join(scratch, "samples")));
    for (const [id, api] of Object.entries(set.apis))
      running.push(await startApi(cli, id, api, directory));
    const urls = new Map(running.flatMap((one) => Object.entries(one.urls)));
    const backends = Object.fromEntries([...urls].map(([id, url]) => [variable(id), url]));
    const named =
      catalogs.length > 0 ? catalogs : set.catalogs.map((one) => resolve(directory, one));
    const host = await openHost({
      dataDir: join(scratch, "data"),
      catalogs: [
        ...(set.samples && catalogs.length === 0 ? [besideProgram("samples")] : []),
        ...named,
      ],
      env: { ...cli.env, ...backends },
      plugins: builtInPlugins,
    });
    closing.push(() => host.close());
    for (const line of host.remarks) cli.remark(`plasm: ${line}`);
    if (host.loaded.length === 0)
      throw usageError(
        "There is no catalog to try: name directories in `catalogs`, or by --catalogs.",
      );
    return {
      engine: host.engine,
      catalogs: host.loaded.map(host.catalogOf).filter((one) => one !== null),
      addressOf: (api) => urls.get(api) ?? cli.env[variable(api)],
      reset: async () => {
        for (const one of running) await one.reset();
      },
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown instanceof HostStartError ? failedError(thrown.message, thrown) : thrown;
  }
}
