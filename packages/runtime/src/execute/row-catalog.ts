import type { Cgs } from "@plasm/core";
import type { ColumnTypes, Row } from "../rows/row.ts";
import type { Engine } from "./engine.ts";

/** The schema that the columns of these rows are typed by, and their entity; null for plain rows. */
export interface RowSchema {
  readonly cgs: Cgs | null;
  readonly entity: string | null;
  /** types of the columns of rows of no entity */
  readonly types?: ColumnTypes;
}

/** The schema of rows of one node: all are of one entity, or none is (SESS-21). */
export function schemaOf(engine: Engine, rows: readonly Row[]): RowSchema {
  const base = rows.find((row) => row.base !== null)?.base ?? null;
  if (base === null) {
    const types = rows[0]?.types;
    return { cgs: null, entity: null, ...(types === undefined ? {} : { types }) };
  }
  return { cgs: engine.catalog(base.entryId).cgs, entity: base.entity };
}
