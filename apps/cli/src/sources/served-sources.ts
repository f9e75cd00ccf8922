import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { MadeCatalog } from "@plasm/importers";
import type { McpSource } from "@plasm/transport-mcp";
import type { CliContext } from "../cli-context.ts";
import { CliError, EXIT, failedError, usageError } from "../cli-error.ts";
import { CLI_VERSION } from "../version.ts";
import { corrected, makeCatalog } from "./make-catalog.ts";
import {
  filesHash,
  type ImportRecord,
  readFiles,
  readRecord,
  recordFor,
  writeImport,
} from "./import-record.ts";
import type { SourceDocument } from "./document-files.ts";
import { digestOf, isAddress, readSource, readTextFile } from "./read-source.ts";
import type { OverlayText } from "./overlay.ts";
import type { ApiSource, ServedSource, McpServer } from "./source-options.ts";
import { shownCommand } from "./shown-command.ts";

/** Catalogs that were made of documents, each in a directory of its own, and what there is to say of them. */
export interface ServedSources {
  readonly directories: readonly string[];
  readonly notes: readonly string[];
  /** the MCP servers among them, which are called as long as the catalogs are served */
  readonly mcp: readonly McpSource[];
}

/** Where they are kept: a server that has no network at its next start serves the same. */
const sourcesDirectory = (dataDir: string): string => join(dataDir, "sources");

/** A clone of the repository has one version for all that its importer ever makes. */
const IS_RELEASE = CLI_VERSION !== "0.0.0";

/** A source with the text of its overlay. */
type Loaded<S> = S extends ServedSource
  ? Omit<S, "overlay"> & { readonly overlay?: OverlayText }
  : never;
type LoadedSource = Loaded<ServedSource>;

async function loaded({ overlay, ...source }: ServedSource, cwd: string): Promise<LoadedSource> {
  if (overlay === undefined) return source;
  return { ...source, overlay: { name: overlay, text: await readTextFile(overlay, cwd) } };
}

interface Served {
  readonly mcp?: McpSource;
  readonly entryId: string;
  readonly directory: string;
  readonly note: readonly string[];
}

const brief = (digest: string): string => digest.slice(0, "sha256:".length + 12);

/** Whether a catalog that is kept is of these options, and as it was written. */
async function isWhole(directory: string, record: ImportRecord): Promise<boolean> {
  const files = await readFiles(directory);
  return files !== null && filesHash(files) === filesHash(record.generated);
}

const isOfOptions = (record: ImportRecord, source: LoadedSource, cwd: string): boolean =>
  record.source === sourceName(source, cwd) &&
  record.overlay?.digest ===
    (source.overlay === undefined ? undefined : digestOf(Buffer.from(source.overlay.text))) &&
  record.server === (source.kind === "api" ? source.server : undefined) &&
  JSON.stringify(record.only) === JSON.stringify(source.only);

/** How a record names what it was made of: a file whole, so that another of that name is another; no secret of a command. */
const sourceName = ({ kind, from }: LoadedSource, cwd: string): string => {
  if (kind === "mcp") return shownCommand(from);
  return from === "-" || isAddress(from) ? from : resolve(cwd, from);
};

/** The catalog that was made of this very source before, if it is still whole. */
async function keptOf(
  source: LoadedSource,
  root: string,
  cwd: string,
): Promise<{ entryId: string; directory: string; record: ImportRecord } | null> {
  const names = source.id === undefined ? await readdir(root).catch(() => []) : [source.id];
  for (const entryId of names) {
    const directory = join(root, entryId);
    const record = await readRecord(directory);
    if (record === null || !isOfOptions(record, source, cwd)) continue;
    if (await isWhole(directory, record)) return { entryId, directory, record };
  }
  return null;
}

function noteOf(
  entryId: string,
  { kind, from }: LoadedSource,
  record: ImportRecord,
): readonly string[] {
  const { reached, operations, digest, left } = record;
  const [first] = left;
  const what = kind === "mcp" ? "tools" : "operations";
  const shown = kind === "mcp" ? shownCommand(from) : from;
  const where = from === "-" ? "standard input" : shown;
  const made = `${entryId}: ${reached} of ${operations} ${what} of ${where} (${brief(digest)})`;
  if (first === undefined) return [made];
  const more = left.length > 1 ? ` (+${left.length - 1} more)` : "";
  return [made, `${entryId}: left out: ${first}${more}`];
}

async function madeOf(
  source: Loaded<ApiSource>,
  read: SourceDocument,
  root: string,
  cwd: string,
): Promise<Served> {
  const { from } = source;
  const kept = IS_RELEASE ? await keptOf(source, root, cwd) : null;
  if (kept !== null && kept.record.digest === read.digest && kept.record.plasm === CLI_VERSION) {
    const { entryId, directory, record } = kept;
    return { entryId, directory, note: noteOf(entryId, source, record) };
  }
  const made = await makeCatalog(from, read, { ...source, unread: true });
  return keep(source, made, read.digest, root, cwd);
}

/** Keeps a catalog, and says what is in it. */
async function keep(
  source: LoadedSource,
  made: MadeCatalog,
  digest: string,
  root: string,
  cwd: string,
): Promise<Served> {
  const { entryId } = made;
  const directory = join(root, entryId);
  const record = recordFor(sourceName(source, cwd), digest, made, source, CLI_VERSION);
  await writeImport(directory, made, record).catch((thrown: unknown) => {
    throw failedError(`${directory} cannot be written: is --data right?`, thrown);
  });
  return { entryId, directory, note: noteOf(entryId, source, record) };
}

/** The catalog of an MCP server's tools; where it does not answer now, the one of its last answer. */
async function servedMcp(
  source: Loaded<McpServer>,
  root: string,
  { cwd, env }: Pick<CliContext, "cwd" | "env">,
): Promise<Served> {
  // Loaded on demand: documents need no client of MCP servers.
  const { openMcpServer } = await import("./mcp-server.ts");
  const { mcp, catalog } = await openMcpServer(source, env, cwd);
  try {
    const { made, digest } = await catalog();
    return {
      mcp,
      ...(await keep(source, await corrected(made, source.overlay), digest, root, cwd)),
    };
  } catch (thrown) {
    const kept =
      thrown instanceof CliError ? await keptOf({ ...source, id: mcp.id }, root, cwd) : null;
    if (kept === null || !(thrown instanceof CliError) || thrown.exitCode === EXIT.usage) {
      await mcp.close();
      throw thrown;
    }
    const { entryId, directory, record } = kept;
    const note = `${entryId}: offered with the tools of ${record.read}, since ${thrown.message}`;
    return { mcp, entryId, directory, note: [note] };
  }
}

async function served(
  source: Loaded<ApiSource>,
  root: string,
  cli: Pick<CliContext, "cwd" | "env" | "readStdin">,
): Promise<Served> {
  const { from } = source;
  let read: SourceDocument;
  try {
    read = await readSource(from, cli);
  } catch (thrown) {
    const kept = isAddress(from) ? await keptOf(source, root, cli.cwd) : null;
    if (kept === null || !(thrown instanceof CliError)) throw thrown;
    const { entryId, directory, record } = kept;
    const note = `${entryId}: served as it was fetched at ${record.read} (${brief(record.digest)}), since ${thrown.message}`;
    return { entryId, directory, note: [note] };
  }
  return madeOf(source, read, root, cli.cwd);
}

function refuseTwice(all: readonly Served[], sources: readonly ServedSource[]): void {
  const seen = new Map<string, string>();
  all.forEach(({ entryId }, at) => {
    const { from = "", kind } = sources[at] ?? {};
    const shown = kind === "mcp" ? shownCommand(from) : from;
    const other = seen.get(entryId);
    if (other !== undefined)
      throw usageError(
        `${other} and ${shown} would both be ${entryId}: add --id after one of them.`,
      );
    seen.set(entryId, shown);
  });
}

/**
 * Makes a catalog of each document and of each MCP server's tools, and keeps it in the data directory. What cannot be
 * had now is served as it was last. Throws CliError; else the caller closes the MCP servers.
 */
export async function serveSources(
  sources: readonly ServedSource[],
  dataDir: string,
  cli: Pick<CliContext, "cwd" | "env" | "readStdin">,
): Promise<ServedSources> {
  const root = sourcesDirectory(dataDir);
  const all: Served[] = [];
  const mcp = (): readonly McpSource[] => all.flatMap((one) => one.mcp ?? []);
  try {
    for (const given of sources) {
      const source = await loaded(given, cli.cwd);
      all.push(
        source.kind === "mcp"
          ? await servedMcp(source, root, cli)
          : await served(source, root, cli),
      );
    }
    refuseTwice(all, sources);
  } catch (thrown) {
    await Promise.all(mcp().map((one) => one.close()));
    throw thrown;
  }
  return {
    directories: all.map(({ directory }) => directory),
    notes: all.flatMap(({ note }) => note),
    mcp: mcp(),
  };
}
