import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { addCatalogImport } from "./catalog-import.ts";
import { addCatalogInit } from "./catalog-init.ts";
import { addCatalogRefresh } from "./catalog-refresh.ts";
import { addCatalogSchema } from "./catalog-schema.ts";
import { addCatalogShow } from "./catalog-show.ts";
import { addCatalogValidate } from "./catalog-validate.ts";
import { addCatalogWithdraw } from "./catalog-withdraw.ts";

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
}
