import type { PlanValue } from "@plasm/core";
import type { EffectBody, GetNode, ListNode } from "@plasm/core/internal";
import { effectOn, lit } from "./effect-nodes.ts";

type Args = Readonly<Record<string, PlanValue>>;

const CATALOG = { entry_id: "orchard", digest: "sha256:test", entity: "Tree" };

/** A create of a tree. */
export const plant = (args: Args, capability = "tree_create"): EffectBody =>
  effectOn("orchard", "Tree", "create", capability, null, args);

/** An effect on tree 7. */
export const onTree = (kind: EffectBody["kind"], capability: string, args: Args = {}): EffectBody =>
  effectOn("orchard", "Tree", kind, capability, { id: lit(7) }, args);

/** A tree by its id. */
export const tree = (id: number, over: Partial<GetNode> = {}): GetNode => ({
  id: "n1",
  kind: "get",
  effect_class: "read",
  stage: 0,
  catalog: CATALOG,
  capability: "tree_get",
  args: {},
  key: { id: lit(id) },
  missing: "error",
  wanted: [],
  result: { card: "one", entity: "Tree", columns: null },
  ...over,
});

/** All trees. */
export const trees = (over: Partial<ListNode> = {}): ListNode => ({
  id: "n1",
  kind: "query",
  effect_class: "read",
  stage: 0,
  catalog: CATALOG,
  capability: "tree_query",
  args: {},
  filter: null,
  limit: null,
  wanted: [],
  result: { card: "many", entity: "Tree", columns: null },
  ...over,
});
