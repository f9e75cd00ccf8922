import type { Distinct } from "../../language/ast-steps.ts";
import type { CheckContext } from "../check-context.ts";
import { joinedRows } from "../columns/joined-rows.ts";
import { readColumn } from "../columns/read-column.ts";
import type { Rows } from "../typed-program.ts";
import { checkComparable } from "./comparable.ts";
import { reportNotYet } from "./not-yet.ts";

/** `.distinct(…)`: the first row of each combination (LANG-061). Null: reported. */
export function distinctRows(context: CheckContext, source: Rows, step: Distinct): Rows | null {
  if (!context.features.distinct) return reportNotYet(context, "distinct", step.span);
  const paths = step.paths.map((path) => {
    const column = readColumn(context, source.type, path);
    if (column.ok) checkComparable(context, source, path, column, "told apart");
    return column.path;
  });
  const { type } = source;
  const joined = joinedRows(context, source, paths);
  return { kind: "distinct", stage: context.stage, span: step.span, type, source: joined, paths };
}
