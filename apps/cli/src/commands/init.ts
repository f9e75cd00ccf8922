import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";
import { DEFAULT_SERVER, profilePath, readProfile, writeProfile } from "../workspace/profile.ts";
import { workspaceDirectory } from "../workspace/workspace-directory.ts";

interface InitOptions {
  readonly server?: string;
  readonly apiKey?: string;
}

/** Where a server has MCP: the address that people have at hand. */
const MCP = /\/mcp$/;

/** A server's address as it is kept: http or https, nothing in it that is not an address, without its MCP's path. */
function serverAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain = url !== null && url.username === "" && url.search === "" && url.hash === "";
  if (!plain || !["http:", "https:"].includes(url.protocol)) {
    throw usageError(`--server is an address such as ${DEFAULT_SERVER}, found ${text}`);
  }
  return url.href.replace(/\/+$/, "").replace(MCP, "");
}

async function init(cli: CliContext, options: InitOptions): Promise<void> {
  const directory = workspaceDirectory(cli);
  const before = await readProfile(directory);
  const server =
    options.server === undefined
      ? (before?.server ?? DEFAULT_SERVER)
      : serverAddress(options.server);
  // A key is its server's alone.
  const key = options.apiKey ?? (before?.server === server ? before.api_key : undefined);
  await writeProfile(directory, { server, ...(key === undefined ? {} : { api_key: key }) });
  const kept = key === undefined ? "no API key" : "an API key";
  cli.out(`${profilePath(directory)}: ${server}, ${kept}\nSee whether it works: plasm doctor`);
}

/** `plasm init`: keeps which server to talk to, and as whom (SURF-20, SURF-22). */
export function addInit(program: Command, cli: CliContext): void {
  program
    .command("init")
    .description("Keep the server's address, and a key for it, in .plasm/ or $PLASM_WORKSPACE.")
    .option("--server <url>", `address of the server (default: ${DEFAULT_SERVER})`)
    .option("--api-key <key>", "key that says who you are; kept in a file only you can read")
    .addHelpText("after", `\nExample:\n  $ plasm init --server ${DEFAULT_SERVER}`)
    .action((options: InitOptions) => init(cli, options));
}
