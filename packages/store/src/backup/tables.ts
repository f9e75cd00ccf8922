import type { Tables } from "../schema/tables.ts";

/** Every table of the store, in the order in which a backup has them: one that is forgotten does not compile. */
const ALL = {
  records: true,
  counters: true,
  slots: true,
  execute_sessions: true,
  waves: true,
  catalogs: true,
  blobs: true,
} as const satisfies Readonly<Record<keyof Tables, true>>;

export type TableName = keyof Tables;

export const TABLE_NAMES = Object.keys(ALL) as readonly TableName[];

/** Columns of numbers: PostgreSQL gives the large ones as text. */
const NUMBERS: ReadonlySet<string> = new Set([
  "seq",
  "version",
  "aged_from",
  "settled",
  "next",
  "slot",
  "expires_at",
  "ended_at",
  "n",
  "pinned_at",
  "loose_since",
]);

/** A value as a backup has it: bytes as base64 in a list of one. */
export type DumpedValue = string | number | null | readonly [string];

/** Some rows of a table. */
export interface TableRows {
  readonly table: TableName;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly DumpedValue[])[];
}

/** Where a store is: the PostgreSQL of an address, else in a data directory. */
export interface StorePlace {
  readonly dataDir: string;
  readonly url: string | null;
}

/** Rows that are read and written at a time; of blobs, each of which may be large, few. */
export const portionOf = (table: TableName): number => (table === "blobs" ? 4 : 200);

export function dumped(column: string, value: unknown): DumpedValue {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return [Buffer.from(value).toString("base64")];
  if (NUMBERS.has(column)) return Number(value);
  if (typeof value === "string") return value;
  throw new Error(`A row of the store has what no row should: ${typeof value} in ${column}`);
}

export const loaded = (value: DumpedValue): string | number | null | Buffer =>
  typeof value === "object" && value !== null ? Buffer.from(value[0], "base64") : value;

/** What a fresh store may have of its own. */
export const OWN_KIND = "sweep";

/** What a table of a data directory or of PostgreSQL is named in a statement. */
export const columnName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
