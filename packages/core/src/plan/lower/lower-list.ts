import { chooseList } from "../../check/reads/choose-list.ts";
import { queryParameters } from "../../check/reads/query-parameters.ts";
import { getsByKey } from "../../check/reads/gets-by-key.ts";
import { type KeyedConditions, keyedConditions } from "../../check/reads/keyed-conditions.ts";
import { isFaulty, isTestable, type ListCandidate } from "../../check/reads/list-candidates.ts";
import { listProblems } from "../../check/reads/list-problems.ts";
import type { ListRows, TypedPred } from "../../check/typed-program.ts";
import { entityRows } from "../../check/row-type.ts";
import { entityOf } from "../../federation/entity-of.ts";
import { keyParts } from "../../schema/key-parts.ts";
import { distinctPreds } from "./distinct-preds.ts";
import type { Fused } from "./fuse.ts";
import { computeNode, filterNode } from "./lower-compute.ts";
import { type Lowering, nodeCatalog, resultType } from "./lowering.ts";
import { planPred, predInputs } from "./plan-pred.ts";
import { argInputs, isUnknown, lacksValue, planArgs } from "./plan-value.ts";

/**
 * A list read with its conditions and limit, or the get that its conditions are (LANG-027). Null: in
 * error, reported.
 */
export function lowerList(lowering: Lowering, fused: Fused, head: ListRows): string | null {
  const { context } = lowering;
  if (fused.conditions.some(isFaulty)) return null;
  const conditions = distinctPreds(lowering, fused.conditions);
  const keyed = keyedGet(lowering, head, conditions);
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
  return lacksValues(fused, head) ? null : listNode(lowering, fused, head, choice.list);
}

function lacksValues(fused: Fused, head: ListRows): boolean {
  const values = [head.search, ...head.args.values()];
  if (values.some((value) => value !== null && isUnknown(value))) return true;
  return fused.conditions.some(lacksValue);
}

function listNode(lowering: Lowering, fused: Fused, head: ListRows, list: ListCandidate): string {
  const { exposure, drafts } = lowering;
  const args = planArgs(lowering, list.args);
  const filter = planPred(lowering, list.local);
  const { capability, bounded, each } = list;
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
      result: resultType(exposure, fused.top.type),
    },
    [...argInputs(args), ...predInputs(filter)],
    fused.top,
    { bounded, each, bindings: [] },
  );
}

/**
 * Conditions that are exactly the key on an entity with a get, none of them a parameter of its lists,
 * and otherwise only what can be tested on the row (LANG-027).
 */
function keyedGet(
  lowering: Lowering,
  head: ListRows,
  conditions: readonly TypedPred[],
): KeyedConditions | null {
  if (head.search !== null || head.by !== null) return null;
  const { context, exposure } = lowering;
  const parts = keyParts(entityOf(exposure.catalogs, head.entity));
  const keyed = keyedConditions(parts, conditions);
  if (keyed === null || !keyed.rest.every(isTestable)) return null;
  if (getsByKey(context, head.entity).length === 0) return null;
  const parameters = queryParameters(context, head.entity);
  return parts.some((part) => parameters.has(part)) ? null : keyed;
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
