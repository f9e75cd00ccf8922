import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Catalog } from "@plasm/core";
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
  /** what its catalog needs to know besides */
  readonly env?: Readonly<Record<string, string>>;
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

/** The APIs that come with the program, by the catalogs that describe them. */
const CATALOG_OF = { github: "github", shop: "bookshop" } as const;
type FixtureName = keyof typeof CATALOG_OF;

/** The fixtures that a set names. Throws CliError for one that there is not. */
function fixturesOf({ fixtures }: TaskSet): readonly FixtureName[] {
  return fixtures.map((name) => {
    if (Object.hasOwn(CATALOG_OF, name)) return name as FixtureName;
    throw usageError(
      `There is no fixture ${name}: there are ${Object.keys(CATALOG_OF).join(", ")}.`,
    );
  });
}

/** A server of the fixture's data, its credential, and how it is put back. */
async function startFixture(name: FixtureName): Promise<RunningApi> {
  if (name === "shop") {
    const { startShop } = await import("@plasm/sample-apis/shop");
    const { url, reset, close } = await startShop();
    return { urls: { bookshop: url }, reset: async () => reset(), close };
  }
  const { seedTasks, startGitHubShaped } = await import("@plasm/sample-apis/github");
  // Clients read owners and names of repositories out of addresses, which are GitHub's.
  const github = await startGitHubShaped({
    publicOrigin: "https://api.github.com",
    seed: seedTasks,
  });
  return {
    urls: { github: github.url },
    env: { GITHUB_TOKEN: github.tokenOf("ann") },
    reset: async () => github.reset(),
    close: () => github.close(),
  };
}

const variable = (id: string): string =>
  `PLASM_BACKEND_${id.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}`;

/** The addresses that are given for APIs of a set, or where its file says that they are. Throws CliError for what is missing or unknown. */
function givenAddresses(
  set: TaskSet,
  servers: ReadonlyMap<string, string>,
  env: CliContext["env"],
): ReadonlyMap<string, string> {
  const own = new Set<string>(fixturesOf(set).map((name) => CATALOG_OF[name]));
  for (const [id, url] of servers) {
    if (own.has(id))
      throw usageError(`--server ${id}=${url}: the API of ${id} comes with the program.`);
    if (!(id in set.apis))
      throw usageError(
        `--server ${id}=${url}: the tasks name no API ${id}; they name ${Object.keys(set.apis).join(", ") || "none"}.`,
      );
  }
  const given = new Map(servers);
  for (const [id, api] of Object.entries(set.apis)) {
    if (!("given" in api) || given.has(id)) continue;
    const url = env[variable(id)];
    if (url === undefined)
      throw usageError(
        `The tasks need ${api.given}. Say where it is: --server ${id}=http://127.0.0.1:3000`,
      );
    given.set(id, url);
  }
  return given;
}

/** What says who asks, where a catalog has one key for all. */
function credentialOf(catalog: Catalog | undefined, env: CliContext["env"]): [string, string][] {
  const auth = catalog?.cgs.auth;
  if (auth === undefined || auth.scheme === "none" || !("env" in auth)) return [];
  const secret = env[auth.env ?? ""];
  if (secret === undefined || auth.scheme === "api_key_query") return [];
  return auth.scheme === "api_key_header"
    ? [[auth.header, auth.prefix + secret]]
    : [["authorization", `Bearer ${secret}`]];
}

const ASK_MS = 10_000;

/** Asks APIs where they are, as their catalogs say who asks. */
function directRequests(
  urls: ReadonlyMap<string, string>,
  catalogs: readonly Catalog[],
  env: CliContext["env"],
): World["ask"] {
  return async (api, { method, path, body }) => {
    const base = urls.get(api) ?? env[variable(api)];
    if (base === undefined)
      throw failedError(
        `Nothing is known of where the API of ${api} listens: --server ${api}=URL.`,
      );
    const catalog = catalogs.find(({ entryId }) => entryId === api);
    return fetch(`${base.replace(/(?<!\/)\/+$/, "")}${path}`, {
      method,
      headers: [
        ["accept", "application/json"],
        ...(body === undefined ? [] : [["content-type", "application/json"] as [string, string]]),
        ...credentialOf(catalog, env),
      ],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ASK_MS),
    });
  };
}

/** What is put in place of what a set names: catalogs, and addresses by the ids of theirs. */
export interface WorldChoice {
  readonly catalogs: readonly string[];
  readonly servers: ReadonlyMap<string, string>;
}

/** Starts what a set says is started: samples, fixtures, and programs. */
async function startAll(
  cli: CliContext,
  set: TaskSet,
  directory: string,
  scratch: string,
  given: ReadonlyMap<string, string>,
  running: RunningApi[],
): Promise<void> {
  if (set.samples) running.push(await startSamples(join(scratch, "samples")));
  for (const name of fixturesOf(set)) running.push(await startFixture(name));
  for (const [id, api] of Object.entries(set.apis))
    if ("command" in api && !given.has(id)) running.push(await startApi(cli, id, api, directory));
}

/**
 * Starts the APIs of a task set, and an engine with its catalogs whose store is gone afterwards. Throws CliError where one does not start, or
 * where it has to be said where one is.
 */
export async function openWorld(
  cli: CliContext,
  set: TaskSet,
  directory: string,
  { catalogs, servers }: WorldChoice,
): Promise<OpenedWorld> {
  const given = givenAddresses(set, servers, cli.env);
  const scratch = await mkdtemp(join(tmpdir(), "plasm-eval-"));
  const running: RunningApi[] = [];
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const each of closing.toReversed()) await each();
    await Promise.all(running.map((one) => one.close()));
    await rm(scratch, { recursive: true, force: true });
  };
  try {
    await startAll(cli, set, directory, scratch, given, running);
    const urls = new Map([...given, ...running.flatMap((one) => Object.entries(one.urls))]);
    const backends = Object.fromEntries([...urls].map(([id, url]) => [variable(id), url]));
    const env = Object.assign(
      {},
      cli.env,
      ...running.map((one) => one.env ?? {}),
      backends,
    ) as CliContext["env"];
    const own = [
      ...(set.samples ? [besideProgram("samples")] : []),
      ...fixturesOf(set).map((name) => join(besideProgram("tasks"), "catalogs", CATALOG_OF[name])),
      ...set.catalogs.map((one) => resolve(directory, one)),
    ];
    const host = await openHost({
      dataDir: join(scratch, "data"),
      catalogs: catalogs.length > 0 ? catalogs : own,
      env,
      plugins: builtInPlugins,
    });
    closing.push(() => host.close());
    for (const line of host.remarks) cli.remark(`plasm: ${line}`);
    if (host.loaded.length === 0)
      throw usageError(
        "There is no catalog to try: name directories in `catalogs`, or by --catalogs.",
      );
    const loaded = host.loaded.map(host.catalogOf).filter((one) => one !== null);
    return {
      engine: host.engine,
      catalogs: loaded,
      ask: directRequests(urls, loaded, env),
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
