import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { askSecret } from "./typed-key.ts";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";
import { writeProfile } from "../workspace/workspace.ts";
import {
  DEFAULT_SERVER,
  profilePath,
  readProfile,
  workspaceDirectory,
} from "../workspace/profile.ts";

interface InitOptions {
  readonly server?: string;
  readonly apiKey?: string;
  readonly apiKeyFile?: string;
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
  return url.href.replace(/(?<!\/)\/+$/, "").replace(MCP, "");
}

/** No key is as long; what is, is another file. */
const MOST_KEY_BYTES = 8_192;

function keyIn(bytes: Uint8Array, place: string): string {
  if (bytes.byteLength > MOST_KEY_BYTES) {
    throw usageError(`${place} has ${bytes.byteLength} bytes: that is no API key.`);
  }
  const key = new TextDecoder().decode(bytes).trim();
  if (key !== "" && !/\s/.test(key)) return key;
  throw usageError(
    `${place} holds ${key === "" ? "nothing" : "more than one word"}: an API key is one word.`,
  );
}

/** A key from a file, `-` being stdin, where a person types it unseen. Throws CliError. */
async function keyFrom(cli: CliContext, file: string): Promise<string> {
  if (file !== "-") {
    const bytes = await readFile(resolve(cli.cwd, file)).catch((thrown: NodeJS.ErrnoException) => {
      throw usageError(`${file} cannot be read (${thrown.code ?? "unknown"}).`);
    });
    return keyIn(bytes, file);
  }
  const bytes = await cli.readStdin();
  if (bytes !== null) return keyIn(bytes, "stdin");
  const streams = { input: process.stdin, output: process.stderr };
  const typed = (await askSecret("API key: ", streams)) ?? "";
  return keyIn(new TextEncoder().encode(typed), "what was typed");
}

/** The key of the command line, if there is one. */
async function givenKey(cli: CliContext, { apiKey, apiKeyFile }: InitOptions) {
  if (apiKeyFile !== undefined) return keyFrom(cli, apiKeyFile);
  if (apiKey === "-") return keyFrom(cli, "-");
  if (apiKey !== undefined) {
    cli.remark(
      "plasm: a list of processes and the shell's history show what --api-key is given: prefer --api-key-file FILE, or - for stdin.",
    );
  }
  return apiKey;
}

async function init(cli: CliContext, options: InitOptions): Promise<void> {
  const directory = workspaceDirectory(cli);
  const before = await readProfile(directory);
  const server =
    options.server === undefined
      ? (before?.server ?? DEFAULT_SERVER)
      : serverAddress(options.server);
  // A key is its server's alone.
  const key =
    (await givenKey(cli, options)) ?? (before?.server === server ? before.api_key : undefined);
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
    .option(
      "--api-key-file <file>",
      "key that says who you are, from a file, or - from stdin; kept in a file only you can read",
    )
    .addOption(
      new Option(
        "--api-key <key>",
        "the same as text, which a list of processes shows; - from stdin",
      ).conflicts("apiKeyFile"),
    )
    .addHelpText("after", `\nExample:\n  $ plasm init --server ${DEFAULT_SERVER}`)
    .action((options: InitOptions) => init(cli, options));
}
