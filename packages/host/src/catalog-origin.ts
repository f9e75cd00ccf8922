import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CatalogOrigin, catalogOrigin } from "@plasm/agent-core/internal";

/** The file that an import keeps beside a catalog (`plasm catalog init`). */
const RECORD = "import.json";

/** Returns what a catalog was made of, as its import kept it; null where nothing was kept, or nothing that can be read. */
export async function readOrigin(directory: string): Promise<CatalogOrigin | null> {
  try {
    return catalogOrigin(JSON.parse(await readFile(join(directory, RECORD), "utf8")));
  } catch {
    return null;
  }
}
