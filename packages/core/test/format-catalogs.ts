import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fixtureCatalogsDir } from "@plasm/testkit";
import type { CatalogSource } from "../src/catalog/load-catalog.ts";

const formats = join(fixtureCatalogsDir(), "../formats");

function source(directory: string, name: string): CatalogSource {
  const read = (file: string): string => readFileSync(join(directory, file), "utf8");
  const entryId = name.replace(/\.yaml$/, "");
  const functions = ["sign_body"];
  if (entryId !== name) return { entryId, functions, domain: { file: name, text: read(name) } };
  const files = { domain: "domain.yaml", mappings: "mappings.yaml" };
  return {
    entryId,
    functions,
    domain: { file: files.domain, text: read(join(name, files.domain)) },
    mappings: { file: files.mappings, text: read(join(name, files.mappings)) },
  };
}

const sourcesIn = (directory: string): readonly CatalogSource[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith(".yaml") || existsSync(join(directory, name, "domain.yaml")))
    .map((name) => source(directory, name));

/** The catalogs that together use every key and word of both formats, and those that run. */
export const formatCatalogs = (): readonly CatalogSource[] => [
  ...sourcesIn(formats),
  ...sourcesIn(fixtureCatalogsDir()),
];
