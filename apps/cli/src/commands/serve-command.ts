import { type Command, InvalidArgumentError, Option } from "commander";
import type { CliContext } from "../cli-context.ts";
import { failedError } from "../cli-error.ts";
import { appended, directory } from "./options.ts";
import { addSourceOptions } from "../sources/source-options.ts";
import type { ServeOptions } from "./serve.ts";
import type { ServedSource } from "../sources/source-options.ts";

export function port(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}

/** The server and all it needs are loaded here, not for commands that only talk to one. */
export async function startServing(options: ServeOptions, cli: CliContext): Promise<void> {
  const [{ serve }, { HostStartError }] = await Promise.all([
    import("./serve.ts"),
    import("@plasm/host"),
  ]);
  try {
    await serve(options, cli);
  } catch (thrown) {
    if (!(thrown instanceof HostStartError)) throw thrown;
    throw failedError(thrown.message, thrown);
  }
}

/** Calls of APIs that are kept, or answered from what was kept (RUN-161). */
const withRecordings = (command: Command): Command =>
  command
    .addOption(
      new Option("--record <directory>", "keep every call of an API there, to replay it")
        .argParser(directory)
        .conflicts(["replay", "hybrid"]),
    )
    .addOption(
      new Option("--replay <directory>", "answer every call from there, and send none")
        .argParser(directory)
        .conflicts(["record", "hybrid"]),
    )
    .addOption(
      new Option("--hybrid <directory>", "answer recorded calls from there; send and record others")
        .argParser(directory)
        .conflicts(["record", "replay"]),
    )
    .addOption(
      new Option("--allow-effects", "with --hybrid: send effects that are not recorded").default(
        false,
      ),
    );

const HELP = `
--id, --only and --overlay belong to the --api or --mcp before them, --server to --api, --pass-env to --mcp. A document is fetched when the server starts, and kept in the
data directory: without network the server offers what it fetched last.

Examples:
  $ plasm serve --port 0 --catalogs catalogs/CATALOG
  $ plasm serve --port 0 --api api.json --id CATALOG --only /orders
  $ plasm serve --port 0 --mcp "npx -y @modelcontextprotocol/server-filesystem ."`;

/**
 * Gives a command what says how HTTP is served, what is on offer and who may call; returns the list of sources that parsing
 * fills.
 */
export function addServingOptions(command: Command): readonly ServedSource[] {
  command
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .addOption(
      new Option(
        "--catalogs <directory>",
        "a catalog, or a directory or package of them; repeatable",
      )
        .argParser((text: string, before: readonly string[]) => appended(directory(text), before))
        .default([], "none"),
    );
  const sources = addSourceOptions(command);
  command
    .addOption(
      new Option("--auth <mode>", "who may call (default: $PLASM_AUTH, else off)").choices([
        "off",
        "optional",
        "required",
      ]),
    )
    .addOption(
      new Option("--allow-host <name>", "a name that clients call this server by; repeatable")
        .argParser((text: string, before: readonly string[]) => appended(text, before))
        .default([], "none"),
    )
    .addOption(
      new Option("--allow-anyone", "serve other machines though nobody proves who calls").default(
        false,
      ),
    )
    .option("--policy <file>", "what tenants may do, as JSON (default: $PLASM_POLICY, else all)")
    .addOption(
      new Option(
        "--strict",
        "no force, whatever policy says, and the credentials of users alone",
      ).default(false),
    )
    .option(
      "--env-file <file>",
      "variables besides those of the process and of .env in the data directory",
    );
  return sources;
}

/** `plasm serve`: the one command that is a server (SURF-20). */
export function addServe(program: Command, cli: CliContext): void {
  const command = program
    .command("serve")
    .description("Serve HTTP with MCP at /mcp, or MCP over stdio.")
    .addOption(
      new Option("--stdio", "serve MCP on stdin and stdout")
        .default(false)
        .conflicts(["host", "port", "allowHost", "allowAnyone"]),
    )
    .option("--port <number>", "port to listen on; 0 lets the system choose", port, 3000)
    .option(
      "--data <directory>",
      "where sessions and results are kept (default: $PLASM_DATA, else ~/.local/share/plasm)",
      directory,
    )
    .option("--log-file <file>", "where the log goes, at the end of it (default: stderr)");
  const sources = addServingOptions(command);
  withRecordings(command)
    .addOption(
      new Option("--watch", "take up what changes in the catalogs, for new sessions").default(
        false,
      ),
    )
    .addHelpText("after", HELP)
    .action((options: Omit<ServeOptions, "sources">) => startServing({ ...options, sources }, cli));
}
