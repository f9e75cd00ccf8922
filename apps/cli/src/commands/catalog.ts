import { Argument, type Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { addCatalogImport, addCatalogWithdraw } from "./catalog-import.ts";
import { addCatalogInit } from "./catalog-init.ts";
import { addCatalogRefresh } from "./catalog-refresh.ts";
import { addCatalogShow } from "./catalog-show.ts";
import { addCatalogTypes } from "./catalog-types.ts";
import { addCatalogValidate } from "./catalog-validate.ts";

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
