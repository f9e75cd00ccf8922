import { resolve } from "node:path";
import { InvalidArgumentError, Option, type Command } from "commander";
import { isAddress } from "./read-source.ts";

interface Named {
  /** the catalog's id; taken from the name of what it is made of if not given */
  readonly id?: string;
  /** what of it: beginnings of paths and tags of operations, beginnings of names of tools */
  readonly only: readonly string[];
  /** a file of corrections */
  readonly overlay?: string;
}

/** A document of an API that is to be a catalog, as the command line names it. */
export interface ApiSource extends Named {
  readonly kind: "api";
  /** a file, an http or https address, or `-` for standard input */
  readonly from: string;
  /** the address of the API, in place of the one that the document names */
  readonly server?: string;
}

/** An MCP server whose tools are to be a catalog. */
export interface McpServer extends Named {
  readonly kind: "mcp";
  /** a command, or an http or https address */
  readonly from: string;
  /** names of the variables of the environment that it gets */
  readonly passEnv: readonly string[];
}

export type ServedSource = ApiSource | McpServer;

function demandText(text: string, what: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError(`It is empty. Name ${what}.`);
}

/**
 * Gives a command the options that name documents and MCP servers. `--id`, `--only`, `--overlay`, `--server` and
 * `--pass-env` belong to the `--api` or `--mcp` before them, so that several can be named in one line. Returns the list
 * that parsing fills.
 */
export function addSourceOptions(command: Command): readonly ServedSource[] {
  const sources: ServedSource[] = [];
  const belong = (owners: string, change: (before: ServedSource) => ServedSource | null): void => {
    const last = sources.at(-1);
    const changed = last === undefined ? null : change(last);
    if (changed === null)
      throw new InvalidArgumentError(`It belongs to the ${owners} before it, and there is none.`);
    sources.splice(-1, 1, changed);
  };
  const once = (before: string | undefined, { kind, from }: ServedSource): void => {
    if (before !== undefined) throw new InvalidArgumentError(`--${kind} ${from} has one already.`);
  };
  const option = (flags: string, description: string, take: (text: string) => void): void => {
    const parsed = new Option(flags, description).argParser((text: string) => {
      take(text);
      return text;
    });
    command.addOption(parsed);
  };
  const BOTH = "--api or --mcp";
  option(
    "--api <document>",
    "an API by its OpenAPI, Google discovery or GraphQL document, or endpoint: a file, a URL, or -",
    (text) => {
      sources.push({ kind: "api", from: demandText(text, "a file, a URL, or -"), only: [] });
    },
  );
  option("--mcp <server>", "the tools of an MCP server: a command, or a URL", (text) => {
    const from = demandText(text, "a command or a URL");
    sources.push({ kind: "mcp", from, only: [], passEnv: [] });
  });
  option("--id <id>", "the catalog's id, of the --api or --mcp before it", (id) =>
    belong(BOTH, (before) => {
      once(before.id, before);
      return { ...before, id: demandText(id, "an id") };
    }),
  );
  option("--only <what>", "its operations by beginning of path, tag, tool; repeatable", (text) =>
    belong(BOTH, (before) => ({
      ...before,
      only: [...before.only, demandText(text, "a beginning of a path, a tag, or a tool")],
    })),
  );
  option("--overlay <file>", "what to rename, hide, describe, correct of that catalog", (file) =>
    belong(BOTH, (before) => {
      once(before.overlay, before);
      return { ...before, overlay: demandText(file, "a file") };
    }),
  );
  option("--server <url>", "the address of that API, in place of the document's", (server) =>
    belong("--api", (before) => {
      if (before.kind !== "api") return null;
      once(before.server, before);
      return { ...before, server: demandText(server, "an address") };
    }),
  );
  option("--pass-env <name>", "a variable that the MCP server before it gets; repeatable", (name) =>
    belong("--mcp", (before) =>
      before.kind === "mcp"
        ? { ...before, passEnv: [...before.passEnv, demandText(name, "a variable")] }
        : null,
    ),
  );
  return sources;
}

/**
 * The words of the command line that name a source again, wherever they are written. What was piped in is named by
 * the catalog that was made of it, in `directory`.
 */
export function sourceWords(source: ServedSource, cwd: string, directory = "-"): readonly string[] {
  const { kind, from, id, only, overlay } = source;
  if (from === "-") return ["--catalogs", directory];
  return [
    `--${kind}`,
    kind === "mcp" || isAddress(from) ? from : resolve(cwd, from),
    ...(id === undefined ? [] : ["--id", id]),
    ...(source.kind === "mcp" ? source.passEnv.flatMap((name) => ["--pass-env", name]) : []),
    ...(source.kind === "mcp" || source.server === undefined ? [] : ["--server", source.server]),
    ...only.flatMap((one) => ["--only", one]),
    ...(overlay === undefined ? [] : ["--overlay", resolve(cwd, overlay)]),
  ];
}
