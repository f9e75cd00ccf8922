import type { PlanValue, ValueType } from "@plasm/core";
import { type ColumnTypes, pathType } from "../rows/row.ts";
import type { Engine } from "./engine.ts";
import type { DeriveNode } from "./node-types.ts";
import { type RowSchema, schemaOf } from "./row-catalog.ts";
import { wordType } from "./word-type.ts";

/** The type of a value that is a cell; null for any other. */
function cellType(engine: Engine, value: PlanValue, source: RowSchema): ValueType | null {
  if ("row" in value && value.row.length > 0) {
    return pathType(source.cgs, source.entity, value.row, source.types);
  }
  if (!("from" in value) || value.path.length === 0) return null;
  const { cgs, entity, types } = schemaOf(engine, engine.feedOf(value.from).rows);
  return pathType(cgs, entity, value.path, types);
}

/**
 * The types of derived columns: of cells those of their own columns, which say more than a plan's
 * words, of anything else what the plan says.
 */
export function derivedTypes(engine: Engine, node: DeriveNode, source: RowSchema): ColumnTypes {
  const words = new Map(node.result.columns ?? []);
  return new Map(
    node.columns.map(([name, value]) => [
      name,
      cellType(engine, value, source) ?? wordType(words.get(name) ?? "json"),
    ]),
  );
}
