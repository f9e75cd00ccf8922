import { resolve } from "node:path";
import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.ts";
import { EXIT, usageError } from "../cli-error.ts";
import { addSourceOptions, type ServedSource } from "../sources/source-options.ts";

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
export function addCatalogValidate(catalog: Command, cli: CliContext): void {
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
