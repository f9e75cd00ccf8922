import type { EntityKey } from "../federation/entity-key.ts";
import type { Capability } from "../schema/capability.ts";
import type { Relation } from "../schema/relation.ts";
import { compareCodePoints } from "../text/compare-code-points.ts";
import { keyedCode, type Code } from "./call-cells.ts";
import { noteText, TEXT_LIMITS } from "./clean-text.ts";
import type { EntityFacts } from "./entity-facts.ts";
import { listCodes } from "./list-codes.ts";
import { relationSource, type RelationSource } from "./relation-source.ts";
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
  const source = relationSource(facts.catalog, facts.entity, relation);
  if (source === null || (source.bound && !scene.features.boundRelations)) return "not_plannable";
  const target = { entryId: facts.key.entryId, entity: relation.target };
  const reason = source.capability === null ? null : scene.standing(target, source.capability);
  if (reason !== null) return reason;
  const from = parentCode(scene, facts, source);
  if (from === null) return "not_plannable";
  const card = from.many ? "many" : relation.cardinality;
  return {
    kind: "relation",
    entity: facts.key,
    capability: source.capability?.name ?? null,
    relation: relation.name,
    left: [...from.left, `.${scene.spell.step(relation.name)}`],
    result: { kind: "rows", card, entity: target },
    name: relation.name,
    opt: [],
    note: noteText(relation.description, relation.name, TEXT_LIMITS.relation),
    uses: from.uses,
  };
}

/** The row a relation starts from: by key, or the rows of a list where the key alone does not do. */
function parentCode(
  scene: Scene,
  facts: EntityFacts,
  source: RelationSource,
): (Code & { readonly many: boolean }) | null {
  if (source.byKey || facts.keyed !== null) return { ...keyedCode(scene, facts), many: false };
  const list: Capability | undefined = facts.queries[0] ?? facts.searches[0];
  const code = list === undefined ? undefined : listCodes(scene, facts, list)[0];
  return code === undefined ? null : { ...code, many: true };
}
