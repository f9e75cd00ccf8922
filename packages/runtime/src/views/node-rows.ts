import type { EntityRow } from "../decode/entity-row.ts";
import type { Json, JsonObject } from "@plasm/core";
import { referenceCell } from "../decode/row-references.ts";

/** The rows of one node of a view; `cut` says that there are more than a view reads. */
export interface NodeRows {
  readonly rows: readonly EntityRow[];
  readonly cut: boolean;
}

/** The first row's field: null where there is no row, undefined while the row does not know it. */
export function firstField({ rows }: NodeRows, field: string): Json | undefined {
  const [first] = rows;
  return first === undefined ? null : first.fields.get(field);
}

/** A row as templates see it: the fields it knows, references as their keys (RUN-101). */
export function templateRow(row: EntityRow): JsonObject {
  const references = [...row.references].map(
    ([name, reference]) => [name, referenceCell(reference)] as const,
  );
  return Object.fromEntries([...references, ...row.fields]);
}
