import { Argument, type Command, Option } from "commander";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { CliContext } from "../cli-context.ts";
import { EXIT, usageError } from "../cli-error.ts";
import { type ServedSource, addSourceOptions } from "../sources/source-options.ts";
import { addCatalogImport, addCatalogWithdraw } from "./catalog-import.ts";
import { addCatalogInit } from "./catalog-init.ts";
import { addCatalogRefresh } from "./catalog-refresh.ts";
import { addCatalogShow } from "./catalog-show.ts";

interface ValidateOptions {
  readonly strict: boolean;
  readonly json: boolean;
}

/** The catalogs of documents and MCP servers, as the server would keep them. Throws CliError. */
async function sourcePlaces(cli: CliContext, sources: readonly ServedSource[]) {
  if (sources.length === 0) return [];
  const { serveSources } = await import("../sources/served-sources.ts");
  const { defaultDataDirectory } = await import("./options.ts");
  const dataDir = resolve(cli.cwd, defaultDataDirectory(cli.env));
  const { directories, notes, mcp } = await serveSources(sources, dataDir, cli);
  await Promise.all(mcp.map((one) => one.close()));
  for (const note of notes) cli.remark(note);
  return directories.map((path) => ({ given: path, path }));
}

async function validate(
  cli: CliContext,
  directories: readonly string[],
  sources: readonly ServedSource[],
  { strict, json }: ValidateOptions,
): Promise<void> {
  if (directories.length === 0 && sources.length === 0)
    throw usageError("Name a catalog: a directory, or a document with --api.");
  // Loaded on demand: no other command needs the catalog loader.
  const { catalogPath } = await import("@plasm/runtime");
  const { validateCatalogs, validJson, validText } = await import("../validate-catalogs.ts");
  const named = directories.map((given) => ({ given, path: catalogPath(given, cli.cwd) }));
  const places = [...named, ...(await sourcePlaces(cli, sources))];
  const found = await validateCatalogs(places, strict);
  cli.out(json ? validJson(found) : validText(found));
  if (found.some(({ valid }) => !valid)) cli.endWith(EXIT.failed);
}

/** `plasm catalog validate`: checks catalogs as loading does, without a server (SURF-20). */
function addCatalogValidate(catalog: Command, cli: CliContext): void {
  const command = catalog
    .command("validate")
    .description("Check catalogs as loading does, and show every fault at its place.")
    .argument("[dir...]", "a catalog, or a directory or package of them");
  const sources = addSourceOptions(command);
  command
    .addOption(
      new Option("--strict", "count warnings as errors, as publishing does").default(false),
    )
    .addOption(new Option("--json", "one JSON document in place of text").default(false))
    .addHelpText("after", "\nExample:\n  $ plasm catalog validate --strict catalogs/CATALOG")
    .action((directories: readonly string[], options: ValidateOptions) =>
      validate(cli, directories, sources, options),
    );
}

async function writeTypes(cli: CliContext, given: string, out: string | undefined): Promise<void> {
  // Loaded on demand: no other command needs the catalog loader.
  const { catalogPath, findCatalogs, openCatalogPlace, registerPlugins } =
    await import("@plasm/runtime");
  const { formatCatalogDiagnostic } = await import("@plasm/core");
  const { builtInPlugins } = await import("../plugins.ts");
  const { catalogTypes } = await import("../catalog-types.ts");
  const places = await findCatalogs(catalogPath(given, cli.cwd));
  if (places === null) throw usageError(`${given} does not exist.`);
  const [place, other] = places;
  if (place === undefined || other !== undefined) {
    const found = places.map(({ entryId }) => entryId).join(", ") || "none";
    throw usageError(
      `${given} has to be one catalog, a directory with domain.yaml and mappings.yaml; found: ${found}.`,
    );
  }
  const functions = registerPlugins(builtInPlugins).functionNames;
  const { catalog, diagnostics } = await openCatalogPlace(place, { functions });
  if (catalog === null) {
    cli.remark(diagnostics.map((one) => formatCatalogDiagnostic(one)).join("\n\n"));
    cli.endWith(EXIT.failed);
    return;
  }
  const text = catalogTypes(catalog);
  if (out === undefined) cli.out(text);
  else await writeFile(resolve(cli.cwd, out), text);
}

/** `plasm catalog types`: declarations by which an embedder's rows are typed (SURF-54). */
function addCatalogTypes(catalog: Command, cli: CliContext): void {
  catalog
    .command("types")
    .description("Print TypeScript declarations of a catalog: rows, keys and arguments.")
    .argument("<dir>", "a catalog")
    .option("--out <file>", "write them into this file")
    .addHelpText("after", "\nExample:\n  $ plasm catalog types catalogs/CATALOG --out catalog.ts")
    .action((dir: string, { out }: { readonly out?: string }) => writeTypes(cli, dir, out));
}

/** `plasm catalog …`: what is done with catalogs themselves. */
export function addCatalog(program: Command, cli: CliContext): void {
  const catalog = program.command("catalog").description("Work on catalogs.");
  addCatalogInit(catalog, cli);
  addCatalogRefresh(catalog, cli);
  addCatalogValidate(catalog, cli);
  addCatalogSchema(catalog, cli);
  addCatalogImport(catalog, cli);
  addCatalogWithdraw(catalog, cli);
  addCatalogShow(catalog, cli);
  addCatalogTypes(catalog, cli);
}

type File = "domain" | "mappings";

/** Both are read on demand: no other command needs them. */
const SCHEMAS: Readonly<Record<File, () => Promise<{ readonly default: unknown }>>> = {
  domain: () => import("@plasm/core/schemas/domain.schema.json", { with: { type: "json" } }),
  mappings: () => import("@plasm/core/schemas/mappings.schema.json", { with: { type: "json" } }),
};

/** `plasm catalog schema`: the JSON Schema that an editor checks and completes a file by (docs/adr/0013). */
function addCatalogSchema(catalog: Command, cli: CliContext): void {
  catalog
    .command("schema")
    .description("Print the JSON Schema of a catalog's file, for editors.")
    .addArgument(new Argument("<file>", "which file").choices(Object.keys(SCHEMAS)))
    .addHelpText("after", "\nExample:\n  $ plasm catalog schema domain")
    .action(async (file: File) => {
      const { default: schema } = await SCHEMAS[file]();
      cli.out(`${JSON.stringify(schema, null, 2)}\n`);
    });
}
