import type { Command } from "commander";
import { ADMINISTRATOR } from "./typed-key.ts";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";
import type { ImportRecord } from "../sources/import-record.ts";
import { addSourceOptions, type ServedSource } from "../sources/source-options.ts";
import { clientWithKey, jsonAnswer } from "../server/server-client.ts";
import { hasTextMembers, isJsonObject } from "../workspace/json-file.ts";

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
  hasTextMembers(value, ["code", "file", "message"]);

function isImported(value: unknown): value is Imported {
  const warnings = isJsonObject(value) ? value["warnings"] : null;
  return (
    hasTextMembers(value, ["entry_id", "digest"]) &&
    Array.isArray(warnings) &&
    warnings.every(isWarning)
  );
}

/** What the server is told of the document that a catalog was made of (SURF-71). */
const originOf = ({
  source,
  digest,
  read,
  operations,
  reached,
  left,
}: Omit<ImportRecord, "generated" | "plasm" | "only">) => ({
  source,
  digest,
  read,
  operations,
  reached,
  left,
});

/** The one catalog that a directory, or a file, is, and what stands beside it of where it is from. Throws CliError. */
async function textsIn(cli: CliContext, given: string) {
  const [{ catalogPath, readCatalogTexts }, { readRecord }] = await Promise.all([
    import("@plasm/runtime"),
    import("../sources/import-record.ts"),
  ]);
  const path = catalogPath(given, cli.cwd);
  const found = await readCatalogTexts(path);
  const record = await readRecord(path);
  if (found.ok) return { ...found.texts, origin: record === null ? null : originOf(record) };
  throw usageError(`${given}: ${found.problem}`);
}

/** The catalog that one document is, made for this one import. Throws CliError. */
async function textsOfDocument(cli: CliContext, source: ServedSource) {
  if (source.kind === "mcp")
    throw usageError(
      "--mcp is for plasm serve: a server that is running has no command for the tools of an imported catalog.",
    );
  const { makeCatalog } = await import("../sources/make-catalog.ts");
  const { readSource, readTextFile } = await import("../sources/read-source.ts");
  const { from, overlay, ...how } = source;
  const read = await readSource(from, cli);
  const more =
    overlay === undefined
      ? {}
      : { overlay: { name: overlay, text: await readTextFile(overlay, cli.cwd) } };
  const made = await makeCatalog(from, read, { ...how, ...more });
  const { operations, reached, left } = made;
  const origin = { source: from, digest: read.digest, read: new Date().toISOString() };
  return { ...made, origin: { ...origin, operations, reached, left } };
}

function textsOf(cli: CliContext, given: string | undefined, sources: readonly ServedSource[]) {
  const [source, second] = sources;
  if (source === undefined && given !== undefined) return textsIn(cli, given);
  if (source !== undefined && second === undefined && given === undefined)
    return textsOfDocument(cli, source);
  throw usageError("Name one catalog: its directory, or its document with --api.");
}

async function importCatalog(
  cli: CliContext,
  given: string | undefined,
  sources: readonly ServedSource[],
): Promise<void> {
  const { entryId, domain, mappings, origin } = await textsOf(cli, given, sources);
  const client = await clientWithKey(cli, ADMINISTRATOR);
  const body = {
    entry_id: entryId,
    domain,
    ...(mappings === null ? {} : { mappings }),
    ...(origin === null ? {} : { origin }),
  };
  const answer = await client.post("/v1/admin/catalogs", body, "application/json");
  const { entry_id: id, version, digest, warnings } = jsonAnswer(client, answer, isImported);
  for (const { code, file, line, column, message } of warnings) {
    cli.remark(`${code} warning at ${file}:${line}:${column}: ${message}`);
  }
  cli.out(
    `${id} · version ${version} · ${digest}\nNew sessions on ${client.url} have it: plasm catalog show ${id}`,
  );
}

const IMPORT_HELP = `
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
    .addHelpText("after", IMPORT_HELP)
    .action((given: string | undefined) => importCatalog(cli, given, sources));
}

interface Withdrawn {
  readonly entry_id: string;
  readonly digest: string;
  readonly version: number;
  readonly sessions: string;
  readonly on_offer: { readonly version: number; readonly digest: string } | null;
}

function isWithdrawn(value: unknown): value is Withdrawn {
  const remains = isJsonObject(value) ? value["on_offer"] : undefined;
  return (
    hasTextMembers(value, ["entry_id", "digest", "sessions"]) &&
    (remains === null || hasTextMembers(remains, ["digest"]))
  );
}

async function withdraw(cli: CliContext, id: string, keepSessions: boolean): Promise<void> {
  const client = await clientWithKey(cli, ADMINISTRATOR);
  const query = keepSessions ? "?sessions=keep" : "";
  const path = `/v1/admin/catalogs/${encodeURIComponent(id)}${query}`;
  const answer = await client.delete(path, "application/json");
  const { version, digest, sessions, on_offer: remains } = jsonAnswer(client, answer, isWithdrawn);
  const now =
    remains === null
      ? "New sessions have no catalog of that id."
      : `New sessions have version ${remains.version} of a directory.`;
  cli.out(
    `${id} · version ${version} · ${digest} is withdrawn on ${client.url}\n` +
      `Sessions that have it are ${sessions}. ${now}`,
  );
}

const WITHDRAW_HELP = `
It is for what plasm catalog import put on offer, each version of it; a catalog of a directory is withdrawn by starting
the server without it. Sessions that have it are lost, and say so at their next call; --keep-sessions lets them go
on. Who withdraws shows an administrator's key: in PLASM_ADMIN_KEY, or typed unseen.

Example:
  $ plasm catalog withdraw CATALOG --keep-sessions`;

/** `plasm catalog withdraw`: takes an imported catalog off offer (SESS-12). */
export function addCatalogWithdraw(catalog: Command, cli: CliContext): void {
  catalog
    .command("withdraw")
    .description("Take an imported catalog off offer, on all replicas of the server.")
    .argument("<id>", "the id of the catalog")
    .option("--keep-sessions", "let sessions that have it go on", false)
    .addHelpText("after", WITHDRAW_HELP)
    .action((id: string, options: { readonly keepSessions: boolean }) =>
      withdraw(cli, id, options.keepSessions),
    );
}
