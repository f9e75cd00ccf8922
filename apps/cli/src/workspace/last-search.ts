import { join } from "node:path";
import { hasTexts, readJsonFile, writeJsonFile } from "./json-file.ts";

/** An entity that a search found. */
export interface FoundEntity {
  readonly api: string;
  readonly entity: string;
}

/** What was searched for last, and what was found (SURF-21). */
export interface LastSearch {
  readonly server: string;
  readonly intent: string;
  readonly options: readonly FoundEntity[];
}

const pathOf = (workspace: string): string => join(workspace, "search.json");

const isSearch = (value: unknown): value is LastSearch =>
  hasTexts(value, ["server", "intent"]) &&
  "options" in value &&
  Array.isArray(value.options) &&
  value.options.every((option: unknown) => hasTexts(option, ["api", "entity"]));

/** The last search on a server; null if there is none. Throws CliError. */
export async function readSearch(workspace: string, server: string): Promise<LastSearch | null> {
  const search = await readJsonFile(pathOf(workspace), isSearch);
  return search?.server === server ? search : null;
}

export const writeSearch = (workspace: string, search: LastSearch): Promise<void> =>
  writeJsonFile(pathOf(workspace), search);
