import type { Sort } from "../../language/ast-steps.ts";
import type { CheckContext } from "../check-context.ts";
import { joinedRows } from "../columns/joined-rows.ts";
import { readColumn } from "../columns/read-column.ts";
import type { Rows } from "../typed-program.ts";
import { checkComparable } from "./comparable.ts";

/** `.sort(…)`: a stable order by columns, nulls last (LANG-065). */
export function sortRows(context: CheckContext, source: Rows, step: Sort): Rows {
  const keys = step.keys.map((key) => {
    const column = readColumn(context, source.type, key.path);
    if (column.ok) checkComparable(context, source, key.path, column, "sorted");
    return { path: column.path, desc: key.desc };
  });
  const { type } = source;
  const paths = keys.map(({ path }) => path);
  const joined = joinedRows(context, source, paths);
  return { kind: "sort", stage: context.stage, span: step.span, type, source: joined, keys };
}
