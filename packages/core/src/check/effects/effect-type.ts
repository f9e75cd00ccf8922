import type { EntityKey } from "../../federation/entity-key.ts";
import { catalogOf } from "../../federation/entity-of.ts";
import { callResult } from "../../mapping/call-result.ts";
import type { Capability } from "../../schema/capability.ts";
import type { Exposure } from "../../symbols/exposure.ts";
import { type Column, entityRows, type RowType } from "../row-type.ts";

const OK: Column = { name: "ok", type: { entryId: null, type: { kind: "boolean" } } };

/**
 * The rows of an effect (LANG-060, LANG-075, RUN-040): those the API answers with, open ones for free
 * output, else `{ok: true}` with the reference of the row it was called on. `written` is the call.
 */
export function effectType(
  exposure: Exposure,
  entity: EntityKey,
  capability: Capability,
  target: EntityKey | null,
  written: string,
): RowType {
  const result = callResult(catalogOf(exposure.catalogs, entity.entryId), capability);
  switch (result.kind) {
    case "rows":
      return entityRows({ entryId: entity.entryId, entity: result.entity }, result.card);
    case "open":
      return noEntity([], true, written);
    case "nothing":
      return target === null
        ? noEntity([OK], false, written)
        : { ...entityRows(target, "one"), columns: [OK] };
  }
}

function noEntity(columns: readonly Column[], open: boolean, written: string): RowType {
  return { card: "one", entity: null, columns, open, removedBy: null, lostBy: written };
}
