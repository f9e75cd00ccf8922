import type { CatalogSet } from "../../federation/catalog-set.ts";
import { catalogOf } from "../../federation/entity-of.ts";
import { preflightReads } from "../bill/effect-cost.ts";
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
  catalogs: CatalogSet,
  labelOf: (node: string) => string,
): readonly PlannedEffect[] {
  const style: ValueStyle = { quoteAll: false, labelOf, now: null };
  return nodes.flatMap((node) => {
    const called = effectOf(node);
    if (called === null) return [];
    const { body, source } = called;
    const { cgs } = catalogOf(catalogs, body.catalog.entry_id);
    const capability = cgs.capabilities.get(body.capability ?? "");
    const reads = capability === undefined ? [] : preflightReads(capability, body.args);
    const planned = { node: node.id, ...described(body, style), for_each: source };
    return [reads.length === 0 ? planned : { ...planned, reads }];
  });
}

interface CalledEffect {
  readonly body: ForEachBody;
  /** the node of whose rows each has one */
  readonly source: string | null;
}

function effectOf(node: PlanNode): CalledEffect | null {
  switch (node.kind) {
    case "create":
    case "update":
    case "delete":
    case "action":
      return { body: node, source: null };
    case "for_each":
      return node.effect_class === "read" ? null : { body: node.body, source: node.source };
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
