import { catalogOf } from "../../catalog/federation.ts";
import { deniedCapability } from "../../check/access.ts";
import type { CheckContext } from "../../check/check-context.ts";
import { deniedProblem } from "../../check/names/problems.ts";
import { chooseList } from "../../check/reads/choose-list.ts";
import { getsByKey } from "../../check/reads/gets-by-key.ts";
import { type ListCandidate, isFaulty } from "../../check/reads/list-candidates.ts";
import { listProblems } from "../../check/reads/list-problems.ts";
import { unavailableRelation } from "../../check/relations/relation-problem.ts";
import type { RelationRows, TypedArgs, TypedPred } from "../../check/typed-program.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { baseRead } from "../algebra.ts";
import type { RelationNode } from "../ir.ts";
import { COUNTED, isCountable } from "./api-count.ts";
import type { Fused } from "./fuse.ts";
import { areTestable, planPred, predInputs } from "./lower-compute.ts";
import { type Lowering, nodeCatalog, resultType } from "./lowering.ts";
import { argInputs, distinctPreds, isUnknown, lacksValue, planArgs } from "./plan-value.ts";
import { anchorOf } from "./semi-joins.ts";

/**
 * A relation step with the conditions and the limit that reach it; the anchor stays (RUN-053). Null:
 * in error, reported.
 */
export function lowerRelation(lowering: Lowering, fused: Fused, head: RelationRows): string | null {
  if (fused.conditions.some(isFaulty)) return null;
  const { exposure, drafts } = lowering;
  const read = relationRead(lowering, fused, head);
  const known = anchorOf(head);
  if (read === null || fused.conditions.some(lacksValue)) return null;
  if (known !== null && [...known.values()].some(isUnknown)) return null;
  const anchor = known === null ? null : planArgs(lowering, known);
  const source = anchor === null ? lowering.idOf(head.source) : null;
  if (source !== null && lacksRows(lowering, head, source)) {
    lowering.context.found.add(noParentGet(lowering.context, head));
    return null;
  }
  const args = planArgs(lowering, read.args);
  const filter = planPred(lowering, read.local);
  const counted = fused.count !== null && anchor !== null && isCounted(lowering, head, read);
  if (counted) lowering.putCounted(fused.count);
  const node: RelationNode = {
    id: "",
    kind: "relation",
    effect_class: "read",
    stage: head.stage,
    catalog: nodeCatalog(exposure, head.target),
    capability: read.capability,
    args,
    relation: head.relation,
    owner: head.owner.entity,
    via: head.reading.via,
    ...(source === null ? {} : { source }),
    ...(anchor === null ? {} : { anchor }),
    filter,
    limit: fused.limit,
    wanted: [],
    ...(counted ? COUNTED : { result: resultType(exposure, fused.top.type) }),
  };
  const inputs = [
    ...(source === null ? [] : [source]),
    ...(anchor === null ? [] : argInputs(anchor)),
    ...argInputs(args),
    ...predInputs(filter),
  ];
  return drafts.add(node, inputs, fused.top, {
    bounded: true,
    each: null,
    bindings: parentFields(head),
    ...("bindings" in head.reading ? { bound: head.reading.bindings } : {}),
  });
}

/**
 * Whether the rows of a relation are nowhere: what reads its source rows says that it does not fill them,
 * and no get can be asked for them (RUN-050).
 */
export function lacksRows(
  { context, drafts }: Lowering,
  head: RelationRows,
  source: string,
): boolean {
  if (head.reading.via !== "from_parent_get") return false;
  if (getsByKey(context, head.owner).length > 0) return false;
  const read = baseRead(source, (id) => drafts.get(id).node);
  if (read?.kind !== "query" && read?.kind !== "search") return false;
  const { cgs } = catalogOf(context.exposure.catalogs, head.owner.entryId);
  const declared = cgs.capabilities.get(read.capability)?.provides;
  return declared !== undefined && !declared.includes(head.relation);
}

export function noParentGet(context: CheckContext, head: RelationRows): Diagnostic {
  const { owner, relation, target, nameSpan } = head;
  const denied = deniedCapability(context, owner, ["get"]);
  return denied === null
    ? unavailableRelation(context, owner, { name: relation, target }, nameSpan)
    : deniedProblem(context, owner, denied, nameSpan);
}

export interface RelationRead {
  /** null: rows in hand; empty: a get that is chosen when the wanted fields are known */
  readonly capability: string | null;
  /** the list that is read for each row, with what it is sent; null where it is none */
  readonly list: ListCandidate | null;
  readonly args: TypedArgs;
  readonly local: readonly TypedPred[];
}

/** Whether the API may be asked how many rows a relation has (RUN-079). */
export function isCounted(
  { context }: Lowering,
  { target, reading }: RelationRows,
  { list }: RelationRead,
): boolean {
  const anchored = "bindings" in reading ? reading.bindings.keys() : [];
  return list !== null && isCountable(context, target, list, anchored);
}

/** Rows of a get, or in hand: all conditions are tested on them. */
const readByGet = (capability: string | null, local: readonly TypedPred[]): RelationRead => ({
  capability,
  args: new Map(),
  local,
  list: null,
});

/** What of the conditions a relation sends, and what is tested on its rows. Null: in error, reported. */
export function relationRead(
  lowering: Lowering,
  fused: Fused,
  head: RelationRows,
): RelationRead | null {
  const { context } = lowering;
  const { reading } = head;
  const conditions = distinctPreds(lowering, fused.conditions);
  switch (reading.via) {
    case "ref":
    case "from_parent_get":
    case "view":
      if (!areTestable(lowering, fused.top, conditions)) return null;
      return readByGet(reading.via === "ref" ? "" : null, conditions);
    case "get_scoped_bindings":
      if (!areTestable(lowering, fused.top, conditions)) return null;
      return readByGet(reading.capability.name, conditions);
    case "query_scoped":
    case "query_scoped_bindings": {
      const anchored = new Set(reading.bindings.keys());
      const question = { conditions, search: null, args: new Map(), anchored };
      const choice = chooseList(context, head.target, question, reading.capability);
      if (choice.kind === "chosen") {
        const { capability, args, local } = choice.list;
        return { capability: capability.name, args, local, list: choice.list };
      }
      const place = { entity: head.target, nameSpan: head.nameSpan };
      for (const problem of listProblems(context, place, choice)) context.found.add(problem);
      return null;
    }
  }
}

/** The fields of the source row that the relation reads: its bindings, or the reference itself. */
export function parentFields(head: RelationRows): readonly string[] {
  const { reading } = head;
  switch (reading.via) {
    case "ref":
    case "from_parent_get":
    case "view":
      return [head.relation];
    case "query_scoped":
    case "query_scoped_bindings":
    case "get_scoped_bindings":
      return [...reading.bindings.values()].filter((field) => field !== null);
  }
}
