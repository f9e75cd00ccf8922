import { entityId, type EntityKey } from "../catalog/federation.ts";
import type { NameUse, TypePlace } from "./row.ts";
import { isChosen, slotsOfList, type TypeRef } from "./list-choice.ts";
import type { Capability } from "../model/model.ts";
import { type Cell, joinCells } from "./cell.ts";
import { callCodes, type Code, entityCell, placed } from "./call-cells.ts";
import type { EntityFacts } from "./entity-facts.ts";
import { namesAnotherRow } from "../mapping/open-lists.ts";
import { ruleTexts } from "./contract.ts";
import type { Scene } from "./notation.ts";
import { namedShapes } from "./value-shapes.ts";

/** One name at one place, with the type it has there: that of its first use, if uses differ. */
export interface PlacedName {
  readonly name: string;
  readonly place: TypePlace;
  readonly types: readonly TypeRef[];
  readonly description: string;
}

/** A place as text that no other place has. */
function placeId(place: TypePlace): string {
  if (place.kind !== "argument") return `${entityId(place.entity)}\u0000${place.kind}`;
  const { method } = place;
  return `${entityId(method)}\u0000argument\u0000${method.label}`;
}

/** A name at a place as text that nothing else has. */
export function placedId(place: TypePlace, name: string): string {
  return `${placeId(place)}\u0000${name}`;
}

/** The entity a place belongs to. */
export function placeEntity(place: TypePlace): EntityKey {
  return place.kind === "argument" ? place.method : place.entity;
}

const ORDER: readonly TypePlace["kind"][] = ["field", "condition", "argument"];

/**
 * The uses of one entity's rows, one per name and place: fields first, then conditions, then arguments in row
 * order. An argument is the use of its name, before members of others that are called so.
 */
export function placedNames(entryId: string, uses: readonly NameUse[]): readonly PlacedName[] {
  const found = new Map<string, PlacedName>();
  const shallow = uses.toSorted((a, b) => depth(a) - depth(b));
  for (const kind of ORDER) {
    for (const { place, name, input, description } of shallow) {
      const id = placedId(place, name);
      if (place.kind !== kind || found.has(id)) continue;
      found.set(id, { name, place, types: [{ entryId, input }], description });
    }
  }
  return [...found.values()];
}

const depth = ({ path }: NameUse): number => path.split(".").length;

/**
 * A query or search as code: `e1{p5=$}`, `e1~$`; by its label if the choice of RUN-110 would not take
 * it from the slots shown (TEACH-17).
 */
export function listCodes(scene: Scene, facts: EntityFacts, list: Capability): readonly Code[] {
  const rivals = facts.all.filter(({ kind }) => kind === list.kind);
  const { text, required, optional } = slotsOfList(facts.catalog, list);
  // Given the key, the entity's name reads the row of that key (LANG-027).
  const isGet =
    facts.byKey.length > 0 && required.some((slot) => namesAnotherRow(facts.catalog, list, slot));
  if (isGet || !isChosen(facts.catalog, list, rivals, facts.defaults)) {
    return callCodes(scene, facts, list);
  }
  const source: Cell =
    text === null
      ? entityCell(scene, facts.key)
      : [...entityCell(scene, facts.key), "~", { hole: "$", sample: '"x"' }];
  const shapes = namedShapes(scene, facts.key.entryId, [...required, ...optional], "=");
  return shapes.map((shape) => ({
    left: [...source, ...braces(shape.items)],
    whole: null,
    opt: shape.opt,
    rules: ruleTexts(scene.spell, list, shape.uses),
    uses: placed(shape.uses, { kind: "condition", entity: facts.key }),
  }));
}

function braces(items: readonly Cell[]): Cell {
  return items.length === 0 ? [] : ["{", ...joinCells(items, ", "), "}"];
}
