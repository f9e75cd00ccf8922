import type { JsonObject } from "@plasm/core";
import { typeName } from "../json-kinds.ts";
import type { NoteUnfit } from "../rows/cell-key.ts";
import type { Row } from "../rows/row.ts";
import { type RowColumn, rowColumn } from "../rows/row-column.ts";
import { sizeOf } from "../value-size.ts";
import type { Engine } from "./engine.ts";
import type { Feed } from "./feed.ts";
import { hydrate } from "./hydrate.ts";
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
  readonly rows: readonly Row[];
  readonly column: (path: Path) => RowColumn;
  readonly unfit: NoteUnfit;
}

function noteUnfit(feed: Feed): NoteUnfit {
  return (column, expected, cell, row) =>
    feed.log.add(
      "cell_unfit",
      `${column}: ${typeName(cell)} is not ${expected}, so it is null`,
      row,
    );
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
  const stopped = await hydrate(engine, feed, wholeBases(rows), names, names);
  const reason = cut ?? stopped?.reason ?? null;
  if (reason !== null) feed.mark(reason);
  const schema = schemaOf(engine, rows);
  return { rows, column: (path) => rowColumn(schema, path), unfit: noteUnfit(feed) };
}

/** What the key of a cell takes in memory while rows are compared, in bytes, besides what stands in it. */
const KEY_MEMORY = 32;

/**
 * What it takes in memory to tell rows apart by columns, or to bring them in order: a key for each cell, which
 * of an object is its text.
 */
export function keysMemory(rows: readonly Row[], columns: readonly RowColumn[]): number {
  let bytes = rows.length * columns.length * KEY_MEMORY;
  for (const { type, read } of columns) {
    if (type.kind !== "json" && type.kind !== "array") continue;
    for (const row of rows) {
      const cell = read(row);
      if (typeof cell === "object" && cell !== null) bytes += sizeOf(cell).bytes;
    }
  }
  return bytes;
}
