import type { PlanValue } from "@plasm/core";
import type { EffectBody, EffectNode, ForEachBody, ForEachNode } from "@plasm/core/internal";

type Args = Readonly<Record<string, PlanValue>>;
type Kind = EffectNode["kind"];

/** A constant. */
export const lit = (value: Extract<PlanValue, { lit: unknown }>["lit"]): PlanValue => ({
  lit: value,
});

/** A cell of another node's first row. */
export const from = (node: string, ...path: readonly string[]): PlanValue => ({
  from: node,
  path,
  type: "str",
  many: false,
});

/** A cell of the row a for_each is at. */
export const row = (...path: readonly string[]): PlanValue => ({ row: path, type: "str" });

/** The body of an effect on rows of an entity; `target` is the key, or null. */
export function effectOn(
  entry: string,
  entity: string,
  kind: Kind,
  capability: string,
  target: Args | null,
  args: Args,
): EffectBody {
  const catalog = { entry_id: entry, digest: "sha256:test", entity };
  const common = { catalog, capability, args };
  return kind === "create" ? { kind, ...common } : { kind, ...common, target: target ?? {} };
}

/** The body of an effect on quay's boats; `target` is a boat's id, a value, or null. */
export function effect(
  kind: Kind,
  target: string | PlanValue | null,
  args: Args = {},
  capability: string = kind,
): EffectBody {
  const id = typeof target === "string" ? lit(target) : target;
  return effectOn("quay", "Boat", kind, `boat_${capability}`, id === null ? null : { id }, args);
}

/** An effect as a node of a stage. */
export function effectNode(id: string, stage: number, body: EffectBody): EffectNode {
  return {
    id,
    stage,
    effect_class: body.kind === "action" ? "side_effect" : "write",
    result: { card: "one", entity: body.catalog.entity, columns: null },
    ...body,
  };
}

/** A body per row of a node. */
export function forEach(id: string, stage: number, source: string, body: ForEachBody): ForEachNode {
  return {
    id,
    kind: "for_each",
    stage,
    source,
    body,
    effect_class: "side_effect",
    result: { card: "many", entity: body.catalog.entity, columns: null },
  };
}
