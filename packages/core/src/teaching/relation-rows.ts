import { getByKey } from "../check/reads/gets-by-key.ts";
import { navigation, type RelationReading } from "../check/relations/relation-reading.ts";
import { type EntityKey, entityOf } from "../catalog/federation.ts";
import { sentSlots } from "../mapping/capability-slots.ts";
import type { Catalog } from "../mapping/template.ts";
import type { Capability, Entity, Relation } from "../model/model.ts";
import { canBeSeed, keyParts } from "../model/lookups.ts";
import { compareCodePoints } from "../base/text.ts";
import {
  callCodes,
  type Code,
  columnCell,
  fieldUses,
  placed,
  receiverCode,
  withStep,
} from "./call-cells.ts";
import { type Cell, joinCells } from "./cell.ts";
import { noteText, TEXT_LIMITS } from "./clean-text.ts";
import type { EntityFacts } from "./entity-facts.ts";
import { slotsOfList } from "./list-choice.ts";
import { listCodes } from "./place.ts";
import type { ExecutableRow, NameUse } from "./row.ts";
import type { Scene, Untaught, UntaughtReason } from "./notation.ts";
import { namedShapes } from "./value-shapes.ts";

export interface TaughtRelation {
  readonly rows: readonly ExecutableRow[];
  readonly untaught: readonly Untaught[];
}

/**
 * Row 6 of TEACH-14: the relations of an entity, by name, whose target `isDue` says; one that cannot be
 * followed is untaught as `Entity.relation` (RUN-051).
 */
export function relationRows(
  scene: Scene,
  facts: EntityFacts,
  isDue: (target: EntityKey) => boolean,
): TaughtRelation {
  const rows: ExecutableRow[] = [];
  const untaught: Untaught[] = [];
  const due = [...facts.entity.relations.values()]
    .filter(({ target }) => isDue({ entryId: facts.key.entryId, entity: target }))
    .toSorted((a, b) => compareCodePoints(a.name, b.name));
  for (const relation of due) {
    const row = relationRow(scene, facts, relation);
    if (typeof row !== "string") rows.push(row);
    else untaught.push({ capability: `${facts.key.entity}.${relation.name}`, reason: row });
  }
  return { rows, untaught };
}

/** A relation to an entity that is not exposed: whoever knows of it may seed its target. */
export interface FurtherRelation {
  readonly name: string;
  readonly target: string;
}

/** The relations of an entity that could be followed if their targets were exposed, by name. */
export function furtherRelations(
  { rules }: Scene,
  { key, catalog, entity }: EntityFacts,
  isExposed: (target: EntityKey) => boolean,
): readonly FurtherRelation[] {
  return [...entity.relations.values()]
    .filter(({ name, target }) => {
      if (isExposed({ entryId: key.entryId, entity: target })) return false;
      const found = catalog.cgs.entities.get(target);
      const isSeed = found !== undefined && canBeSeed(catalog.cgs, found);
      return isSeed && (navigation(rules, key, name)?.reading ?? null) !== null;
    })
    .map(({ name, target }) => ({ name, target }))
    .toSorted((a, b) => compareCodePoints(a.name, b.name));
}

function relationRow(
  scene: Scene,
  facts: EntityFacts,
  relation: Relation,
): ExecutableRow | UntaughtReason {
  const { key, catalog } = facts;
  const reading = navigation(scene.rules, key, relation.name)?.reading ?? null;
  const target = { entryId: key.entryId, entity: relation.target };
  if (reading === null) return whyNot(scene, catalog, relation, target);
  const called = calledBy(scene, reading, target);
  const reason = called === null ? null : scene.standing(target, called);
  if (reason !== null) return reason;
  if (needsBindings(reading) && !scene.features.boundRelations) return "not_plannable";
  const from = parentCode(scene, facts, isByKey(reading, facts));
  if (from === null) return "not_plannable";
  const required = requiredConditions(scene, catalog, reading, target);
  if (required === null) return "not_plannable";
  const entity = entityOf(scene.catalogs, target);
  const columns = heldColumns(entity);
  const step = [`.${scene.spell.step(relation.name)}`, ...required.cell];
  return {
    kind: "relation",
    entity: key,
    capability: called?.name ?? null,
    relation: relation.name,
    ...withStep(from, [...step, ...columnCell(scene, columns)]),
    result: { kind: "rows", card: from.many ? "many" : relation.cardinality, entity: target },
    name: relation.name,
    opt: [],
    here: [],
    rules: [],
    needs: "",
    note: noteText(relation.description, relation.name, TEXT_LIMITS.relation),
    uses: [...from.uses, ...required.uses, ...fieldUses({ key: target, entity }, columns)],
  };
}

/** The columns of rows without a key: no other row of a table says what they have (TEACH-15). */
const heldColumns = ({ hasKey, fields }: Entity): readonly string[] =>
  hasKey ? [] : [...fields.keys()].toSorted(compareCodePoints);

/**
 * What the list of a relation requires beyond the row it starts from, as conditions behind the step; null where
 * a condition cannot give it.
 */
function requiredConditions(
  scene: Scene,
  catalog: Catalog,
  reading: RelationReading,
  target: EntityKey,
): { readonly cell: Cell; readonly uses: readonly NameUse[] } | null {
  if (!("capability" in reading) || reading.capability.kind === "get")
    return { cell: [], uses: [] };
  const { capability, bindings } = reading;
  const { text, required } = slotsOfList(catalog, capability);
  const sent = sentSlots(catalog, capability);
  const open = required.filter((slot) => !bindings.has(slot.name));
  const isTextOpen = text?.required === true && !bindings.has(text.name);
  if (isTextOpen || open.some((slot) => !sent.has(slot.name))) return null;
  if (open.length === 0) return { cell: [], uses: [] };
  const [shape] = namedShapes(scene, target.entryId, open, "=");
  return {
    cell: ["{", ...joinCells(shape?.items ?? [], ", "), "}"],
    uses: placed(shape?.uses ?? [], { kind: "condition", entity: target }),
  };
}

/** The capability that reads the relation's rows, or null where they come with the parent's row. */
function calledBy(scene: Scene, reading: RelationReading, target: EntityKey): Capability | null {
  if (!("capability" in reading) && reading.via !== "ref") return null;
  return reading.via === "ref" ? getByKey(scene.rules, target, []) : reading.capability;
}

function needsBindings({ via }: RelationReading): boolean {
  return via === "query_scoped_bindings" || via === "get_scoped_bindings";
}

/** Whether the key of the parent is all that must be known of it. */
function isByKey(reading: RelationReading, { entity }: EntityFacts): boolean {
  if (!("bindings" in reading)) return false;
  const key = keyParts(entity);
  if (key.length === 0) return false;
  return [...reading.bindings.values()].every((field) => field === null || key.includes(field));
}

/** Policy hides a relation whose list it hides; all else cannot be followed at all (RUN-051). */
function whyNot(
  scene: Scene,
  { cgs }: EntityFacts["catalog"],
  { materialize }: Relation,
  target: EntityKey,
): UntaughtReason {
  const named = materialize && "capability" in materialize ? materialize.capability : null;
  const capability = named === null ? undefined : cgs.capabilities.get(named);
  return (capability && scene.standing(target, capability)) ?? "not_plannable";
}

/**
 * The row a relation starts from: by key, or the rows of a list where the key alone does not do, or else the one
 * row that a get without key answers.
 */
function parentCode(
  scene: Scene,
  facts: EntityFacts,
  byKey: boolean,
): (Code & { readonly many: boolean }) | null {
  if (byKey || facts.keyed !== null) return { ...receiverCode(scene, facts), many: false };
  const list: Capability | undefined = facts.queries[0] ?? facts.searches[0];
  if (list !== undefined) {
    const [code] = listCodes(scene, facts, list);
    return code === undefined ? null : { ...code, many: true };
  }
  const [code] = facts.gets.flatMap((get) => callCodes(scene, facts, get));
  return code === undefined ? null : { ...code, many: false };
}
