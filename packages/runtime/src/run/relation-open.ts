import type { Entity, Json, JsonObject } from "@plasm/core";
import type { PlanPred, RelationNode } from "@plasm/core/internal";
import type { EntityRow } from "../decode/entity-row.ts";
import type { RunStop } from "../limits/limits.ts";
import { type Row, wholeRow } from "../rows/row.ts";
import { BatchRows, openBatch } from "./batch-rows.ts";
import type { RunEngine } from "./engine.ts";
import type { Feed } from "./feed.ts";
import { listFrom, type ListState } from "./list-pages.ts";
import { keyRow } from "./hydrate.ts";
import type { RelationSource } from "./relation-bindings.ts";
import { openTargets, type RelationPlan, type Targets } from "./relation-targets.ts";
import { keepMatchingRows, type PredUse } from "./row-filter.ts";
import { resolveArgs, resolveKey, resolvePred } from "./resolve-args.ts";
import { isArray, isObject } from "../base/json-kinds.ts";
import { readAgain } from "./list-sets.ts";
import { type MarkedPlace, withShown } from "./marks.ts";

/** One source row while its related rows are read. */
export interface Following {
  readonly source: EntityRow;
  targets: Targets | null;
  /** rows read and not tested yet */
  untested: readonly Row[];
  /** why those are not tested now */
  stop?: RunStop;
  readonly from: ListState | null;
}

export interface OpenRelation {
  readonly plan: RelationPlan;
  readonly owner: Entity;
  readonly filter: PlanPred | null;
  readonly use: PredUse;
  /** the one source row of an anchored relation */
  readonly anchor: EntityRow | null;
}

/** Fills the holes of a relation node and finds what it follows. Throws RunFailure. */
export async function openRelation(
  engine: RunEngine,
  feed: Feed,
  node: RelationNode,
): Promise<OpenRelation> {
  const catalog = engine.catalog(node.catalog.entry_id);
  const target = catalog.cgs.entities.get(node.catalog.entity);
  const owner = catalog.cgs.entities.get(node.owner);
  if (target === undefined || owner === undefined) throw new Error(`no relation ${node.relation}`);
  const capability = catalog.cgs.capabilities.get(node.capability ?? "");
  const args =
    capability === undefined ? {} : await resolveArgs(engine, feed, capability, node.args);
  const use: PredUse = { engine, feed, cgs: catalog.cgs, entity: target.name };
  const filter = node.filter === null ? null : await resolvePred(node.filter, use);
  const identity =
    node.anchor === undefined ? null : await resolveKey(engine, feed, owner, node.anchor);
  const site = { engine, feed, catalog };
  const list = node.via === "ref" ? openBatch(site, node) : null;
  const batch = list === null ? null : new BatchRows(site, list);
  const whole = engine.whole.has(node.id);
  const plan: RelationPlan = { node, catalog, target, args, whole, batch };
  const anchor = identity === null ? null : keyRow(catalog, owner, identity, {});
  return { plan, owner, filter, use, anchor };
}

/** The node as a cursor keeps it: its values constants. */
export function constantRelation(node: RelationNode, open: OpenRelation): RelationNode {
  const constants = (values: JsonObject): Record<string, { lit: Json }> =>
    Object.fromEntries(Object.entries(values).map(([name, lit]) => [name, { lit }]));
  const key = open.anchor?.identity?.key;
  return {
    ...node,
    args: constants(open.plan.args),
    filter: open.filter,
    ...(key === undefined ? {} : { anchor: constants(key) }),
  };
}

/** One step of one source row: related rows that pass the node's filter. Throws RunFailure, RunStop. */
export async function followStep(
  engine: RunEngine,
  feed: Feed,
  open: OpenRelation,
  following: Following,
): Promise<readonly Row[]> {
  const { plan, owner, filter, use } = open;
  if (following.stop !== undefined) throw following.stop;
  const relation = owner.relations.get(plan.node.relation);
  const source: RelationSource = { engine, feed, row: following.source, owner, relation };
  following.targets ??= await openTargets(plan, source, following.from);
  if (following.untested.length === 0) {
    following.untested = (await following.targets.next()).map(wholeRow);
  }
  const batch = following.untested;
  if (filter === null) {
    following.untested = [];
    return batch;
  }
  const { passing, tested, stop } = await keepMatchingRows(filter, batch, use, plan.node.wanted);
  following.untested = batch.slice(tested);
  if (stop !== null) following.stop = stop;
  return passing;
}

/** Whether a source row has no more related rows to test. */
export const isFollowed = ({ targets, untested }: Following): boolean =>
  targets?.ended === true && untested.length === 0;

/** Where reading the targets of one source row goes on. */
export interface RestoredList {
  readonly list: ListState;
  /** what that row is known by, where it is known */
  readonly of: string | null;
}

/** What a relation's saved state says of the source row it was at. */
export function restoredList(state: JsonObject | null): RestoredList | null {
  const list = state?.["list"] ?? null;
  const of = state?.["of"];
  return list === null ? null : { list: listFrom(list), of: typeof of === "string" ? of : null };
}

/** What a source row is known by when it comes again. */
export const sourceName = ({ identity }: EntityRow): string | null => identity?.text ?? null;

/**
 * The state in which a source row's targets are read again from a marked place (PLAN-083); `state` is
 * the present one, at the source row of index `present`.
 */
export function followedAgain(
  state: JsonObject,
  { place, given }: MarkedPlace,
  present: number,
): JsonObject {
  const { source, list, of = null } = place;
  const bare = given.filter((name) => name === null);
  const seen = isArray(state["seen"]) ? state["seen"] : [];
  const now = source === present ? state : {};
  return {
    attempted: Number(source),
    ...withShown(place, bare),
    seen: seen.slice(0, Number(place["seen"]) + given.length - bare.length),
    list: isObject(list) ? (readAgain(now, list)["list"] ?? null) : null,
    of,
  };
}
