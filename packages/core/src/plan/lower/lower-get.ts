import { noGetProblem } from "../../check/reads/list-problems.ts";
import { getsByKey } from "../../check/reads/gets-by-key.ts";
import type { GetRows } from "../../check/typed-program.ts";
import { type Lowering, nodeCatalog, resultType } from "./lowering.ts";
import { argInputs, isUnknown, planArgs } from "./plan-value.ts";

/**
 * One row by its key; the get is chosen when the wanted fields are known (RUN-042). Null: in error,
 * reported.
 */
export function lowerGet(lowering: Lowering, rows: GetRows): string | null {
  const { context, exposure } = lowering;
  if (rows.by === null && getsByKey(context, rows.entity).length === 0) {
    context.found.add(noGetProblem(context, rows));
    return null;
  }
  if ([...rows.key.values(), ...rows.args.values()].some(isUnknown)) return null;
  const key = planArgs(lowering, rows.key);
  const args = planArgs(lowering, rows.args);
  return lowering.drafts.add(
    {
      id: "",
      kind: "get",
      effect_class: "read",
      stage: rows.stage,
      catalog: nodeCatalog(exposure, rows.entity),
      capability: rows.by?.name ?? "",
      key,
      args,
      missing: "error",
      wanted: [],
      result: resultType(exposure, rows.type),
    },
    [...argInputs(key), ...argInputs(args)],
    rows,
  );
}
