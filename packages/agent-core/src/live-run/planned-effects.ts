import {
  type CatalogSet,
  type Json,
  keyText,
  type Plan,
  type PlanNode,
  type PlanValue,
} from "@plasm/core";
import type { RunEffect } from "../records/run-effect.ts";

type ForEachBody = Extract<PlanNode, { kind: "for_each" }>["body"];

/** What is read here of an effect's request. */
interface Body {
  readonly kind: RunEffect["kind"];
  readonly catalog: { readonly entry_id: string; readonly entity: string };
  readonly capability: string;
  readonly target?: Readonly<Record<string, PlanValue>>;
}

function requestOf(node: PlanNode | ForEachBody): Body | null {
  switch (node.kind) {
    case "create":
    case "update":
    case "delete":
    case "action":
      return node;
    default:
      return null;
  }
}

/** The request of an effect node, or of the effect that a node has per row; null for anything else. */
const bodyOf = (node: PlanNode): Body | null =>
  requestOf(node.kind === "for_each" ? node.body : node);

/** Identity text of a key that the program holds whole (RUN-046). */
function targetOf({ catalog, target }: Body): string | null {
  if (target === undefined) return null;
  const key: Record<string, Json> = {};
  for (const [name, value] of Object.entries(target)) {
    if (!("lit" in value)) return null;
    key[name] = value.lit;
  }
  return `${catalog.entity}:${keyText(key)}`;
}

/** Every effect of a plan in source order, by name: what can be told of it without the plan. */
export function plannedEffects(plan: Plan, catalogs: CatalogSet): readonly RunEffect[] {
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  return plan.topological_order.flatMap((id): readonly RunEffect[] => {
    const node = nodes.get(id);
    const body = node === undefined ? null : bodyOf(node);
    if (node === undefined || body === null) return [];
    const { entry_id: entryId, entity } = body.catalog;
    const { capability } = body;
    const known = catalogs.get(entryId)?.cgs.capabilities.get(capability);
    return [
      {
        node: id,
        kind: body.kind,
        entryId,
        entity,
        capability,
        label: known?.label ?? capability,
        target: targetOf(body),
        span: plan.summary.nodes[id]?.span ?? null,
      },
    ];
  });
}
