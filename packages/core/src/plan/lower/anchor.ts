import { knownIdentity } from "../../check/reads/row-identity.ts";
import type { RelationRows, TypedKey } from "../../check/typed-program.ts";

/**
 * The key of the source row, if that is all the relation needs of it: then the source is not read
 * (PLAN-002). Null if its rows are needed.
 */
export function anchorOf(rows: RelationRows): TypedKey | null {
  const key = knownIdentity(rows.source);
  if (key === null) return null;
  const { reading } = rows;
  switch (reading.via) {
    case "from_parent_get":
    case "view":
      return null;
    case "ref":
      return key.has(rows.relation) ? key : null;
    case "query_scoped":
    case "query_scoped_bindings":
    case "get_scoped_bindings": {
      const known = [...reading.bindings.values()].every(
        (field) => field === null || key.has(field),
      );
      return known ? key : null;
    }
  }
}
