import { homedir } from "node:os";
import { join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";

type Environment = Readonly<Record<string, string | undefined>>;

const given = (value: string | undefined): string | undefined =>
  value === undefined || value === "" ? undefined : value;

/**
 * Where data is kept unless told otherwise: one place per user, whatever directory an MCP host
 * starts the program in.
 */
export const defaultDataDirectory = (env: Environment): string =>
  given(env["PLASM_DATA"]) ??
  join(given(env["XDG_DATA_HOME"]) ?? join(homedir(), ".local", "share"), "plasm");

/** The option of commands that work on what a server of this machine keeps, for `Command.option`. */
export const DATA_OPTION = [
  "--data <directory>",
  "data directory of the server (default: $PLASM_DATA, else ~/.local/share/plasm)",
  directory,
] as const;

/** The value of an option that names a directory: `--data=$DIR` with nothing in DIR is a mistake. */
export function directory(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("It is empty. Name a directory.");
}

/** Adds the options that say where credentials are, and whose. */
export const withOwnerOptions = (command: Command): Command =>
  command
    .option(...DATA_OPTION)
    .option("--tenant <tenant>", "for the callers of one tenant, not for all")
    .option("--principal <user>", "for one user of the tenant, where calls use the user's own")
    .option("--account <label>", "one of several accounts with the API, under a label of your own");

/** Collects the values of an option that may be given several times. */
export const appended = (value: string, before: readonly string[]): readonly string[] => [
  ...before,
  value,
];

/** What `--api` was called while documents were those of OpenAPI alone: still taken, and no longer told. */
export const earlierName = (): Option => new Option("--openapi <document>").hideHelp();
