import type { DeriveRows } from "../../check/typed-program.ts";
import type { PlanValue } from "../value.ts";
import { type Lowering, resultType } from "./lowering.ts";
import { isUnknown, planValue, valueInputs } from "./plan-value.ts";

/** One new row per row (LANG-071). Null: in error, reported. */
export function lowerDerive(lowering: Lowering, rows: DeriveRows): string | null {
  if (rows.columns.some(([, value]) => isUnknown(value))) return null;
  const columns = rows.columns.map(([name, value]): readonly [string, PlanValue] => [
    name,
    planValue(lowering, value),
  ]);
  const source = lowering.idOf(rows.source);
  return lowering.drafts.add(
    {
      id: "",
      kind: "derive",
      effect_class: "local",
      stage: rows.stage,
      source,
      columns,
      result: resultType(lowering.exposure, rows.type),
    },
    [source, ...columns.flatMap(([, value]) => valueInputs(value))],
    rows,
  );
}
