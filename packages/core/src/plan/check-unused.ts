import type { CheckContext } from "../check/check-context.ts";
import type { Rows, TypedProgram } from "../check/typed-program.ts";
import { lowerRows } from "./lower/lower-rows.ts";
import { reachable } from "./lower/rows-graph.ts";

/**
 * Checks what no root needs: it is never run, but its errors refuse the program (PLAN-002). Each label
 * that nothing uses is checked as if it were the only result.
 */
export function checkUnused(context: CheckContext, program: TypedProgram): void {
  const seen = new Set<Rows>(
    reachable([...program.effects, ...program.roots.map(({ rows }) => rows)]),
  );
  for (const { label, rows } of program.bindings.toReversed()) {
    if (seen.has(rows) || context.labels.isUsed(label)) continue;
    lowerRows(context, [rows]);
    for (const each of reachable([rows])) seen.add(each);
  }
}
