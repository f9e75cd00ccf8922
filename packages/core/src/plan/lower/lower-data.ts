import type { DataRows } from "../../check/typed-program.ts";
import { type Lowering, resultType } from "./lowering.ts";
import { isUnknown, planValue, valueInputs } from "./plan-value.ts";

/** A literal as rows (LANG-046). Null: in error, reported. */
export function lowerData(lowering: Lowering, rows: DataRows): string | null {
  if (isUnknown(rows.value)) return null;
  const value = planValue(lowering, rows.value);
  const result = resultType(lowering.exposure, rows.type);
  const { stage } = rows;
  return lowering.drafts.add(
    { id: "", kind: "data", effect_class: "local", stage, value, result },
    valueInputs(value),
    rows,
  );
}
