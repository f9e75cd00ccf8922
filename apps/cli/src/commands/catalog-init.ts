import { mkdir, stat, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import type { MadeCatalog } from "@plasm/importers";
import type { CatalogTexts } from "@plasm/runtime";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { failedError, usageError } from "../cli-error.ts";
import { corrected, type ImportOptions, makeCatalog } from "../sources/make-catalog.ts";
import { overlayAt, RECORD, recordFor, recordText } from "../sources/import-record.ts";
import { isAddress, readSource, readTextFile } from "../sources/read-source.ts";
import { toolsOf } from "../sources/tools-of.ts";
import { CLI_VERSION } from "../version.ts";
import { appended, earlierName } from "./options.ts";

interface InitOptions {
  readonly api?: string;
  readonly openapi?: string;
  readonly mcp?: string;
  readonly passEnv: readonly string[];
  readonly id?: string;
  readonly only: readonly string[];
  readonly server?: string;
  readonly overlay?: string;
}

const codeOf = (thrown: unknown): string => (thrown as NodeJS.ErrnoException).code ?? "unknown";

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Where the two files come to be, in the words that the directory was given with. */
function placesOf(cli: CliContext, given: string, id: string | undefined) {
  const directory = id === undefined ? given : join(given, id);
  const path = resolve(cli.cwd, directory);
  const file = (name: string) => ({ said: join(directory, name), path: join(path, name) });
  return {
    entryId: id ?? basename(path),
    said: relative(cli.cwd, path) === "" ? "." : directory,
    path,
    domain: file("domain.yaml"),
    mappings: file("mappings.yaml"),
    record: file(RECORD),
  };
}

/** Writes a file that is not there yet; what is there stays as it is. */
async function writeNew(
  { said, path }: { readonly said: string; readonly path: string },
  text: string,
) {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") throw usageError(`${said} is there already, and stays.`);
    throw failedError(`${said} cannot be written (${codeOf(thrown)}).`, thrown);
  }
}

/**
 * A catalog that has of another only how calls sign in: that stands before the values of generated files, and all that
 * comes after takes longer to read than the document.
 */
function signInAlone({ entryId, domain }: MadeCatalog): CatalogTexts {
  const head = domain.slice(0, Math.max(0, domain.search(/^values:/m)));
  return { entryId, domain: `${head}entities: {}\ncapabilities: {}\n`, mappings: "{}" };
}

/** What calls of the catalog need, in the words of the server that will make them; empty where they need nothing. */
async function credentialLines(made: MadeCatalog) {
  const { credentialHelp, openCatalogTexts } = await import("@plasm/runtime");
  const { catalog } = await openCatalogTexts(signInAlone(made));
  const help = catalog === null ? "" : credentialHelp(catalog);
  return help === "" ? [] : [`Calls need a credential: ${help}`];
}

/** A catalog with what it was made of, as its record names that. */
interface Read {
  readonly made: MadeCatalog;
  readonly digest: string;
  readonly source: string;
  readonly fetched: readonly string[];
}

async function ofDocument(
  cli: CliContext,
  api: string,
  how: ImportOptions,
  directory: string,
): Promise<Read> {
  const read = await readSource(api, cli);
  const source = api === "-" || isAddress(api) ? api : relative(directory, resolve(cli.cwd, api));
  const made = await makeCatalog(api, read, how);
  const fetched = read.url === null ? [] : [`Fetched: ${read.digest}`];
  return { made, digest: read.digest, source, fetched };
}

/** Of an MCP server's tools. The record does not say how it is started: who has the catalog starts nothing by it. */
async function ofServer(
  cli: CliContext,
  from: string,
  { passEnv }: InitOptions,
  how: ImportOptions & { readonly id: string },
): Promise<Read> {
  const { made, digest } = await toolsOf(cli, { kind: "mcp", from, passEnv, ...how });
  return { made: await corrected(made, how.overlay), digest, source: `mcp:${how.id}`, fetched: [] };
}

/** The document that is named. Throws CliError where it is not said what a catalog is to be made of, or twice. */
function documentOf({ openapi, api = openapi, mcp, passEnv, server }: InitOptions): string {
  if ((api === undefined) === (mcp === undefined))
    throw usageError("Name what it is made of: --api DOCUMENT, or --mcp SERVER.");
  if (mcp === undefined && passEnv.length > 0) throw usageError("--pass-env goes with --mcp.");
  if (mcp !== undefined && server !== undefined)
    throw usageError("--server goes with --api: tools are called on their server.");
  return api ?? "";
}

async function initCatalog(cli: CliContext, given: string, options: InitOptions): Promise<void> {
  const api = documentOf(options);
  const { mcp, id, only, server, overlay } = options;
  const place = placesOf(cli, given, id);
  for (const { said, path } of [place.domain, place.mappings, place.record]) {
    if (await isThere(path)) throw usageError(`${said} is there already, and stays.`);
  }
  const how = {
    id: place.entryId,
    only,
    ...(server === undefined ? {} : { server }),
    ...(overlay === undefined
      ? {}
      : { overlay: { name: overlay, text: await readTextFile(overlay, cli.cwd) } }),
  };
  const { made, digest, source, fetched } =
    mcp === undefined
      ? await ofDocument(cli, api, how, place.path)
      : await ofServer(cli, mcp, options, how);
  try {
    await mkdir(place.path, { recursive: true });
  } catch (thrown) {
    throw failedError(`${place.said} cannot be made (${codeOf(thrown)}).`, thrown);
  }
  const beside = (file: string) => relative(place.path, resolve(cli.cwd, file));
  const kept = overlayAt(how, beside);
  const record = recordFor(source, digest, made, kept, CLI_VERSION);
  await writeNew(place.domain, made.domain);
  await writeNew(place.mappings, made.mappings);
  await writeNew(place.record, recordText(record));
  const left = made.left.length === 0 ? [] : ["left out:", ...made.left.map((line) => `  ${line}`)];
  const what = mcp === undefined ? "operations" : "tools";
  cli.out(
    [
      `${place.entryId}: ${made.reached} of ${made.operations} ${what}, in ${place.domain.said} and ${place.mappings.said}`,
      ...fetched,
      ...left,
      ...(await credentialLines(made)),
      `Next: plasm catalog validate ${place.said}`,
    ].join("\n"),
  );
}

const HELP = `
The catalog's id is the directory's name, or --id: its files are then in <dir>/<id>. No file is overwritten. Nothing but
the document itself is fetched. Beside the two files stands import.json, which plasm catalog refresh merges with.

Examples:
  $ plasm catalog init shop --api shop.json --only /orders --only people
  $ plasm catalog init files --mcp "npx -y @modelcontextprotocol/server-filesystem ."
  $ curl -sS https://api.example.com/openapi.json | plasm catalog init shop --api -`;

/** `plasm catalog init`: a catalog to begin with, from the document of an API (SURF-20). */
export function addCatalogInit(catalog: Command, cli: CliContext): void {
  catalog
    .command("init")
    .description(
      "Make a catalog to begin with: of an OpenAPI, Google discovery or GraphQL document, or of an MCP server's tools.",
    )
    .argument("<dir>", "where its two files come to be")
    .option("--api <document>", "the document: a file, a URL, or - for standard input")
    .addOption(earlierName())
    .option("--mcp <server>", "the MCP server: the command that starts it, or its URL")
    .option("--pass-env <name>", "a variable that this server gets (repeatable)", appended, [])
    .option("--id <id>", "the catalog's id, where <dir> is a directory of catalogs")
    .option(
      "--only <what>",
      "operations by the beginning of their path, such as /orders, or a tag; tools by theirs (repeatable)",
      appended,
      [],
    )
    .option("--server <url>", "the address of the API, in place of the one that the document names")
    .option("--overlay <file>", "what to rename, hide, describe and correct of what is generated")
    .addHelpText("after", HELP)
    .action((given: string, options: InitOptions) => initCatalog(cli, given, options));
}
