import { httpConfiguration, stdioConfiguration } from "./client-configuration.ts";
import { firstSession, type FirstEntity } from "./first-session.ts";
import { howToOffer } from "./how-to-offer.ts";
import { shellCommand } from "./shell-command.ts";

/** Everything a person who starts the server wants to know. */
export interface Started {
  readonly version: string;
  readonly url: string;
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
}

/** So that the whole message stays within 25 lines. */
const MOST_REMARKS = 6;
const MOST_NAMES = 20;

function listOf(names: readonly string[], directories: readonly string[]): string {
  if (names.length === 0) return `none; ${howToOffer(directories)}`;
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return names.length > MOST_NAMES ? `${shown}, +${names.length - MOST_NAMES}` : shown;
}

function remarkLines(remarks: readonly string[]): readonly string[] {
  const shown = remarks.slice(0, MOST_REMARKS).map((line) => `  ${line}`);
  const left = remarks.length - shown.length;
  return left === 0 ? shown : [...shown, `  +${left} more; plasm serve says all on stderr`];
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
  const { storePlace } = started;
  const mcpUrl = `${url}/mcp`;
  const command = shellCommand(program, dataDir);
  const keyed = started.auth.mode !== "off";
  const session =
    started.first === null
      ? []
      : ["", "A first session, to paste into sh:", ...firstSession(url, started.first, keyed)];
  return [
    `Plasm ${version}: HTTP ${url} · MCP ${mcpUrl}`,
    `Data: ${dataDir}${storePlace === null ? "" : `; sessions and results: ${storePlace}`}`,
    ...authLines(started.auth),
    `Catalogs: ${listOf(started.loaded, catalogs)}`,
    ...remarkLines(started.remarks),
    "",
    "MCP client configuration, HTTP:",
    httpConfiguration(mcpUrl, keyed),
    "MCP client configuration, stdio:",
    stdioConfiguration({ ...program, dataDir, named: started.named, backends }),
    ...session,
    ...(command === null ? [] : ["", `The command line, in another shell: ${command}`]),
    "",
    "Ctrl-C ends it.",
  ].join("\n");
}
