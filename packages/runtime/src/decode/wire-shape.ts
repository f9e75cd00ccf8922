import type { Entity, Field, Materialize, Relation } from "@plasm/core";

/** A relation whose rows stand in the row itself, under a path (RUN-037). */
export type EmbeddedRelation = Pick<
  Extract<Materialize, { kind: "from_parent_get" }>,
  "path" | "keyInto" | "valueInto"
> & { readonly relation: Relation };

/** What of an entity the wire form of its rows may hold, each kind by itself. */
export interface WireShape {
  readonly fields: readonly Field[];
  /** relations whose target is read from the row itself (RUN-036) */
  readonly references: readonly Relation[];
  readonly embedded: readonly EmbeddedRelation[];
}

/** Whether a relation's target is read from the row itself (RUN-036). */
export function isReferenceRelation(relation: Relation): boolean {
  return relation.cardinality === "one" && relation.materialize === undefined;
}

function readShape({ fields, relations }: Entity): WireShape {
  const all = [...relations.values()];
  return {
    fields: [...fields.values()],
    references: all.filter(isReferenceRelation),
    embedded: all.flatMap((relation) => {
      const rule = relation.materialize;
      return rule?.kind === "from_parent_get" ? [{ ...rule, relation }] : [];
    }),
  };
}

const shapes = new WeakMap<Entity, WireShape>();

/** The shape of an entity's rows; it is frozen, and every row asks. */
export function wireShape(entity: Entity): WireShape {
  const known = shapes.get(entity);
  if (known !== undefined) return known;
  const shape = readShape(entity);
  shapes.set(entity, shape);
  return shape;
}
