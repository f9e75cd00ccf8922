import { type GroupKey, groupKey, keyText } from "./sort-key.ts";
import type { Json, ValueType } from "./value-type.ts";

/** What the two columns of a pair are compared as. */
export type PairedAs = "number" | "text" | "date" | "boolean" | "key" | "json";

const MOMENT: ValueType = Object.freeze({ kind: "date", format: "rfc3339" });
const JSON_TYPE: ValueType = Object.freeze({ kind: "json" });

/**
 * The key by which a cell meets cells of the other side: numbers by their exact value, dates by their moment,
 * references by their key, text as it is (LANG-091). Null, which meets nothing, for null and for what does not fit.
 */
export function pairKey(
  cell: Json | undefined,
  type: ValueType,
  pairedAs: PairedAs,
): GroupKey | null {
  if (cell === undefined || cell === null) return null;
  switch (pairedAs) {
    case "key":
      return keyText(cell);
    case "json":
      return groupKey(cell, JSON_TYPE);
    case "date":
      return groupKey(cell, type.kind === "date" ? type : MOMENT);
    case "number":
    case "text":
    case "boolean":
      return groupKey(cell, type);
  }
}
