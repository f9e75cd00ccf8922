import { groupBy } from "../group-by.ts";
import type { CapabilityDraft } from "./capability-draft.ts";
import type { EntityDraft } from "./entity-draft.ts";
import type { EntityFields } from "./entity-fields.ts";
import { RARE_ARGUMENTS, rareObjects } from "./rare-arguments.ts";
import { rareLinks, rareMethods, rareValues } from "./rare-rows.ts";
import { type TableDraft, tableSize } from "./table-size.ts";

/** What the rows of an entity may take, in characters: with the contract some 1,500 tokens. */
const ROOM = 2_600;

/** Where even a table alone would take 1,500 tokens. */
const WIDE = 4_300;

export interface MarkedCatalog {
  readonly capabilities: readonly CapabilityDraft[];
  readonly fields: ReadonlyMap<EntityDraft, EntityFields>;
}

/**
 * Marks what tables leave out (`detail`), entity by entity, where the table of one would take too much; in this order,
 * until it fits: arguments, links, methods of deeper paths, and, where the table alone is too large, arguments that are
 * objects, values that nothing asks for, and the other methods (ADR 0251). What the name of an entity and its key lead
 * to, and how a row is made, changed and removed, stays.
 */
export function markRare(
  capabilities: readonly CapabilityDraft[],
  fields: ReadonlyMap<EntityDraft, EntityFields>,
): MarkedCatalog {
  const marked = new Map<CapabilityDraft, CapabilityDraft>();
  const shown = new Map(fields);
  for (const [entity, own] of groupBy(capabilities, (one) => one.entity)) {
    const known = fields.get(entity) ?? { fields: [], held: [] };
    const table = fitted({ columns: known.fields, capabilities: own }, entity);
    own.forEach((one, at) => marked.set(one, table.capabilities[at] ?? one));
    if (fields.has(entity)) shown.set(entity, { ...known, fields: table.columns });
  }
  return { capabilities: capabilities.map((one) => marked.get(one) ?? one), fields: shown };
}

function fitted(given: TableDraft, { key }: EntityDraft): TableDraft {
  const keys = new Set(key.map(({ name }) => name));
  let table = given;
  for (const step of RARE_ARGUMENTS) {
    if (tableSize(table) <= ROOM) return table;
    table = step(table);
  }
  if (tableSize(table) > ROOM) table = rareLinks(table, keys);
  table = rareMethods(table, ROOM, "of deeper paths");
  if (tableSize(table) > WIDE) table = rareObjects(table);
  table = rareValues(table, { room: WIDE, kept: 16, keys });
  table = rareMethods(table, WIDE, "all");
  return rareValues(table, { room: WIDE, kept: 8, keys });
}
