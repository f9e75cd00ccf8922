import type { CheckContext } from "../../check/check-context.ts";
import { sendableLists } from "../../check/conditions/name-condition.ts";
import { sentBy } from "../../check/conditions/read-condition.ts";
import { chooseList, conjuncts, keyedRead } from "../../check/reads/choose-list.ts";
import { isFaulty, listsOnly } from "../../check/reads/list-candidates.ts";
import { type ColumnType, entityRows, keyTypes, slotType } from "../../check/types.ts";
import type {
  TypedCondition,
  FilterRows,
  ForeignCondition,
  ListRows,
  RelationRows,
  Rows,
  Sendable,
  TypedKey,
  TypedPred,
  TypedValue,
} from "../../check/typed-program.ts";
import { holeFits } from "../../check/values/template-text.ts";
import type { EntityKey } from "../../catalog/federation.ts";
import { compareCodePoints } from "../../base/text.ts";
import { knownIdentity } from "../../check/reads/row-identity.ts";

/** A list of a referenced entity with its conditions: its identities are sent to another list. */
export interface ForeignRead {
  readonly head: ListRows;
  readonly top: FilterRows;
}

/** What is sent in place of conditions on referenced entities, and what is left of all (RUN-114). */
export interface SemiJoins {
  readonly foreign: readonly ForeignRead[];
  readonly sent: readonly TypedCondition[];
  readonly rest: readonly TypedPred[];
}

/**
 * Finds the references of which identities can be sent: the referenced entity has a list that takes
 * some of the conditions on it, and the list that all conditions choose takes the reference.
 * References are tried in order of their names, so that spelling does not matter (PLAN-003).
 */
export function semiJoins(
  context: CheckContext,
  head: ListRows,
  own: readonly TypedPred[],
  filters: readonly FilterRows[],
): SemiJoins {
  const groups = new Map<string, ForeignCondition[]>();
  for (const each of filters.flatMap(({ foreign }) => foreign ?? [])) {
    groups.set(each.name, [...(groups.get(each.name) ?? []), each]);
  }
  const foreign: ForeignRead[] = [];
  const sent: TypedCondition[] = [];
  const used = new Set<TypedPred>();
  for (const [, group] of [...groups].toSorted(([a], [b]) => compareCodePoints(a, b))) {
    const [first] = group;
    if (first === undefined) continue;
    const conditions = group.map(({ rebased }) => rebased);
    const read = foreignRead(context, head, first.target, conditions);
    const condition = read === null ? null : memberCondition(context, head, first, read.top);
    if (read === null || condition === null) continue;
    if (!isSent(context, head, [...own, ...sent], condition)) continue;
    foreign.push(read);
    sent.push(condition);
    for (const { pred } of group) used.add(pred);
  }
  const all = filters.flatMap(({ pred }) => conjuncts(pred));
  return { foreign, sent, rest: all.filter((pred) => !used.has(pred)) };
}

/** Whether the list that all conditions choose is sent this one. */
function isSent(
  context: CheckContext,
  head: ListRows,
  conditions: readonly TypedPred[],
  condition: TypedPred,
): boolean {
  const all = [...conditions, condition];
  if (all.some(isFaulty) || keyedRead(context, head, all) !== null) return false;
  const { search, args } = head;
  const question = { conditions: all, search, args, anchored: new Set<string>() };
  const choice = chooseList(context, head.entity, question, head.by);
  return choice.kind === "chosen" && !choice.list.local.includes(condition);
}

/** The list of the referenced entity with conditions, if it is sent any of them. */
function foreignRead(
  context: CheckContext,
  source: ListRows,
  target: EntityKey,
  conditions: readonly TypedPred[],
): ForeignRead | null {
  const { stage, span } = source;
  const type = entityRows(target, "many");
  const head: ListRows = {
    kind: "list",
    stage,
    span,
    type,
    entity: target,
    search: null,
    by: null,
    args: new Map(),
    nameSpan: span,
  };
  const asked = conditions.flatMap(conjuncts);
  if (asked.some(isFaulty) || keyedRead(context, head, asked) !== null) return null;
  const question = {
    conditions: asked,
    search: null,
    args: new Map(),
    anchored: new Set<string>(),
  };
  const choice = chooseList(context, target, question, null);
  const isSent = choice.kind === "chosen" && choice.list.bounded && choice.list.args.size > 0;
  if (!isSent) return null;
  // Rows that it leaves out are referred to as well.
  const { capability, args } = choice.list;
  if (listsOnly(capability, (name) => args.has(name)).size > 0) return null;
  const pred = { kind: "and", items: asked } as const;
  const top = { kind: "filter", stage, span, type, source: head, pred, overJoin: false } as const;
  return { head, top };
}

/** `ref in foreign`, where some list of the source can be sent it. */
function memberCondition(
  context: CheckContext,
  head: ListRows,
  { name, target }: Pick<ForeignCondition, "name" | "target">,
  foreign: Rows,
): TypedCondition | null {
  const { entryId } = head.entity;
  const identities = identitiesOf(context, target, foreign);
  const sendable = new Map<string, Sendable>();
  for (const { capability, slots } of sendableLists(context, head.entity)) {
    const slot = slots.get(name);
    const by = slot === undefined ? null : sentBy("in", slot, true);
    if (slot === undefined || by === null || identities.kind !== "hole") continue;
    const type: ColumnType = { entryId, type: slotType(slot) };
    if (!holeFits(context.exposure, identities.type, type)) continue;
    sendable.set(capability.name, { by, value: identities, rechecked: false });
  }
  if (sendable.size === 0) return null;
  const { span, nameSpan } = head;
  const tested = identities;
  return {
    kind: "condition",
    path: [name],
    op: "in",
    column: null,
    tested,
    sendable,
    span,
    nameSpan,
  };
}

/** The identities of rows as a column: the only key part, else the rows' references. */
function identitiesOf(context: CheckContext, target: EntityKey, rows: Rows): TypedValue {
  const { entryId, entity } = target;
  const [only, ...others] = keyTypes(context.exposure, entryId, entity);
  if (only !== undefined && others.length === 0) {
    const [part, type] = only;
    return { kind: "hole", rows, path: [part], type: { entryId, type }, many: true };
  }
  const type: ColumnType = { entryId, type: { kind: "entity_ref", target: entity } };
  return { kind: "hole", rows, path: [], type, many: true };
}

/**
 * The key of the source row, if that is all the relation needs of it: then the source is not read
 * (PLAN-002). Null if its rows are needed.
 */
export function anchorOf(rows: RelationRows): TypedKey | null {
  const key = knownIdentity(rows.source);
  if (key === null) return null;
  const { reading } = rows;
  switch (reading.via) {
    case "from_parent_get":
    case "view":
      return null;
    case "ref":
      return key.has(rows.relation) ? key : null;
    case "query_scoped":
    case "query_scoped_bindings":
    case "get_scoped_bindings": {
      const known = [...reading.bindings.values()].every(
        (field) => field === null || key.has(field),
      );
      return known ? key : null;
    }
  }
}
