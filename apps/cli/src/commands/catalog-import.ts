import type { Command } from "commander";
import { ADMINISTRATOR } from "../auth/typed-key.ts";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";
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

async function importCatalog(cli: CliContext, given: string): Promise<void> {
  const { entryId, domain, mappings } = await textsIn(cli, given);
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
  $ plasm catalog import catalogs/quay`;

/** `plasm catalog import`: puts a catalog on offer at a server (SURF-20). */
export function addCatalogImport(catalog: Command, cli: CliContext): void {
  catalog
    .command("import")
    .description("Put a catalog on offer at the server, for new sessions of all its replicas.")
    .argument("<dir>", "the catalog")
    .addHelpText("after", HELP)
    .action((given: string) => importCatalog(cli, given));
}
