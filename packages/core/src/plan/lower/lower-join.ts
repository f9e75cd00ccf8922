import type { JoinRows } from "../../check/typed-program.ts";
import { type Lowering, nodeCatalog, resultType } from "./lowering.ts";

/** Fetches the rows of a to-one path; the get of a reference is chosen when it is known what is wanted. */
export function lowerJoin(
  lowering: Lowering,
  rows: JoinRows,
  source: string = lowering.idOf(rows.source),
): string {
  const { exposure, drafts } = lowering;
  const { reading, path } = rows;
  return drafts.add(
    {
      id: "",
      kind: "join",
      effect_class: "read",
      stage: rows.stage,
      catalog: nodeCatalog(exposure, rows.target),
      capability: capabilityOf(reading),
      args: {},
      source,
      path,
      as: path.join("."),
      wanted: [],
      result: resultType(exposure, rows.type),
    },
    [source],
    rows,
  );
}

/** Empty: a get that is chosen later; null: the row is in hand. */
function capabilityOf(reading: JoinRows["reading"]): string | null {
  switch (reading.via) {
    case "ref":
      return "";
    case "from_parent_get":
    case "view":
      return null;
    case "query_scoped":
    case "query_scoped_bindings":
    case "get_scoped_bindings":
      return reading.capability.name;
  }
}
