import type { EntityRow } from "./entity-row.ts";

/** Whether a field, one-relation or embedded relation of a row is known, null included (RUN-035). */
export function isKnown(row: EntityRow, name: string): boolean {
  return row.fields.has(name) || row.references.has(name) || row.edges.has(name);
}

/** Fills what a row does not know from another of the same identity; known values stay (RUN-002). */
export function fillUnknown(row: EntityRow, from: EntityRow): void {
  for (const [name, value] of from.fields) if (!row.fields.has(name)) row.fields.set(name, value);
  for (const [name, reference] of from.references) {
    if (!row.references.has(name)) row.references.set(name, reference);
  }
  for (const [name, rows] of from.edges) if (!row.edges.has(name)) row.edges.set(name, rows);
  for (const get of from.loadedBy) row.loadedBy.add(get);
}
