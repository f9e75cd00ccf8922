import type { JsonObject } from "@plasm/core";
import { type NoteUnfit, unfitDetail } from "../rows/cell-key.ts";
import { holdRows, type Rows } from "../rows/row-list.ts";
import { type RowColumn, rowColumn } from "../rows/row-column.ts";
import { inSlices } from "../turns.ts";
import { sizeOf } from "../value-size.ts";
import type { Engine } from "./engine.ts";
import type { Feed } from "./feed.ts";
import { hydrate, isWholeAndLacks } from "./hydrate.ts";
import type { ComputeNode } from "./node-types.ts";
import { schemaOf } from "./row-catalog.ts";
import { neededNames, wholeBases } from "./row-filter.ts";

type Path = readonly string[];

/** A step over all rows of its source, and where a cursor left it. */
export interface WholeStep {
  readonly engine: Engine;
  readonly feed: Feed;
  readonly node: ComputeNode;
  readonly source: Feed;
  readonly state: JsonObject | null;
}

/** All rows of a source, and how a step reads them. */
export interface WholeSource {
  readonly rows: Rows;
  readonly column: (path: Path) => RowColumn;
  /** says that a cell counts as null, of which no row is lost */
  readonly unfit: NoteUnfit;
  /** says so of one that what is made of the rows leaves out, which is then not whole (LANG-066) */
  readonly leftOut: NoteUnfit;
}

function noteUnfit(feed: Feed): NoteUnfit {
  return (column, expected, cell, row) =>
    feed.log.add("cell_unfit", unfitDetail(column, expected, cell, "so it is null"), row);
}

/**
 * Reads all rows of a source and hydrates what these paths name (RUN-057). Where a budget cuts that,
 * the step works on the rows in hand, and what it makes of them is marked (LANG-067, PLAN-051).
 * Throws SourceEnded.
 */
export async function wholeSource(
  engine: Engine,
  feed: Feed,
  source: Feed,
  paths: readonly Path[],
): Promise<WholeSource> {
  const cut = await source.needInHand("all");
  const { rows } = source;
  const names = neededNames(paths, rows);
  const holding = holdRows(rows, (row) => isWholeAndLacks(row, names));
  const lacking = await inSlices(holding, engine.pause);
  const stopped = await hydrate(engine, feed, wholeBases(lacking), names, names);
  const reason = cut ?? stopped?.reason ?? null;
  if (reason !== null) feed.mark(reason);
  const schema = schemaOf(engine, rows);
  const unfit = noteUnfit(feed);
  const leftOut: NoteUnfit = (...what) => {
    unfit(...what);
    feed.mark("cell_unfit");
  };
  return { rows, column: (path) => rowColumn(schema, path), unfit, leftOut };
}

/** What the key of a cell takes in memory while rows are compared, in bytes, besides what stands in it. */
const KEY_MEMORY = 32;

/**
 * What it takes in memory to tell rows apart by columns, or to bring them in order: a key for each cell, which
 * of an object is its text.
 */
export function keysMemory(rows: Rows, columns: readonly RowColumn[]): number {
  let bytes = rows.length * columns.length * KEY_MEMORY;
  const open = columns.filter(({ type }) => type.kind === "json" || type.kind === "array");
  if (open.length === 0) return bytes;
  for (const row of rows) {
    for (const { read } of open) {
      const cell = read(row);
      if (typeof cell === "object" && cell !== null) bytes += sizeOf(cell).bytes;
    }
  }
  return bytes;
}
