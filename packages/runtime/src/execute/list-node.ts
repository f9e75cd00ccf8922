import { type Json, type JsonObject, type Pred, viewOf } from "@plasm/core";
import type { EntityRow } from "../decode/entity-row.ts";
import type { Call } from "../request/environment.ts";
import { type Row, wholeRow } from "../rows/row.ts";
import { argumentSets } from "./argument-sets.ts";
import type { Engine } from "./engine.ts";
import type { Demand, Feed, ReadStep, RowReader } from "./feed.ts";
import { type ListSets, openListSets } from "./list-sets.ts";
import type { ListNode } from "./node-types.ts";
import { resolveArgs } from "./resolve-args.ts";
import type { PredUse } from "./pred-use.ts";
import { resolvePred } from "./resolve-pred.ts";
import { BATCH, batchSize, filterRows } from "./row-filter.ts";

interface Open {
  readonly args: JsonObject;
  readonly filter: Pred | null;
  readonly use: PredUse;
  readonly pages: ListSets;
}

/** The node as a cursor keeps it: its values constants. */
function constantNode(node: ListNode, args: JsonObject, filter: Pred | null): ListNode {
  const values = Object.entries(args).map(([name, lit]) => [name, { lit }] as const);
  return { ...node, args: Object.fromEntries(values), filter };
}

/** What is asked of the list beyond its arguments, as plain JSON (RUN-014). */
function askedOf({ wanted }: ListNode, filter: Pred | null): NonNullable<Call["asked"]> {
  const json = filter === null ? {} : { filter: JSON.parse(JSON.stringify(filter)) as Json };
  return { projection: wanted, ...json };
}

async function openNode(
  engine: Engine,
  feed: Feed,
  node: ListNode,
  state: JsonObject | null,
): Promise<Open> {
  const catalog = engine.catalog(node.catalog.entry_id);
  const capability = catalog.cgs.capabilities.get(node.capability);
  if (capability === undefined) throw new Error(`no capability ${node.capability}`);
  const args = await resolveArgs(engine, feed, capability, node.args);
  const use: PredUse = { engine, feed, cgs: catalog.cgs, entity: node.catalog.entity };
  const filter = node.filter === null ? null : await resolvePred(node.filter, use);
  const asked = askedOf(node, filter);
  const call = { catalog, capability, args, anchor: {}, ambient: {}, asked };
  const sets = argumentSets(capability, args, engine.budget.limits.fan_out);
  const pages = openListSets({ engine, feed, call }, sets, state);
  return { args, filter, use, pages };
}

/** A view makes its row of all that it reads: if a budget cut that, it is made anew (PLAN-080). */
function isView(engine: Engine, { catalog: { entry_id: entryId }, capability }: ListNode): boolean {
  return viewOf(engine.catalog(entryId), { name: capability }) !== null;
}

/** Reads a query or search: page by page, tested locally, up to its limit (RUN-076, RUN-112). */
export function listNode(
  engine: Engine,
  feed: Feed,
  node: ListNode,
  state: JsonObject | null,
): RowReader {
  let opening: Promise<Open> | null = null;
  let open: Open | null = null;
  let untested: Row[] = [];
  let given = typeof state?.["given"] === "number" ? state["given"] : 0;
  const limit = node.limit ?? Number.POSITIVE_INFINITY;

  const take = async (from: Open, demand: Demand): Promise<readonly Row[]> => {
    if (untested.length === 0) untested = (await from.pages.next()).map(wholeRow);
    const { filter } = from;
    if (filter === null) return untested.splice(0);
    // As many rows as are missing must be tested in any case; more might be completed for nothing.
    const missing = limit - given;
    const most = demand === "all" ? missing : Math.min(missing, BATCH);
    const batch = untested.slice(0, batchSize(untested, filter, most));
    const passing = await filterRows(filter, batch, from.use, node.wanted);
    untested = untested.slice(batch.length);
    return passing;
  };

  return {
    sources: [],
    whole: isView(engine, node),
    async read(_have, demand): Promise<ReadStep> {
      opening ??= openNode(engine, feed, node, state);
      open = await opening;
      const passing = await take(open, demand);
      const rows = passing.slice(0, limit - given);
      given += rows.length;
      const ended = given >= limit || (open.pages.ended && untested.length === 0);
      return { rows, ended };
    },
    save() {
      // Not read since it was restored: it stands where it stood.
      if (open === null) return state === null ? null : { node, state };
      const bases = untested.flatMap(({ base }): EntityRow[] => (base === null ? [] : [base]));
      const place = open.pages.save(bases);
      return { node: constantNode(node, open.args, open.filter), state: { given, ...place } };
    },
  };
}
