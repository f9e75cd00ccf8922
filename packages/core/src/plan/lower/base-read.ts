import type { ForEachBody, PlanNode } from "../node.ts";

/** The node, or the body of a node per row, that rows come from: steps that keep rows are passed over. */
export function baseRead(
  id: string,
  node: (id: string) => PlanNode | undefined,
): PlanNode | ForEachBody | null {
  let at = node(id);
  while (at?.kind === "compute" || at?.kind === "join") at = node(at.source);
  if (at === undefined) return null;
  return at.kind === "for_each" ? at.body : at;
}
