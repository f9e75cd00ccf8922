import { openCatalog } from "@plasm/core";
import { readFixtureCatalog } from "@plasm/testkit";
import type { RegisteredCatalog } from "../src/ports.ts";

/** A catalog of the language specification, as a registry has it. */
export function fixtureEntry(name: Parameters<typeof readFixtureCatalog>[0]): RegisteredCatalog {
  const { entryId, domain, mappings } = readFixtureCatalog(name);
  const { catalog } = openCatalog({
    entryId,
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (catalog === null || catalog.dropped !== undefined) throw new Error(`${name} does not open`);
  return { catalog, domain, mappings, credentials: true };
}
