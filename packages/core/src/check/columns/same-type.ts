import { canonicalJson } from "../../hash/canonical-json.ts";
import type { ColumnType } from "../row-type.ts";

/** Whether two types are the same, of the same catalog if they are references. */
export function sameType(a: ColumnType, b: ColumnType): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
