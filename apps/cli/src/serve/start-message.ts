import { basename } from "node:path";
import { backendSetting } from "@plasm/runtime";

/** Everything a person who starts the server wants to know. */
export interface Started {
  readonly version: string;
  readonly url: string;
  /** where the console is; on a terminal with what signs in once */
  readonly consoleUrl: string;
  readonly dataDir: string;
  /** where sessions and results are, if not in the data directory */
  readonly storePlace: string | null;
  /** whether callers have to prove who they are, and whose tokens they may do it with */
  readonly auth: { readonly mode: string; readonly issuers: readonly string[] };
  /** directories the catalogs were looked for in */
  readonly directories: readonly string[];
  /** words of the command line that name the catalogs again */
  readonly named: readonly string[];
  /** ids of the catalogs on offer */
  readonly loaded: readonly string[];
  /** a line on each catalog that is not on offer, or that cannot be called yet */
  readonly remarks: readonly string[];
  /** what to run for a stdio server of this very program */
  readonly program: { readonly node: string; readonly script: string };
  readonly first: FirstEntity | null;
  /** settings that say where the APIs of loaded catalogs are */
  readonly backends: Readonly<Record<string, string>>;
  /** what runs beside the server, a line each */
  readonly beside: readonly string[];
}

/** Remarks, and what runs beside the server: so that the whole message stays within 25 lines. */
const MOST_REMARKS = 6;
const MOST_NAMES = 20;

function listOf(names: readonly string[], directories: readonly string[]): string {
  if (names.length === 0) return `none; ${howToOffer(directories)}`;
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return names.length > MOST_NAMES ? `${shown}, +${names.length - MOST_NAMES}` : shown;
}

/** The remarks that the message has no room for; the log has them. */
export const unshownRemarks = ({
  remarks,
  beside,
}: Pick<Started, "remarks" | "beside">): readonly string[] =>
  remarks.slice(MOST_REMARKS - beside.length);

function remarkLines(started: Started): readonly string[] {
  const unshown = unshownRemarks(started).length;
  const { remarks } = started;
  const shown = remarks.slice(0, remarks.length - unshown).map((line) => `  ${line}`);
  return unshown === 0 ? shown : [...shown, `  +${unshown} more in the log`];
}

/** How callers prove who they are, where they do. */
function authLines({ mode, issuers }: Started["auth"]): readonly string[] {
  if (mode === "off") return [];
  const tokens = issuers.length === 0 ? "" : `; tokens of ${issuers.join(", ")}`;
  return [`Authentication: ${mode} (API keys${tokens})`];
}

/** What `plasm serve` prints once it listens: at most 25 lines. */
export function startMessage(started: Started): string {
  const { version, url, dataDir, directories: catalogs, program, backends } = started;
  const { storePlace, consoleUrl } = started;
  const mcpUrl = `${url}/mcp`;
  const command = shellCommand(program, dataDir);
  const keyed = started.auth.mode !== "off";
  const session =
    started.first === null
      ? []
      : ["", "A first session, to paste into sh:", ...firstSession(url, started.first, keyed)];
  return [
    `Plasm ${version}: HTTP ${url} · MCP ${mcpUrl}`,
    `Console: ${consoleUrl}`,
    `Data: ${dataDir}${storePlace === null ? "" : `; sessions and results: ${storePlace}`}`,
    ...started.beside,
    ...authLines(started.auth),
    `Catalogs: ${listOf(started.loaded, catalogs)}`,
    ...remarkLines(started),
    "",
    `Claude Code: ${claudeCommand(mcpUrl, keyed)}`,
    "MCP client configuration, HTTP:",
    httpConfiguration(mcpUrl, keyed),
    "MCP client configuration, stdio:",
    stdioConfiguration({ ...program, dataDir, named: started.named, backends }),
    ...session,
    ...(command === null ? [] : ["", `The command line, in another shell: ${command}`]),
    "Ctrl-C ends it.",
  ].join("\n");
}

/** Text as one word of a shell's line that stands within single quotes. */
const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `"${text}"`);

/**
 * How the command line of this program is had in a shell, on the server's data; null where it is installed
 * and has its name.
 */
function shellCommand(
  { node, script }: { readonly node: string; readonly script: string },
  dataDir: string,
): string | null {
  if (basename(script) === "plasm") return null;
  return `alias plasm='PLASM_DATA=${word(dataDir)} ${word(node)} ${word(script)}'`;
}

/** What adds the server to Claude Code, to paste into a shell. */
const claudeCommand = (mcpUrl: string, keyed: boolean): string =>
  `claude mcp add --transport http plasm ${mcpUrl}${keyed ? ' --header "X-API-Key: YOUR KEY"' : ""}`;

/** What an MCP host needs to reach a server over HTTP, as one line of its configuration file. */
function httpConfiguration(mcpUrl: string, keyed: boolean): string {
  const headers = keyed ? { headers: { "X-API-Key": "YOUR KEY" } } : {};
  return JSON.stringify({ mcpServers: { plasm: { type: "http", url: mcpUrl, ...headers } } });
}

/**
 * What an MCP host needs to start a server of its own over stdio, on the same data, catalogs and
 * backends: a host starts it without the environment that this server has.
 */
function stdioConfiguration(program: {
  readonly node: string;
  readonly script: string;
  readonly dataDir: string;
  readonly named: readonly string[];
  readonly backends: Readonly<Record<string, string>>;
}): string {
  const { node, script, dataDir, named, backends } = program;
  const args = [script, "serve", "--stdio", "--data", dataDir, ...named];
  const env = Object.keys(backends).length === 0 ? {} : { env: backends };
  return JSON.stringify({ mcpServers: { plasm: { command: node, args, ...env } } });
}

/** An entity to begin with, and the catalog it is from. */
interface FirstEntity {
  readonly api: string;
  readonly entity: string;
}

/**
 * A session to paste: opens one, prints its table, runs a program. Needs only curl and sh; the key of who calls
 * stands in PLASM_API_KEY where one is needed.
 */
function firstSession(
  url: string,
  { api, entity }: FirstEntity,
  keyed: boolean,
): readonly string[] {
  const curl = keyed ? 'curl -sS -H "x-api-key: $PLASM_API_KEY"' : "curl -sS";
  const seeds = JSON.stringify({ seeds: [{ api, entity }] });
  return [
    `S=$(${curl} -o /dev/null -w '%{redirect_url}' -H 'content-type: application/json' -d '${seeds}' ${url}/execute)`,
    `${curl} -H 'accept: text/plain' "$S"`,
    `${curl} -H 'accept: text/plain' -H 'content-type: text/plain' -d '${entity}.limit(5)' "$S"`,
  ];
}

/** What to do where no catalog is on offer, by the directories that were looked into. */
export const howToOffer = (directories: readonly string[]): string =>
  directories.length === 0
    ? "--catalogs DIR or --api DOCUMENT offers some"
    : `nothing in ${directories.join(", ")} is a catalog that loads: a directory with domain.yaml and mappings.yaml`;

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether an address may be printed: one with a password or a key in it may not (SURF-27). */
function isPlain(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password, search } = new URL(address);
  return username === "" && password === "" && search === "";
}

/** The settings of this environment that say where the APIs of these catalogs are (RUN-004). */
export const backendSettings = (
  loaded: readonly string[],
  env: Environment,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    loaded.flatMap((entryId) => {
      const name = backendSetting(entryId);
      const value = env[name];
      return value === undefined || !isPlain(value) ? [] : [[name, value] as const];
    }),
  );
