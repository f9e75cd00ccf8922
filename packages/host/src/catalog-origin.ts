import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CatalogOrigin } from "@plasm/agent-core/internal";
import { clip } from "@plasm/core/internal";

/** The file that an import keeps beside a catalog (`plasm catalog init`). */
const RECORD = "import.json";

const MOST_LINES = 200;
/** Lines may repeat texts of the document, which are as long as their writers like. */
const MOST_SIGNS = 300;

type Record = Readonly<{ [name: string]: unknown }>;

const textIn = (record: Record, name: string): string | null => {
  const value = record[name];
  return typeof value === "string" ? value : null;
};

const countIn = (record: Record, name: string): number | null => {
  const value = record[name];
  return Number.isSafeInteger(value) ? (value as number) : null;
};

/** A source without what may be secret or the machine's own: user, query and directories. */
function shownSource(source: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(source) && URL.canParse(source)) {
    const { origin, host, protocol, pathname } = new URL(source);
    return `${origin === "null" ? `${protocol}//${host}` : origin}${pathname}`;
  }
  return source.split(/[\\/]/).at(-1) ?? source;
}

function originOf(record: Record): CatalogOrigin | null {
  const [source, digest, read] = ["source", "digest", "read"].map((name) => textIn(record, name));
  const [operations, reached] = ["operations", "reached"].map((name) => countIn(record, name));
  const left = Array.isArray(record["left"]) ? record["left"] : [];
  const lines = left.filter((line) => typeof line === "string");
  if (typeof source !== "string" || typeof digest !== "string" || typeof read !== "string")
    return null;
  if (typeof operations !== "number" || typeof reached !== "number") return null;
  return {
    source: shownSource(source),
    digest,
    read_at: read,
    operations,
    reached,
    left_out: lines.slice(0, MOST_LINES).map((line) => clip(line, MOST_SIGNS)),
    omitted: Math.max(0, lines.length - MOST_LINES),
  };
}

/** Returns what a catalog was made of, as its import kept it; null where nothing was kept, or nothing that can be read. */
export async function readOrigin(directory: string): Promise<CatalogOrigin | null> {
  try {
    const value: unknown = JSON.parse(await readFile(join(directory, RECORD), "utf8"));
    return typeof value === "object" && value !== null ? originOf(value as Record) : null;
  } catch {
    return null;
  }
}
