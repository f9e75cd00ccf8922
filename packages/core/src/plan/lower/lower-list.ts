import {
  type KeyedConditions,
  chooseList,
  conjuncts,
  keyedRead,
} from "../../check/reads/choose-list.ts";
import { getsByKey } from "../../check/reads/gets-by-key.ts";
import { type ListCandidate, isFaulty } from "../../check/reads/list-candidates.ts";
import { listProblems, noGetProblem } from "../../check/reads/list-problems.ts";
import type { GetRows, ListRows } from "../../check/typed-program.ts";
import { entityRows } from "../../check/types.ts";
import { COUNTED, isCountable } from "./api-count.ts";
import { orderArguments } from "./api-order.ts";
import { type Fused, NOTHING_SENT } from "./fuse.ts";
import { joinedNode } from "./lower-block.ts";
import {
  areTestable,
  computeNode,
  filterNode,
  planPred,
  predInputs,
  testsLeftOutRows,
} from "./lower-compute.ts";
import { type Lowering, nodeCatalog, resultType } from "./lowering.ts";
import { argInputs, distinctPreds, isUnknown, lacksValue, planArgs } from "./plan-value.ts";

/**
 * A list read with its conditions and limit, or the get that its conditions are (LANG-027). Null: in
 * error, reported.
 */
export function lowerList(lowering: Lowering, fused: Fused, head: ListRows): string | null {
  const { context } = lowering;
  if (fused.conditions.some(isFaulty)) return null;
  if (!areTestable(lowering, fused.top, fused.rest) || fused.rest.some(lacksValue)) return null;
  for (const { head: from, top } of fused.foreign) {
    const conditions = conjuncts(top.pred);
    const read = { head: from, top, steps: [from, top], conditions, limit: null, ...NOTHING_SENT };
    const id = lowerList(lowering, read, from);
    if (id === null) return null;
    lowering.put(top, id);
  }
  const conditions = distinctPreds(lowering, fused.conditions);
  const keyed = keyedRead(context, head, conditions);
  if (keyed !== null) {
    return lacksValues(fused, head) ? null : lowerKeyed(lowering, fused, head, keyed);
  }
  const { search, args } = head;
  const question = { conditions, search, args, anchored: new Set<string>() };
  const choice = chooseList(context, head.entity, question, head.by);
  if (choice.kind !== "chosen") {
    for (const problem of listProblems(context, head, choice)) context.found.add(problem);
    return null;
  }
  if (lacksValues(fused, head)) return null;
  const list = listNode(lowering, fused, head, choice.list);
  if (testsLeftOutRows(lowering, fused.top, list, fused.rest)) return null;
  const joined = joinedNode(lowering, fused.joins, list, head.type.card);
  if (joined === null) return null;
  return filterNode(lowering, fused.top, joined, head.stage, fused.rest);
}

function lacksValues(fused: Fused, head: ListRows): boolean {
  const values = [head.search, ...head.args.values()];
  if (values.some((value) => value !== null && isUnknown(value))) return true;
  return fused.conditions.some(lacksValue);
}

function listNode(lowering: Lowering, fused: Fused, head: ListRows, list: ListCandidate): string {
  const { exposure, drafts } = lowering;
  const order = fused.first && orderArguments(lowering.context, head, list, fused.first);
  if (fused.first !== null && order !== null)
    lowering.putFirst(fused.first.sort, fused.first.first);
  const args = { ...planArgs(lowering, list.args), ...order };
  const filter = planPred(lowering, list.local);
  const { capability, bounded, each } = list;
  const counted = fused.count !== null && isCountable(lowering.context, head.entity, list);
  if (counted) lowering.putCounted(fused.count);
  return drafts.add(
    {
      id: "",
      kind: capability.kind === "search" ? "search" : "query",
      effect_class: "read",
      stage: head.stage,
      catalog: nodeCatalog(exposure, head.entity),
      capability: capability.name,
      args,
      filter,
      limit: fused.limit,
      wanted: [],
      ...(counted ? COUNTED : { result: resultType(exposure, fused.top.type) }),
    },
    [...argInputs(args), ...predInputs(filter)],
    fused.top,
    { bounded, each, bindings: [] },
  );
}

/** The get of LANG-027: a missing row gives no row, further conditions are tested on what there is. */
function lowerKeyed(
  lowering: Lowering,
  fused: Fused,
  head: ListRows,
  keyed: KeyedConditions,
): string {
  const { exposure, drafts } = lowering;
  const key = planArgs(lowering, keyed.key);
  const type = entityRows(head.entity, keyed.each ? "many" : "opt");
  const get = drafts.add(
    {
      id: "",
      kind: "get",
      effect_class: "read",
      stage: head.stage,
      catalog: nodeCatalog(exposure, head.entity),
      capability: "",
      key,
      args: {},
      missing: "empty",
      wanted: [],
      result: resultType(exposure, type),
    },
    argInputs(key),
    fused.top,
    keyed.each ? { bounded: true, each: Object.keys(key)[0] ?? null, bindings: [] } : null,
  );
  const filtered = filterNode(lowering, fused.top, get, head.stage, keyed.rest);
  if (fused.limit === null) return filtered;
  return computeNode(lowering, fused.top, filtered, head.stage, { limit: fused.limit });
}

/**
 * One row by its key; the get is chosen when the wanted fields are known (RUN-042). Null: in error,
 * reported.
 */
export function lowerGet(lowering: Lowering, rows: GetRows): string | null {
  const { context, exposure } = lowering;
  if (rows.by === null && getsByKey(context, rows.entity).length === 0) {
    context.found.add(noGetProblem(context, rows));
    return null;
  }
  if ([...rows.key.values(), ...rows.args.values()].some(isUnknown)) return null;
  const key = planArgs(lowering, rows.key);
  const args = planArgs(lowering, rows.args);
  return lowering.drafts.add(
    {
      id: "",
      kind: "get",
      effect_class: "read",
      stage: rows.stage,
      catalog: nodeCatalog(exposure, rows.entity),
      capability: rows.by?.name ?? "",
      key,
      args,
      missing: "error",
      wanted: [],
      result: resultType(exposure, rows.type),
    },
    [...argInputs(key), ...argInputs(args)],
    rows,
  );
}
