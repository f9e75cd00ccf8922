import { ServerStartError } from "@plasm/http";
import { HostStartError, VERSION } from "@plasm/mcp";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { serve, type ServeOptions } from "./commands/serve.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** SURF-22's exit codes, as far as there are commands for them. */
const EXIT = { done: 0, failed: 1, usage: 2 } as const;

function port(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}

const appended = (value: string, before: readonly string[]): readonly string[] => [
  ...before,
  value,
];

function program(env: Environment): Command {
  const command = new Command("plasm")
    .description("Small programs against APIs, for agents.")
    .version(VERSION)
    .exitOverride();
  command
    .command("serve")
    .description("Serve HTTP with MCP at /mcp, or MCP over stdio.")
    .addOption(new Option("--stdio", "serve MCP on stdin and stdout").default(false))
    .option("--host <address>", "loopback address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 lets the system choose", port, 3000)
    .option("--data <directory>", "where sessions and results are kept")
    .addOption(
      new Option("--catalogs <directory>", "a catalog, or a directory of catalogs; repeatable")
        .argParser(appended)
        .default([], "none"),
    )
    .action((options: ServeOptions) => serve(options, env))
    .exitOverride();
  return command;
}

const isStartError = (thrown: unknown): thrown is Error =>
  thrown instanceof HostStartError || thrown instanceof ServerStartError;

/** Runs the command line given without its program; resolves to the exit code. */
export async function run(args: readonly string[], env: Environment): Promise<number> {
  try {
    await program(env).parseAsync([...args], { from: "user" });
    return EXIT.done;
  } catch (thrown) {
    // Commander has said what is wrong by now, or has printed what it was asked for.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (!isStartError(thrown)) throw thrown;
    console.error(`plasm: ${thrown.message}`);
    return EXIT.failed;
  }
}
