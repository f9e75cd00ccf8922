import type { Choices } from "./choices.ts";
import { drawEffects } from "./draw-effects.ts";
import { drawLists } from "./draw-lists.ts";
import { drawRelations, type RelationsOf } from "./draw-relations.ts";
import { collectionOf, rowPath, type Shape } from "./draw-shapes.ts";
import type { Capability, GetCapability, World } from "./model.ts";

function drawGet(choices: Choices, entity: Shape): GetCapability {
  return {
    name: `${entity.name.toLowerCase()}_get`,
    label: "get",
    entity: entity.name,
    kind: "get",
    method: "GET",
    path: rowPath(choices, entity),
    params: [],
    wrapped: choices.chance(20),
    declared: "get",
    answers: "key",
  };
}

/** The row of whoever asks: its path has no variable, so that it answers no key. */
function drawViewer(choices: Choices, entity: Shape): GetCapability | null {
  const row = choices.pickAny(entity.rows);
  if (row === null || !choices.chance(20)) return null;
  const label = choices.pick(["me", "current", "viewer"]);
  return {
    name: `${entity.name.toLowerCase()}_${label}`,
    label,
    entity: entity.name,
    kind: "get",
    method: "GET",
    path: [{ literal: label }, { literal: collectionOf(entity) }],
    params: [],
    wrapped: choices.chance(20),
    declared: choices.chance(50) ? "get" : "singleton",
    answers: { row: row.at },
  };
}

/** Gives entities their capabilities and relations. */
export function drawCapabilities(choices: Choices, id: string, shapes: readonly Shape[]): World {
  const capabilities: Capability[] = [];
  const primary = new Map<string, string | null>();
  const relations: RelationsOf = new Map(shapes.map(({ name }) => [name, []]));
  for (const shape of shapes) {
    const hidden = shape.fields.some((field) => field.detail);
    // A reference that answers leave out is null only where the row's own get leaves it out, too.
    const silent = shape.leavesNullsOut && shape.fields.some(({ type }) => type === "ref");
    const needed = hidden || silent || shape.rows.length === 0;
    if (needed || !choices.chance(15)) capabilities.push(drawGet(choices, shape));
    const viewer = drawViewer(choices, shape);
    if (viewer !== null) capabilities.push(viewer);
    const lists = drawLists(choices, shape, shapes);
    capabilities.push(...lists.lists);
    primary.set(shape.name, lists.primary);
  }
  for (const shape of shapes) {
    const own = shapes.filter(({ catalog }) => catalog === shape.catalog);
    drawRelations(choices, shape, { shapes: own, capabilities, relations });
  }
  for (const shape of shapes) {
    const reads = capabilities.some((capability) => capability.entity === shape.name);
    if (!reads) capabilities.push(drawGet(choices, shape));
    capabilities.push(...drawEffects(choices, shape));
  }
  const entities = shapes.map((shape) => ({
    ...shape,
    description: `one ${shape.name.toLowerCase()} of the register`,
    primary: primary.get(shape.name) ?? null,
    relations: relations.get(shape.name) ?? [],
  }));
  return { id, entities, capabilities, notation: choices.chance(50) ? "symbols" : "names" };
}
