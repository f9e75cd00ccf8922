import type { Rows, TypedKey, TypedValue } from "../typed-program.ts";
import type { EntityKey } from "../../catalog/federation.ts";
import type { ValueType } from "../../values/value-type.ts";
import type { CheckContext } from "../check-context.ts";
import { keyTypes } from "../types.ts";

/**
 * The key of the one row that rows hold, if it is known without reading them: consumers that need only
 * the identity carry it and the row is not read (PLAN-002). Null if the row must be read, be it only to
 * know whether it is there.
 */
export function knownIdentity(rows: Rows): TypedKey | null {
  let at = rows;
  for (;;) {
    switch (at.kind) {
      case "get":
        return at.key.size === 0 ? null : at.key;
      case "limit":
      case "page_size":
      case "sort":
      case "project":
      case "singleton":
      case "distinct":
      case "join":
        at = at.source;
        break;
      case "aggregate":
      case "group_by":
      case "pair":
      case "render":
      case "derive":
      case "for_each":
      case "effect":
      case "data":
      case "list":
      case "filter":
      case "relation":
        return null;
    }
  }
}

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
