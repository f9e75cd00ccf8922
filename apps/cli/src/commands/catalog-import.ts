import type { Command } from "commander";
import { ADMINISTRATOR } from "../auth/typed-key.ts";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";
import { addSourceOptions, type CatalogSource } from "../sources/source-options.ts";
import { clientWithKey } from "../server/client-with-key.ts";
import { jsonAnswer } from "../server/read-answer.ts";
import { hasTexts, isObject } from "../workspace/json-file.ts";

interface Warning {
  readonly code: string;
  readonly file: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

interface Imported {
  readonly entry_id: string;
  readonly digest: string;
  readonly version: number;
  readonly warnings: readonly Warning[];
}

const isWarning = (value: unknown): value is Warning =>
  hasTexts(value, ["code", "file", "message"]);

function isImported(value: unknown): value is Imported {
  const warnings = isObject(value) ? value["warnings"] : null;
  return (
    hasTexts(value, ["entry_id", "digest"]) && Array.isArray(warnings) && warnings.every(isWarning)
  );
}

/** The one catalog that a directory, or a file, is. Throws CliError. */
async function textsIn(cli: CliContext, given: string) {
  const { catalogPath, readCatalogTexts } = await import("@plasm/runtime");
  const found = await readCatalogTexts(catalogPath(given, cli.cwd));
  if (found.ok) return found.texts;
  throw usageError(`${given}: ${found.problem}`);
}

/** The catalog that one document is, made for this one import. Throws CliError. */
async function textsOfDocument(cli: CliContext, source: CatalogSource) {
  if (source.kind === "mcp")
    throw usageError(
      "--mcp is for plasm serve: a server that is running has no command for the tools of an imported catalog.",
    );
  const { makeCatalog } = await import("../sources/make-catalog.ts");
  const { readSource, readTextFile } = await import("../sources/read-source.ts");
  const { from, overlay, ...how } = source;
  const read = await readSource(from, cli);
  if (overlay === undefined) return makeCatalog(from, read, how);
  const text = await readTextFile(overlay, cli.cwd);
  return makeCatalog(from, read, { ...how, overlay: { name: overlay, text } });
}

function textsOf(cli: CliContext, given: string | undefined, sources: readonly CatalogSource[]) {
  const [source, second] = sources;
  if (source === undefined && given !== undefined) return textsIn(cli, given);
  if (source !== undefined && second === undefined && given === undefined)
    return textsOfDocument(cli, source);
  throw usageError("Name one catalog: its directory, or its document with --api.");
}

async function importCatalog(
  cli: CliContext,
  given: string | undefined,
  sources: readonly CatalogSource[],
): Promise<void> {
  const { entryId, domain, mappings } = await textsOf(cli, given, sources);
  const client = await clientWithKey(cli, ADMINISTRATOR);
  const body = { entry_id: entryId, domain, ...(mappings === null ? {} : { mappings }) };
  const answer = await client.post("/v1/admin/catalogs", body, "application/json");
  const { entry_id: id, version, digest, warnings } = jsonAnswer(client, answer, isImported);
  for (const { code, file, line, column, message } of warnings) {
    cli.remark(`${code} warning at ${file}:${line}:${column}: ${message}`);
  }
  cli.out(
    `${id} · version ${version} · ${digest}\nNew sessions on ${client.url} have it: plasm catalog show ${id}`,
  );
}

const HELP = `
Who imports shows an administrator's key (plasm keys add makes one): in PLASM_ADMIN_KEY, or typed unseen. It is
never kept. Sessions that are open keep the version they have; an import replaces one of a lower version.

Example:
  $ plasm catalog import catalogs/CATALOG`;

/** `plasm catalog import`: puts a catalog on offer at a server (SURF-20). */
export function addCatalogImport(catalog: Command, cli: CliContext): void {
  const command = catalog
    .command("import")
    .description("Put a catalog on offer at the server, for new sessions of all its replicas.")
    .argument("[dir]", "the catalog; or --api names its document");
  const sources = addSourceOptions(command);
  command
    .addHelpText("after", HELP)
    .action((given: string | undefined) => importCatalog(cli, given, sources));
}
