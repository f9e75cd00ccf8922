import type { ForEachBody, PlanNode } from "../node.ts";
import type { PlannedEffect } from "../plan.ts";
import type { PlanValue } from "../value.ts";
import { cut, showNamed, showValue, type ValueStyle } from "./show-value.ts";

/**
 * The effects of a plan in plan order, each with its catalog, capability, target and arguments; values
 * that come from other nodes are shown as references, long ones cut (OPS-37, PLAN-040).
 */
export function plannedEffects(
  nodes: readonly PlanNode[],
  labelOf: (node: string) => string,
): readonly PlannedEffect[] {
  const style: ValueStyle = { quoteAll: false, labelOf, now: null };
  return nodes.flatMap((node) => {
    const planned = plannedEffect(node, style);
    return planned === null ? [] : [planned];
  });
}

function plannedEffect(node: PlanNode, style: ValueStyle): PlannedEffect | null {
  switch (node.kind) {
    case "create":
    case "update":
    case "delete":
    case "action":
      return { node: node.id, ...described(node, style), for_each: null };
    case "for_each":
      if (node.effect_class === "read") return null;
      return { node: node.id, ...described(node.body, style), for_each: node.source };
    case "query":
    case "search":
    case "get":
    case "relation":
    case "join":
    case "compute":
    case "data":
    case "derive":
      return null;
  }
}

function described(body: ForEachBody, style: ValueStyle) {
  const target = "target" in body ? Object.entries(body.target) : [];
  const [only, ...others] = target;
  const args = Object.entries(body.args).map(([name, value]) => [name, plainText(value, style)]);
  return {
    catalog: body.catalog.entry_id,
    capability: body.capability ?? "",
    target:
      only === undefined
        ? null
        : others.length === 0
          ? plainText(only[1], style)
          : showNamed(Object.fromEntries(target), style).join(", "),
    args: Object.fromEntries(args) as Readonly<Record<string, string>>,
  };
}

/** Text as it is, other values as a program writes them. */
function plainText(value: PlanValue, style: ValueStyle): string {
  const isText = "lit" in value && typeof value.lit === "string";
  return isText ? cut(String(value.lit)) : showValue(value, style);
}
