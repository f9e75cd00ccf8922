import type { Cgs } from "@plasm/core";
import type { ColumnTypes } from "../rows/row.ts";
import type { Rows } from "../rows/row-list.ts";
import type { Engine } from "./engine.ts";

/** The schema that the columns of these rows are typed by, and their entity; null for plain rows. */
export interface RowSchema {
  readonly cgs: Cgs | null;
  readonly entity: string | null;
  /** types of the columns of rows of no entity */
  readonly types?: ColumnTypes;
}

/** The schema of rows of one node: all are of one entity, or none is (SESS-21). */
export function schemaOf(engine: Engine, rows: Rows): RowSchema {
  for (const { base } of rows) {
    if (base !== null) return { cgs: engine.catalog(base.entryId).cgs, entity: base.entity };
  }
  const types = rows.at(0)?.types;
  return { cgs: null, entity: null, ...(types === undefined ? {} : { types }) };
}
