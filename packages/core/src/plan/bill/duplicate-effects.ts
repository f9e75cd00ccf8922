import { canonicalJson } from "../../hash/canonical-json.ts";
import type { PlanNode } from "../node.ts";
import { isEffect } from "./make-bill.ts";

/** Effects that are equal to an earlier one, with that one's id: each of them is sent (LANG-074). */
export function duplicateEffects(
  nodes: readonly PlanNode[],
): readonly { readonly node: PlanNode; readonly first: string }[] {
  const known = new Map<string, string>();
  return nodes.filter(isEffect).flatMap((node) => {
    const { id, stage: _, ...fact } = node;
    const text = canonicalJson(fact);
    const first = known.get(text);
    if (first !== undefined) return [{ node, first }];
    known.set(text, id);
    return [];
  });
}
