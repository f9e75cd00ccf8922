import { realpathSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import {
  callLogTo,
  type Host,
  type HostOptions,
  logLevelIn,
  openHost,
  openLog,
  POLICY_SETTING,
  readEnvironment,
  type RecordingChoice,
  unknownSettings,
  VERSION,
} from "@plasm/host";
import { connectStdio, mountMcp } from "@plasm/mcp";
import { catalogPath, type RecordingMode } from "@plasm/runtime";
import type { CliContext, Environment } from "../cli-context.ts";
import { failedError, usageError } from "../cli-error.ts";
import { builtInPlugins } from "../plugins.ts";
import type { ServedSources } from "../sources/served-sources.ts";
import { type ServedSource, sourceWords } from "../sources/source-options.ts";
import { defaultDataDirectory } from "./options.ts";
import type { SignInPages } from "../serve/sign-in-pages.ts";
import {
  backendSettings,
  howToOffer,
  startMessage,
  unshownRemarks,
} from "../serve/start-message.ts";

export interface ServeOptions {
  readonly stdio: boolean;
  readonly host: string;
  readonly port: number;
  readonly data?: string;
  readonly catalogs: readonly string[];
  /** documents of APIs and MCP servers, which are catalogs, too */
  readonly sources: readonly ServedSource[];
  readonly envFile?: string;
  readonly policy?: string;
  readonly auth?: string;
  readonly allowHost: readonly string[];
  readonly allowAnyone: boolean;
  readonly record?: string;
  readonly replay?: string;
  readonly hybrid?: string;
  readonly allowEffects: boolean;
  readonly watch: boolean;
  readonly strict: boolean;
  /** where the log goes, in place of stderr */
  readonly logFile?: string;
  /** how the person who starts it is shown the console, where it is not only named */
  readonly showConsole?: (url: string) => void;
  /** what runs beside the server, a line each */
  readonly beside?: readonly string[];
}

/** At most one of the three is given. */
function recordingOf({
  record,
  replay,
  hybrid,
  allowEffects,
}: ServeOptions): RecordingChoice | null {
  if (allowEffects && hybrid === undefined) throw usageError("--allow-effects goes with --hybrid.");
  const given = Object.entries({ record, replay, hybrid }) as [RecordingMode, string | undefined][];
  for (const [mode, directory] of given) {
    if (directory !== undefined) return { mode, directory: resolve(directory), allowEffects };
  }
  return null;
}

/** The file of policies: the option's, else the variable's. */
function policyOf({ policy }: ServeOptions, env: Environment): { readonly policyFile?: string } {
  const file = policy ?? env[POLICY_SETTING]?.trim() ?? "";
  if (policy !== undefined && file.trim() === "")
    throw usageError("--policy is empty: name a file.");
  return file === "" ? {} : { policyFile: resolve(file) };
}

/** How callers are known; over stdio they are whoever started this process (SESS-8). */
function authOf({ stdio, auth, allowAnyone }: ServeOptions): HostOptions["auth"] {
  if (!stdio) return { mode: auth, open: allowAnyone };
  if (auth === undefined || auth === "off") return { mode: "off" };
  throw usageError("--auth is for HTTP: over stdio the caller is whoever starts plasm serve.");
}

const SIGNAL_GRACE_MS = 5_000;
/** More than a synchronous run may take (RUN-130). */
const LONGEST_RUN_MS = 60_000;

/** What both transports are served with. */
interface Serving {
  readonly host: Host;
  readonly dataDir: string;
  readonly directories: readonly string[];
  /** words of the command line that name all of them again */
  readonly named: readonly string[];
  readonly logger: ReturnType<typeof openLog>;
}

const reportsOf = ({ logger }: Serving) => ({
  log: callLogTo(logger),
  warn: (what: string, cause: unknown) => logger.warn({ err: cause }, what),
});

/** The pages that links of answers lead to, where people sign in to an API; null where they do not, or nothing can be listened on. */
async function signInPages({ host, logger }: Serving): Promise<SignInPages | null> {
  if (!host.signsIn) return null;
  const { openSignInPages } = await import("../serve/sign-in-pages.ts");
  return openSignInPages(host.connect, host.signInPort).catch((thrown: unknown) => {
    // Answers name the command instead.
    logger.warn({ err: thrown }, "no page to sign in on can be served");
    return null;
  });
}

async function serveStdio(serving: Serving): Promise<void> {
  const { engine, loaded, remarks, tasks, structured, connect, decisions, card } = serving.host;
  const none =
    loaded.length === 0 ? [`no catalog is on offer: ${howToOffer(serving.directories)}`] : [];
  for (const remark of [...remarks, ...none]) console.error(`plasm: ${remark}`);
  const reports = reportsOf(serving);
  const pages = await signInPages(serving);
  const connection = connectStdio({
    engine,
    tasks,
    structured,
    connect: pages === null ? undefined : connect,
    decisions,
    card,
    ...reports,
  });
  const stopped = untilStopped();
  await Promise.race([stopped, connection.ended]);
  // A client that has gone cancels nothing (OPS-11); a signal does, after a while.
  void stopped.then(() => engine.drain(SIGNAL_GRACE_MS));
  await engine.drain(LONGEST_RUN_MS);
  await connection.close();
  await pages?.close();
}

/** What lies beside the program, wherever a link to it stands. */
export function besideProgram(name: string): string {
  const script = resolve(process.argv[1] ?? "");
  try {
    return join(dirname(realpathSync(script)), name);
  } catch {
    return join(dirname(script), name);
  }
}

/**
 * Where the console is, with what signs in whoever reads it: only a terminal is shown that, since logs are read by others, and by
 * programs.
 */
function consoleAt({ host }: Serving, url: string): string {
  const own = process.stdout.isTTY ? host.console.link(host.origin ?? url) : null;
  return own ?? `${host.origin ?? url}/console/`;
}

/** What the whole network may read is told: keys and tokens, too. */
const IN_THE_CLEAR =
  "other machines reach this server without encryption: let a proxy with TLS stand before it";

async function serveHttp(
  serving: Serving,
  { host, port, allowHost, allowAnyone, beside = [], showConsole }: ServeOptions,
  env: Environment,
): Promise<void> {
  // Over stdio none of it is loaded.
  const { isLoopback, ServerStartError, startHttpServer } = await import("@plasm/http");
  const { engine, operators, administrators, auth, connect, origin } = serving.host;
  const { loaded, first, storePlace } = serving.host;
  const server = await startHttpServer({
    engine,
    mcp: mountMcp(serving.host),
    operators,
    administrators,
    auth,
    connect,
    accounts: serving.host.accounts,
    console: serving.host.console,
    origin,
    hostnames: [...serving.host.hostnames, ...allowHost],
    host,
    port,
    open: allowAnyone,
    ...reportsOf(serving),
  }).catch((thrown: unknown) => {
    throw thrown instanceof ServerStartError ? failedError(thrown.message, thrown) : thrown;
  });
  const clear = isLoopback(host) ? [] : [IN_THE_CLEAR];
  const remarks = [...clear, ...serving.host.remarks];
  const { dataDir, directories, named } = serving;
  const program = { node: process.execPath, script: resolve(process.argv[1] ?? "") };
  const { url } = server;
  const backends = backendSettings(loaded, env);
  const consoleUrl = consoleAt(serving, url);
  serving.host.console.onLinkUsed(() => {
    console.log(`Console, to sign in once more: ${consoleAt(serving, url)}`);
  });
  const place = { url, consoleUrl, dataDir, storePlace, directories, named };
  const known = { version: VERSION, ...place, auth, loaded, remarks, first, backends, beside };
  const stopped = untilStopped();
  for (const remark of unshownRemarks(known)) serving.logger.warn(remark);
  console.log(startMessage({ ...known, program }));
  showConsole?.(consoleUrl);
  await stopped;
  await server.close();
}

interface Watching {
  close(): Promise<void>;
}

/** Takes up what changes in the catalogs, as long as it serves. */
async function watching({ host, directories, logger }: Serving): Promise<Watching> {
  const { reloadOnChange } = await import("../serve/reload-on-change.ts");
  return reloadOnChange({
    directories,
    reload: host.reloadCatalogs,
    say: (text) => console.error(text),
    warn: (what, cause) => logger.warn({ err: cause }, what),
  });
}

/** How tools of MCP servers are called, where there are any. */
async function transportOf({ mcp }: ServedSources): Promise<Pick<HostOptions, "transport">> {
  if (mcp.length === 0) return {};
  const { withMcpServers } = await import("@plasm/transport-mcp");
  return { transport: (inner) => withMcpServers(inner, mcp) };
}

/** The catalogs of documents. Standard input is a document only where it is not the protocol's. */
async function sourcesOf({ sources, stdio }: ServeOptions, dataDir: string, cli: CliContext) {
  const none: ServedSources = { directories: [], notes: [], mcp: [] };
  if (sources.length === 0) return none;
  const piped = sources.filter(({ from }) => from === "-").length;
  if (piped > 1) throw usageError("--api - can be given once: standard input is one document.");
  if (piped > 0 && stdio)
    throw usageError(
      "--api - does not go with --stdio: standard input is the client's. Name a file.",
    );
  const { serveSources } = await import("../sources/served-sources.ts");
  return serveSources(sources, dataDir, cli);
}

/** The directories of MCP servers' catalogs in whose place an edited one is named, with where that is. */
async function editedServers(
  { directories, mcp }: ServedSources,
  given: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(mcp.map(({ id }) => id));
  const found = new Map<string, string>();
  for (const directory of directories.filter((one) => ids.has(basename(one)))) {
    const id = basename(directory);
    const places = given.flatMap((one) => [...(basename(one) === id ? [one] : []), join(one, id)]);
    for (const place of places) {
      const isThere = await stat(join(place, "domain.yaml")).then(
        () => true,
        () => false,
      );
      if (isThere) found.set(directory, place);
    }
  }
  return found;
}

/**
 * `plasm serve`: HTTP with MCP at /mcp, or MCP over stdio, until it is told to stop (SURF-20).
 * Throws HostStartError or CliError if it cannot start.
 */
export async function serve(options: ServeOptions, cli: CliContext): Promise<void> {
  const own = cli.env;
  const recording = recordingOf(options);
  const auth = authOf(options);
  const dataDir = resolve(options.data ?? defaultDataDirectory(own));
  const { env, remarks } = await readEnvironment(own, dataDir, options.envFile);
  const given = options.catalogs.map((one) => catalogPath(one, process.cwd()));
  const made = await sourcesOf(options, dataDir, cli);
  const edited = await editedServers(made, given);
  const directories = [...given, ...made.directories.filter((one) => !edited.has(one))];
  const logger = openLog(logLevelIn(env), options.logFile);
  const warn = (what: string, cause: unknown) => logger.warn({ err: cause }, what);
  // What was started for them ends with the host, or where it does not open.
  const opened = await openHost({
    ...(await transportOf(made)),
    dataDir,
    catalogs: directories,
    plugins: builtInPlugins,
    env,
    warn,
    strict: options.strict,
    consoleDirectory: besideProgram("console"),
    ...policyOf(options, env),
    ...(auth === undefined ? {} : { auth }),
    ...(recording === null ? {} : { recording }),
  }).catch(async (thrown: unknown) => {
    await Promise.all(made.mcp.map((one) => one.close()));
    throw thrown;
  });
  const host = {
    ...opened,
    remarks: [
      ...made.notes,
      ...[...edited].map(([one, where]) => `${basename(one)}: as it is edited in ${where}`),
      ...remarks,
      ...unknownSettings(env),
      ...opened.remarks,
    ],
  };
  const named = [
    ...given.flatMap((directory) => ["--catalogs", directory]),
    ...options.sources.flatMap((source, at) => sourceWords(source, cli.cwd, made.directories[at])),
  ];
  const serving = { host, dataDir, directories, named, logger };
  const watched = options.watch ? await watching(serving) : null;
  try {
    if (options.stdio) await serveStdio(serving);
    else await serveHttp(serving, options, env);
  } finally {
    await watched?.close();
    await host.close();
    await Promise.all(made.mcp.map((one) => one.close()));
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** 128 + SIGINT's number, as a shell tells it. */
const INTERRUPTED = 130;

/**
 * Resolves on the first signal to stop. A second signal ends the process at once, whatever is still
 * being closed.
 */
const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    let stopping = false;
    const stop = (): void => {
      if (stopping) process.exit(INTERRUPTED);
      stopping = true;
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, stop);
  });
