import { chooseGet } from "../check/reads/gets-by-key.ts";
import { navigation, type RelationReading } from "../check/relations/relation-reading.ts";
import type { EntityKey } from "../federation/entity-key.ts";
import type { Capability } from "../schema/capability.ts";
import { keyParts } from "../schema/key-parts.ts";
import type { Relation } from "../schema/relation.ts";
import { compareCodePoints } from "../text/compare-code-points.ts";
import { receiverCode, withStep, type Code } from "./call-cells.ts";
import { noteText, TEXT_LIMITS } from "./clean-text.ts";
import type { EntityFacts } from "./entity-facts.ts";
import { listCodes } from "./list-codes.ts";
import type { ExecutableRow } from "./row.ts";
import type { Scene, Untaught, UntaughtReason } from "./scene.ts";

export interface RelationRows {
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
): RelationRows {
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
  return {
    kind: "relation",
    entity: key,
    capability: called?.name ?? null,
    relation: relation.name,
    ...withStep(from, [`.${scene.spell.step(relation.name)}`]),
    result: { kind: "rows", card: from.many ? "many" : relation.cardinality, entity: target },
    name: relation.name,
    opt: [],
    note: noteText(relation.description, relation.name, TEXT_LIMITS.relation),
    uses: from.uses,
  };
}

/** The capability that reads the relation's rows, or null where they come with the parent's row. */
function calledBy(scene: Scene, reading: RelationReading, target: EntityKey): Capability | null {
  if (!("capability" in reading) && reading.via !== "ref") return null;
  return reading.via === "ref" ? chooseGet(scene.rules, target, []) : reading.capability;
}

function needsBindings({ via }: RelationReading): boolean {
  return via === "query_scoped_bindings" || via === "get_scoped_bindings";
}

/** Whether the key of the parent is all that must be known of it. */
function isByKey(reading: RelationReading, { entity }: EntityFacts): boolean {
  if (!("bindings" in reading)) return false;
  const key = keyParts(entity);
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

/** The row a relation starts from: by key, or the rows of a list where the key alone does not do. */
function parentCode(
  scene: Scene,
  facts: EntityFacts,
  byKey: boolean,
): (Code & { readonly many: boolean }) | null {
  if (byKey || facts.keyed !== null) return { ...receiverCode(scene, facts), many: false };
  const list: Capability | undefined = facts.queries[0] ?? facts.searches[0];
  const code = list === undefined ? undefined : listCodes(scene, facts, list)[0];
  return code === undefined ? null : { ...code, many: true };
}
