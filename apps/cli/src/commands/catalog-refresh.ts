import { basename, relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.ts";
import { EXIT, type ExitCode, failedError, usageError } from "../cli-error.ts";
import type { Drift } from "../sources/catalog-drift.ts";
import { corrected, makeCatalog } from "../sources/make-catalog.ts";
import {
  type ImportRecord,
  overlayAt,
  readFiles,
  readRecord,
  recordFor,
  writeImport,
} from "../sources/import-record.ts";
import type { ImportedFiles } from "../sources/catalog-editing.ts";
import type { KeptPlace } from "../sources/merge-catalog.ts";
import { isAddress, readSource, readTextFile } from "../sources/read-source.ts";
import { toolsOf } from "../sources/tools-of.ts";
import { CLI_VERSION } from "../version.ts";
import { appended, earlierName } from "./options.ts";

interface RefreshOptions {
  readonly api?: string;
  readonly openapi?: string;
  readonly mcp?: string;
  readonly passEnv: readonly string[];
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** What a refresh found, and what it did. */
interface Refreshed {
  readonly entryId: string;
  readonly before: string;
  readonly after: string;
  readonly changes: readonly Drift[];
  readonly kept: readonly KeptPlace[];
  readonly left: readonly string[];
  readonly written: boolean;
}

const WHY: Readonly<Record<KeptPlace["why"], string>> = {
  both_changed: "you and the document changed it",
  removed_here: "you removed it, and the document changed it",
  removed_there: "you changed it, and the document has it no more",
  not_here: "new, and it needs what you removed",
};

const SIGN = { added: "+", removed: "-", changed: "~" } as const;

const counted = (changes: readonly Drift[]): string => {
  const count = (change: Drift["change"]): string =>
    `${changes.filter((one) => one.change === change).length} ${change}`;
  const breaking = changes.filter((one) => one.breaking).length;
  return `${count("added")}, ${count("removed")}, ${count("changed")}; ${breaking} breaking`;
};

function driftLine({ change, breaking, part, what }: Drift): string {
  const said = what === "" ? part : `${part}: ${what}`;
  return `  ${SIGN[change]} ${said}${breaking ? " (breaking)" : ""}`;
}

function textOf({ entryId, before, after, changes, kept, written }: Refreshed): string {
  const head = `${entryId}: ${before === after ? "the same document" : `${before} → ${after}`}`;
  if (changes.length === 0 && kept.length === 0) return `${head}\nNothing changed.`;
  const stays =
    kept.length === 0
      ? []
      : [
          "Kept as you wrote it:",
          ...kept.map(({ file, path, why }) => `  ${file} ${path.join(".")}: ${WHY[why]}`),
        ];
  const done = written ? "Merged." : "Nothing is written (--dry-run).";
  return [head, counted(changes), ...changes.map(driftLine), ...stays, done].join("\n");
}

const jsonOf = ({ entryId, before, after, changes, kept, left, written }: Refreshed): string =>
  JSON.stringify({
    entry_id: entryId,
    digest: { before, after },
    breaking: changes.some(({ breaking }) => breaking),
    changes,
    kept: kept.map(({ file, path, why }) => ({ file, path: path.join("."), why })),
    left_out: left,
    written,
  });

/** What a pipeline asks: has the document changed, and would that break anybody. */
function exitOf({ changes, kept, written }: Refreshed): ExitCode {
  if (written) return kept.length === 0 ? EXIT.done : EXIT.partial;
  if (changes.some(({ breaking }) => breaking)) return EXIT.review;
  return changes.length === 0 ? EXIT.done : EXIT.partial;
}

/** The first fault that keeps a catalog from being loaded as it is; null if nothing does. */
async function faultOf(
  entryId: string,
  { domain, mappings }: ImportedFiles,
): Promise<string | null> {
  const { openCatalogTexts, registerPlugins } = await import("@plasm/runtime");
  const { builtInPlugins } = await import("../plugins.ts");
  const functions = registerPlugins(builtInPlugins).functionNames;
  const { catalog, diagnostics } = await openCatalogTexts(
    { entryId, domain, mappings },
    { functions },
  );
  const [first] = diagnostics.filter(({ severity }) => severity === "error");
  const [dropped] = catalog?.dropped ?? [];
  if (first !== undefined)
    return `${first.file}:${first.line}:${first.column} ${first.code} ${first.message}`;
  return dropped === undefined ? null : `${dropped.part} is not loaded: ${dropped.why}`;
}

async function recorded(given: string, directory: string): Promise<[ImportRecord, ImportedFiles]> {
  const [record, files] = [await readRecord(directory), await readFiles(directory)];
  if (files === null)
    throw usageError(
      `${given} is no catalog of two files: it has no domain.yaml, or no mappings.yaml.`,
    );
  if (record !== null) return [record, files];
  throw usageError(
    `${given} has no import.json that can be read, so that nobody knows what of it was generated. plasm catalog init writes one, beside a new catalog.`,
  );
}

async function refresh(cli: CliContext, given: string, options: RefreshOptions): Promise<void> {
  const directory = resolve(cli.cwd, given);
  const entryId = basename(directory);
  const [record, files] = await recorded(given, directory);
  const known = record.source;
  const { openapi, api = openapi } = options;
  if (api === undefined && known === "-")
    throw usageError(`${given} was made of standard input: name the document with --api.`);
  const isServer = known.startsWith("mcp:");
  if (isServer !== (options.mcp !== undefined) || (isServer && api !== undefined))
    throw usageError(
      isServer
        ? `${given} was made of an MCP server's tools: name the server with --mcp.`
        : `${given} was made of a document: --api names another one, --mcp does not.`,
    );
  const from = api ?? (isAddress(known) ? known : relative(cli.cwd, resolve(directory, known)));
  const { only, server } = record;
  const file = record.overlay?.file;
  const overlay = file === undefined ? undefined : relative(cli.cwd, resolve(directory, file));
  const how = {
    id: entryId,
    only,
    ...(server === undefined ? {} : { server }),
    ...(overlay === undefined
      ? {}
      : { overlay: { name: overlay, text: await readTextFile(overlay, cli.cwd) } }),
  };
  // A server that the document writes as a path stays on the host that it was fetched from.
  const ofDocument = async () => {
    const read = await readSource(from, cli);
    const url = read.url ?? (isAddress(known) ? known : null);
    return { made: await makeCatalog(from, { ...read, url }, how), digest: read.digest };
  };
  const ofServer = async (server: string) => {
    const { passEnv } = options;
    const tools = await toolsOf(cli, { kind: "mcp", from: server, id: entryId, only, passEnv });
    return { ...tools, made: await corrected(tools.made, how.overlay) };
  };
  const { made, digest } = await (options.mcp === undefined ? ofDocument() : ofServer(options.mcp));
  const { catalogDrift } = await import("../sources/catalog-drift.ts");
  const { mergeCatalog } = await import("../sources/merge-catalog.ts");
  const changes = catalogDrift(record.generated, made);
  const merged = mergeCatalog(record.generated, files, made);
  const fault = await faultOf(entryId, merged.files);
  if (fault !== null && (await faultOf(entryId, files)) === null) {
    throw failedError(
      `${given}: what the document changed does not go together with what was changed here, and nothing is written: ${fault}`,
    );
  }
  if (!options.dryRun) {
    const isPlace = from === "-" || isAddress(from);
    const source = isServer ? known : isPlace ? from : relative(directory, resolve(cli.cwd, from));
    const isSame =
      made.domain === record.generated.domain && made.mappings === record.generated.mappings;
    // Where nothing changed, the files keep every byte.
    const written = isSame ? files : merged.files;
    const kept = overlayAt(how, (name) => relative(directory, resolve(cli.cwd, name)));
    await writeImport(directory, written, recordFor(source, digest, made, kept, CLI_VERSION)).catch(
      (thrown: unknown) => {
        throw failedError(`${given} cannot be written.`, thrown);
      },
    );
  }
  const found: Refreshed = {
    entryId,
    before: record.digest,
    after: digest,
    changes,
    kept: merged.kept,
    left: made.left,
    written: !options.dryRun,
  };
  cli.out(options.json ? jsonOf(found) : textOf(found));
  cli.endWith(exitOf(found));
}

const HELP = `
What you wrote stays: the newer document is merged in where you changed nothing, by what import.json knows of the earlier one.
Exit codes: 0 merged, or nothing changed; 4 merged, and some places are kept as you wrote them. With --dry-run: 0 nothing
changed, 4 something changed, 3 something changed that breaks programs.

Example:
  $ plasm catalog refresh CATALOG --api api.json --dry-run`;

/** `plasm catalog refresh`: merges a newer document into an edited catalog (SURF-20). */
export function addCatalogRefresh(catalog: Command, cli: CliContext): void {
  catalog
    .command("refresh")
    .description(
      "Merge a newer document into a catalog that plasm catalog init made, and say what changed.",
    )
    .argument("<dir>", "the catalog")
    .option(
      "--api <document>",
      "the document: a file, a URL, or - (default: the one it was made of)",
    )
    .addOption(earlierName())
    .option("--mcp <server>", "the MCP server whose tools it was made of: a command, or a URL")
    .option("--pass-env <name>", "a variable that this server gets (repeatable)", appended, [])
    .addOption(new Option("--dry-run", "write nothing").default(false))
    .addOption(new Option("--json", "one JSON document in place of text").default(false))
    .addHelpText("after", HELP)
    .action((given: string, options: RefreshOptions) => refresh(cli, given, options));
}
