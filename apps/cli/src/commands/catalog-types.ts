import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { EXIT, usageError } from "../cli-error.ts";

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
export function addCatalogTypes(catalog: Command, cli: CliContext): void {
  catalog
    .command("types")
    .description("Print TypeScript declarations of a catalog: rows, keys and arguments.")
    .argument("<dir>", "a catalog")
    .option("--out <file>", "write them into this file")
    .addHelpText("after", "\nExample:\n  $ plasm catalog types catalogs/CATALOG --out catalog.ts")
    .action((dir: string, { out }: { readonly out?: string }) => writeTypes(cli, dir, out));
}
