import type { EntityKey } from "../../federation/entity-key.ts";
import type { ValueType } from "../../values/value-type.ts";
import type { CheckContext } from "../check-context.ts";
import { keyTypes } from "../type-text.ts";
import type { Rows, TypedKey, TypedValue } from "../typed-program.ts";
import { knownIdentity } from "./row-identity.ts";

/**
 * The key of the one row something is called on: as written, so that the row is not fetched first
 * (LANG-025, PLAN-002), or the identity of the row it turns out to be.
 */
export function keyOfRow(
  context: CheckContext,
  entity: EntityKey,
  rows: Rows,
  kind: "rows" | "cursor",
): TypedKey {
  const known = kind === "rows" ? knownIdentity(rows) : null;
  if (known !== null) return known;
  const { entryId, entity: target } = entity;
  const cell = (path: readonly string[], type: ValueType): TypedValue =>
    kind === "cursor"
      ? { kind: "cursor", path, type: { entryId, type } }
      : { kind: "hole", rows, path, type: { entryId, type }, many: false };
  const parts = keyTypes(context.exposure, entryId, target);
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) {
    return new Map([[only[0], cell([], { kind: "entity_ref", target })]]);
  }
  return new Map(parts.map(([part, type]) => [part, cell([part], type)]));
}
