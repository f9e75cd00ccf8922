import { DiagnosticCollector } from "../../diagnostics/collector.ts";
import type { EntityKey } from "../../federation/entity-key.ts";
import type { Pred } from "../../language/ast-predicates.ts";
import type { Span } from "../../source/span.ts";
import type { CheckContext } from "../check-context.ts";
import { type Join, joinsOf } from "../columns/joins.ts";
import { listSlots } from "../conditions/condition-names.ts";
import { rebasedPred } from "../conditions/rebase-pred.ts";
import { readConditions } from "../conditions/read-pred.ts";
import { sentBy } from "../conditions/sent-by.ts";
import { chooseList } from "../reads/choose-list.ts";
import { conjuncts } from "../reads/keyed-conditions.ts";
import { keyedRead } from "../reads/keyed-read.ts";
import { type ColumnType, entityRows } from "../row-type.ts";
import { slotType } from "../slot-type.ts";
import { keyTypes } from "../type-text.ts";
import type {
  Condition,
  FilterRows,
  ListRows,
  Rows,
  SemiJoin,
  Sendable,
  TypedPred,
  TypedValue,
} from "../typed-program.ts";
import { predPaths } from "../columns/joined-rows.ts";
import { holeFits } from "../values/hole-fits.ts";

/** A condition as it was written and as it was understood. */
export interface WrittenCondition {
  readonly written: Pred;
  readonly typed: TypedPred;
}

/** The list that rows are read by, if only filters stand between; null for any other rows. */
function listHead(rows: Rows): ListRows | null {
  let at = rows;
  while (at.kind === "filter" || at.kind === "join") at = at.source;
  return at.kind === "list" ? at : null;
}

/** The reference whose row all columns of a condition are fields of; null if there is no such one. */
function referenceOf(context: CheckContext, source: Rows, pred: TypedPred): Join | null {
  const paths = predPaths(pred);
  const joins = paths.map((path) => joinsOf(context, source.type, path));
  const [join] = joins[0] ?? [];
  if (join === undefined || join.path.length > 1 || join.reading.via !== "ref") return null;
  const [name] = join.path;
  const isOwn = joins.every((each) => each.length === 1 && each[0]?.path[0] === name);
  return isOwn ? join : null;
}

/** Conditions on fields of one referenced entity, and what may be sent in their place. */
export interface SemiGroup {
  readonly conditions: readonly WrittenCondition[];
  readonly instead: SemiJoin;
}

/**
 * The conditions of a filter that foreign identities may stand for, by reference (RUN-114): the
 * referenced entity has a list that takes them, and the source list a parameter for the reference.
 */
export function semiGroups(
  context: CheckContext,
  source: Rows,
  conditions: readonly WrittenCondition[],
  span: Span,
): readonly SemiGroup[] {
  const head = listHead(source);
  // In the body of a => there is one read per row; and a get needs no list.
  if (head === null || context.cursor !== null || source.type.columns !== null) return [];
  const groups = new Map<string, { join: Join; conditions: WrittenCondition[] }>();
  for (const each of conditions) {
    const join = referenceOf(context, source, each.typed);
    if (join === null) continue;
    const name = join.path.join(".");
    const group = groups.get(name) ?? { join, conditions: [] };
    groups.set(name, { join, conditions: [...group.conditions, each] });
  }
  return [...groups.values()].flatMap((group) => {
    const foreign = foreignRows(context, group.join.target, group.conditions, span);
    const instead = foreign === null ? null : semiJoin(context, head, group.join, foreign);
    return instead === null ? [] : [{ conditions: group.conditions, instead }];
  });
}

/** The rows of the referenced entity that meet conditions, if some list is sent any of them. */
function foreignRows(
  context: CheckContext,
  target: EntityKey,
  conditions: readonly WrittenCondition[],
  span: Span,
): FilterRows | null {
  // What is wrong with the conditions was reported where they were read first.
  const found = new DiagnosticCollector();
  const scratch: CheckContext = { ...context, found, notes: [] };
  const { stage } = context;
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
  const items = conditions.map(({ written }) => rebasedPred(context, written));
  const pred = readConditions(scratch, type, { kind: "And", items, span });
  if (found.size > 0) return null;
  const asked = conjuncts(pred);
  if (keyedRead(context, head, asked) !== null) return null;
  const question = {
    conditions: asked,
    search: null,
    args: new Map(),
    anchored: new Set<string>(),
  };
  const choice = chooseList(context, target, question, null);
  const isSent = choice.kind === "chosen" && choice.list.bounded && choice.list.args.size > 0;
  return isSent ? { kind: "filter", stage, span, type, source: head, pred } : null;
}

/** `ref in foreign`, where some list of the source can be sent it. */
function semiJoin(
  context: CheckContext,
  head: ListRows,
  { path, target }: Join,
  foreign: Rows,
): SemiJoin | null {
  const [name = ""] = path;
  const { entryId } = head.entity;
  const identities = identitiesOf(context, target, foreign);
  const sendable = new Map<string, Sendable>();
  for (const { capability, slots } of listSlots(context, head.entity)) {
    const slot = slots.get(name);
    const by = slot === undefined ? null : sentBy("in", slot);
    if (slot === undefined || by === null || identities.kind !== "hole") continue;
    const type: ColumnType = { entryId, type: slotType(slot) };
    if (!holeFits(context.exposure, identities.type, type)) continue;
    sendable.set(capability.name, { by, value: identities });
  }
  if (sendable.size === 0) return null;
  const { span } = foreign;
  const place = { span, nameSpan: span } as const;
  const condition: Condition = {
    kind: "condition",
    path,
    op: "in",
    tested: identities,
    sendable,
    ...place,
  };
  return { foreign, condition };
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
