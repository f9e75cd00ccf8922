import { openCatalog } from "@plasm/core";
import type { RegisteredCatalog } from "../src/ports.ts";
import { fixtureEntry } from "./fixture-entry.ts";

/** Quay with another text of its domain. */
export function changedQuay(change: (domain: string) => string): RegisteredCatalog {
  const { domain: text, mappings, ...rest } = fixtureEntry("quay");
  const domain = change(text);
  const { catalog } = openCatalog({
    entryId: "quay",
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings ?? "" },
  });
  if (catalog === null || domain === text) throw new Error("it does not open, or is the same");
  return { ...rest, catalog, domain, mappings };
}
