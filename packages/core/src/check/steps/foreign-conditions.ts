import { DiagnosticCollector } from "../../diagnostics/collector.ts";
import type { Pred } from "../../language/ast-predicates.ts";
import type { CheckContext } from "../check-context.ts";
import { predPaths } from "../columns/joined-rows.ts";
import { type Join, joinsOf } from "../columns/joins.ts";
import { rebasedPred } from "../conditions/rebase-pred.ts";
import { readConditions } from "../conditions/read-pred.ts";
import { entityRows } from "../row-type.ts";
import type { ForeignCondition, Rows, TypedPred } from "../typed-program.ts";

/** A condition as it was written and as it was understood. */
export interface WrittenCondition {
  readonly written: Pred;
  readonly typed: TypedPred;
}

/** The reference whose row all columns of a condition are fields of; null if there is no such one. */
function referenceOf(context: CheckContext, source: Rows, pred: TypedPred): Join | null {
  const paths = predPaths(pred);
  const joins = paths.map((path) => joinsOf(context, source.type, path));
  const [join] = joins[0] ?? [];
  if (join === undefined || join.path.length > 1 || join.reading.via !== "ref") return null;
  const [name] = join.path;
  const isOwn = joins.every((each) => each.length === 1 && each[0]?.path[0] === name);
  return isOwn ? join : null;
}

/** The conditions on whole rows that a list of the referenced entity might take (RUN-114). */
export function foreignConditions(
  context: CheckContext,
  source: Rows,
  conditions: readonly WrittenCondition[],
): readonly ForeignCondition[] {
  if (source.type.columns !== null) return [];
  return conditions.flatMap(({ written, typed }): readonly ForeignCondition[] => {
    const join = referenceOf(context, source, typed);
    const [name] = join?.path ?? [];
    if (join === null || name === undefined) return [];
    // What is wrong with the condition was reported where it was read first.
    const found = new DiagnosticCollector();
    const { target } = join;
    const and = {
      kind: "And",
      items: [rebasedPred(context, written)],
      span: written.span,
    } as const;
    const read = readConditions({ ...context, found, notes: [] }, entityRows(target, "many"), and);
    return found.size > 0 ? [] : [{ pred: typed, name, target, rebased: read }];
  });
}
