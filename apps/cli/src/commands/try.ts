import { accessSync, constants, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.ts";
import { failedError } from "../cli-error.ts";
import { openBrowser } from "../server/open-browser.ts";
import { defaultDataDirectory, directory } from "./options.ts";
import type { ServeOptions } from "./serve.ts";
import { addServingOptions, port, startServing } from "./serve-command.ts";

/** What `plasm try` is told; what it leaves out of `plasm serve` is decided here. */
interface TryOptions extends Omit<ServeOptions, "stdio" | "port" | "watch" | "allowEffects"> {
  readonly port?: number;
  readonly quayPort?: number;
  readonly yardPort?: number;
  readonly open: boolean;
}

const USUAL_PORT = 3000;

const HELP = `
Without --api and --mcp two sample APIs, a harbour and a boat yard, run beside the server.

Examples:
  $ plasm try --port 0 --quay-port 0 --yard-port 0 --no-open
  $ plasm try --port 0 --no-open --api api.json --id CATALOG`;

/** Whether nothing listens on a port of an address. */
const isFree = (host: string, wanted: number): Promise<boolean> =>
  new Promise((settle) => {
    const probe = createServer();
    probe.once("error", () => settle(false));
    probe.listen(wanted, host, () => probe.close(() => settle(true)));
  });

/** The port to listen on: the one that is named, else the usual one, else any, which is said. */
async function choosePort(named: number | undefined, host: string) {
  if (named !== undefined) return { port: named, said: [] };
  if (await isFree(host, USUAL_PORT)) return { port: USUAL_PORT, said: [] };
  return {
    port: 0,
    said: [`Port ${USUAL_PORT} is taken, so that another one is used; --port N chooses`],
  };
}

/** Makes the data directory if it is missing. Throws CliError if it cannot be written. */
function prepareDataDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    const text = `The data directory ${path} cannot be used: ${why}. Choose a writable directory with --data DIR.`;
    throw failedError(text, thrown);
  }
}

/** The sample APIs, with what a server needs to offer them. */
interface Samples {
  readonly catalogs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly said: readonly string[];
  close(): Promise<void>;
}

const NONE: Samples = { catalogs: [], env: {}, said: [], close: () => Promise.resolve() };

/** Starts the harbour and the yard. Throws CliError if a port is taken. */
async function openSamples({ quayPort, yardPort }: TryOptions, dataDir: string): Promise<Samples> {
  const [{ startSampleApis, StartError }, { besideProgram }] = await Promise.all([
    import("@plasm/sample-apis"),
    import("./serve.ts"),
  ]);
  const catalogs = besideProgram("samples");
  if (!existsSync(catalogs))
    throw failedError(
      `The catalogs of the sample APIs are missing: ${catalogs} is not there. Run npx @plasm/cli try, which has them, or name an API of yours with --api.`,
    );
  const apis = await startSampleApis({
    dataDir: join(dataDir, "sample-apis"),
    ports: {
      ...(quayPort === undefined ? {} : { quay: quayPort }),
      ...(yardPort === undefined ? {} : { yard: yardPort }),
    },
    keepRequests: 0,
  }).catch((thrown: unknown) => {
    throw thrown instanceof StartError ? failedError(thrown.message, thrown) : thrown;
  });
  const { quay, yard } = apis;
  return {
    catalogs: [catalogs],
    env: { PLASM_BACKEND_QUAY: quay.url, PLASM_BACKEND_YARD: yard.url },
    said: [`Sample APIs: quay ${quay.url} · yard ${yard.url}`],
    close: () => apis.close(),
  };
}

/**
 * Opens a link that signs in, by way of a file that its owner alone can read: command lines can be read by every user and program of
 * a machine. Returns what removes the file.
 */
function openPrivately(url: string, file: string): () => void {
  const target = JSON.stringify(url).replaceAll("<", "\\u003c");
  const refresh = `<!doctype html><meta charset="utf-8"><title>Plasm</title><script>location.replace(${target})</script>\n`;
  rmSync(file, { force: true });
  writeFileSync(file, refresh, { mode: 0o600, flag: "wx" });
  openBrowser(pathToFileURL(file).href);
  return () => rmSync(file, { force: true });
}

/**
 * `plasm try`: a server with something to ask at once, and its console opened for whoever sits at the terminal. When it ends,
 * what runs beside it ends too.
 */
async function tryOut(options: TryOptions, cli: CliContext): Promise<void> {
  const dataDir = resolve(cli.cwd, options.data ?? join(defaultDataDirectory(cli.env), "try"));
  prepareDataDirectory(dataDir);
  const chosen = await choosePort(options.port, options.host);
  const samples = options.sources.length > 0 ? NONE : await openSamples(options, dataDir);
  const logFile = join(dataDir, "plasm.log");
  let forget = (): void => undefined;
  const showConsole = (url: string): void => {
    forget = openPrivately(url, join(dataDir, "console.html"));
  };
  try {
    await startServing(
      {
        ...options,
        stdio: false,
        port: chosen.port,
        data: dataDir,
        catalogs: [...samples.catalogs, ...options.catalogs],
        allowEffects: false,
        watch: false,
        logFile,
        beside: [...samples.said, `Log: ${logFile}`, ...chosen.said],
        ...(options.open && process.stdout.isTTY ? { showConsole } : {}),
      },
      { ...cli, env: { ...samples.env, ...cli.env } },
    );
  } finally {
    forget();
    await samples.close();
  }
}

/** `plasm try` (SURF-20). */
export function addTry(program: Command, cli: CliContext): void {
  const command = program
    .command("try")
    .description("Serve sample APIs, or one of yours, and open the console.")
    .option(
      "--port <number>",
      "port to listen on; 0 lets the system choose (default: 3000, if it is free)",
      port,
    )
    .option(
      "--data <directory>",
      "where sessions, results, samples and the log are kept (default: try in that of plasm serve)",
      directory,
    )
    .addOption(new Option("--no-open", "only name the console, and open no browser"))
    .addOption(
      new Option("--quay-port <number>", "port of the sample harbour (default: 4801)").argParser(
        port,
      ),
    )
    .addOption(
      new Option("--yard-port <number>", "port of the sample yard (default: 4802)").argParser(port),
    );
  const sources = addServingOptions(command);
  command
    .addHelpText("after", HELP)
    .action((options: Omit<TryOptions, "sources">) => tryOut({ ...options, sources }, cli));
}
