import { clip } from "@plasm/core/internal";
import type { CatalogOrigin } from "../records/sessions.ts";

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

/** Reads what an import kept of the document that it made a catalog of (`import.json`), cut, and without what may be secret; null for anything else. */
export function catalogOrigin(value: unknown): CatalogOrigin | null {
  if (typeof value !== "object" || value === null) return null;
  const record = value as Record;
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
