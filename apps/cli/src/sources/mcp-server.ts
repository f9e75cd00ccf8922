import { outboundFetch } from "@plasm/runtime";
import { createHash } from "node:crypto";
import { hostId, idWords, type MadeCatalog } from "@plasm/importers";
import { McpSource, McpSourceError, toolsCatalog } from "@plasm/transport-mcp";
import { parseArgsStringToArgv } from "string-argv";
import type { Environment } from "../cli-context.ts";
import { failedError, usageError } from "../cli-error.ts";
import { CLI_VERSION } from "../version.ts";
import { isAddress, proxiesOf } from "./read-source.ts";
import { shownCommand } from "./shown-command.ts";
import type { McpServer } from "./source-options.ts";

/** An MCP server, and how its catalog is made. */
interface OpenedServer {
  readonly mcp: McpSource;
  /** Asks it for its tools. Throws CliError. */
  catalog(): Promise<{ readonly made: MadeCatalog; readonly digest: string }>;
}

/** What packages of MCP servers have before and after the word that says which they are. */
const AROUND = /^(mcp-server|server|mcp)[-_.]|[-_.](mcp-server|mcp|server)$/g;
/** Programs that start others, and files that every package has. */
const NOBODYS =
  /^(npx|npm|pnpm|dlx|exec|yarn|uvx|uv|run|node|bun|bunx|deno|python3?|docker|sh|bash|index|main|server|cli|mcp|dist)$/;

/** The first word of a command that names a package or a program. */
function idOf({ id, from }: Pick<McpServer, "id" | "from">, words: readonly string[]): string {
  if (id !== undefined) return id;
  const found = isAddress(from)
    ? hostId(new URL(from).hostname)
    : words
        .filter((word) => !word.startsWith("-"))
        .map((word) => word.split("/").at(-1) ?? "")
        .map((word) =>
          idWords(word.replace(/^([^@]+)@.*$/, "$1").replace(/\.[a-z]+$/, "")).replaceAll(
            AROUND,
            "",
          ),
        )
        .find((word) => word !== "" && !NOBODYS.test(word));
  if (found !== undefined && found !== "") return found;
  throw usageError(
    `--mcp ${shownCommand(from)}: its name gives no id: add --id, as in --id files.`,
  );
}

const ENTRY_ID = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

function passed(names: readonly string[], env: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((name) => {
      const value = env[name];
      if (value !== undefined) return [name, value];
      throw usageError(`--pass-env ${name}: the environment has no ${name}.`);
    }),
  );
}

function reachOf(
  { from, passEnv }: McpServer | Omit<McpServer, "overlay">,
  env: Environment,
  cwd: string,
) {
  const variables = passed(passEnv, env);
  if (isAddress(from)) {
    if (!URL.canParse(from)) throw usageError(`--mcp ${shownCommand(from)} is not an address.`);
    const [token, second] = Object.values(variables);
    if (second !== undefined)
      throw usageError("--pass-env of a server at an address is its bearer token: name one.");
    return { kind: "url" as const, url: from, ...(token === undefined ? {} : { token }) };
  }
  const [command, ...args] = parseArgsStringToArgv(from);
  if (command === undefined) throw usageError(`--mcp ${shownCommand(from)} is not a command.`);
  return { kind: "command" as const, command, args, env: variables, cwd };
}

/** What the command line says of an MCP server; nothing is started yet. Throws CliError. */
export async function openMcpServer(
  source: Omit<McpServer, "overlay">,
  env: Environment,
  cwd: string,
): Promise<OpenedServer> {
  const given = reachOf(source, env, cwd);
  const reach =
    given.kind === "url" ? { ...given, fetch: outboundFetch(await proxiesOf(env)) } : given;
  const id = idOf(source, reach.kind === "url" ? [] : [reach.command, ...reach.args]);
  if (!ENTRY_ID.test(id))
    throw usageError(
      `${JSON.stringify(id)} is no id of a catalog: small letters, digits, and _ . - after the first (CAT-016).`,
    );
  const mcp = new McpSource({ id, reach, version: CLI_VERSION });
  return {
    mcp,
    catalog: async () => {
      try {
        const tools = await mcp.tools();
        const made = toolsCatalog(tools, { id, label: await mcp.label(), only: source.only });
        if (made.reached === 0) {
          const why =
            made.left[0] ?? (tools.length === 0 ? "it has no tools" : "--only names none of them");
          throw usageError(`--mcp ${shownCommand(source.from)}: there is nothing to call: ${why}.`);
        }
        const hash = createHash("sha256").update(JSON.stringify(tools)).digest("hex");
        return { made: { entryId: id, ...made }, digest: `sha256:${hash}` };
      } catch (thrown) {
        throw thrown instanceof McpSourceError ? failedError(thrown.detail, thrown) : thrown;
      }
    },
  };
}
