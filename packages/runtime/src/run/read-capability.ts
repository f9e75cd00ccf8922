import type { Capability, Catalog, Entity, Json, JsonObject, ValueType } from "@plasm/core";
import {
  VIEW_PAGES,
  type View,
  type ViewNode,
  identityNames,
  keyParts,
  pathBindings,
  slotsOf,
  viewOf,
} from "@plasm/core/internal";
import { RunFailure, failure } from "../base/run-failure.ts";
import { type EntityRow, type Identity, makeIdentity } from "../decode/entity-row.ts";
import { firstPage } from "../decode/page-state.ts";
import { RunStop } from "../limits/limits.ts";
import { type BoundValue, runNodes } from "../views/run-view.ts";
import { type NodeRows, viewPlan } from "../views/view-plan.ts";
import { viewRow } from "../views/view-row.ts";
import { viewScope } from "../views/view-scope.ts";
import { requireAskedRow } from "./answered-identity.ts";
import { servedBy } from "./choose-get.ts";
import type { ReadCall, RunEngine } from "./engine.ts";
import { type NodeContext, answeredBy } from "./feed.ts";
import { holeValue } from "./hole-value.ts";
import type { ListPages, ListState, PagePosition } from "./list-pages.ts";
import { openList } from "./list-reader.ts";
import { foreignPages, isForeign, readForeign } from "./read-foreign.ts";
import { callIdentity, readGet } from "./read-get.ts";

/** What a node of a view is called with: an identity where its binds make one, and arguments. */
interface BoundCall {
  readonly capability: Capability;
  readonly args: JsonObject;
  readonly identity: Identity | null;
}

const JSON_TYPE: ValueType = Object.freeze({ kind: "json" });

/** The call of a view's node with the values bound to it, each in its slot's type. Throws RunFailure. */
function boundCall(
  catalog: Catalog,
  view: View,
  node: ViewNode,
  bound: ReadonlyMap<string, BoundValue>,
): BoundCall {
  const capability = catalog.cgs.capabilities.get(node.capability);
  const entity = catalog.cgs.entities.get(capability?.entity ?? "");
  if (capability === undefined || entity === undefined) throw new Error(`no ${node.capability}`);
  const parts = identityParts(catalog, capability, entity);
  const values = new Map<string, Json>();
  for (const [name, each] of bound) {
    const type = boundType(capability, entity, parts.get(name), name);
    values.set(name, boundValue(each, { catalog, view, capability, name, type }));
  }
  const key: Record<string, Json> = {};
  for (const [name, part] of parts) key[part] ??= values.get(name) ?? null;
  const identity = parts.size === 0 ? null : makeIdentity(entity, key);
  const rest = [...values].filter(([name]) => identity === null || !parts.has(name));
  return { capability, identity, args: Object.fromEntries(rest) };
}

/** The names by which a get's binds may give its identity, each with its key part (CAT-122, RUN-011). */
export function identityParts(
  catalog: Catalog,
  capability: Capability,
  entity: Entity,
): ReadonlyMap<string, string> {
  if (!capability.needsIdentity) return new Map();
  const key = keyParts(entity);
  const [only] = key;
  const parts = new Map(key.map((part) => [part, part]));
  if (key.length > 1 || only === undefined) return parts;
  for (const name of identityNames(entity)) parts.set(name, only);
  const template = catalog.cml.get(capability.name);
  if (template === undefined) return parts;
  for (const { variable, source } of pathBindings(catalog, capability, template)) {
    if (source.kind === "identity") parts.set(variable, only);
  }
  return parts;
}

function boundType(
  capability: Capability,
  entity: Entity,
  part: string | undefined,
  name: string,
): ValueType {
  if (part !== undefined) return entity.fields.get(part)?.type ?? JSON_TYPE;
  const slot = slotsOf(capability).find((each) => each.name === name);
  return slot?.input.kind === "value" ? slot.input.type : JSON_TYPE;
}

interface BoundSlot {
  readonly catalog: Catalog;
  readonly view: View;
  readonly capability: Capability;
  readonly name: string;
  readonly type: ValueType;
}

function boundValue({ value, from }: BoundValue, slot: BoundSlot): Json {
  // What the catalog's author wrote is in wire form.
  if (from === null && value === null) return null;
  if (value === null && isNeeded(slot.capability, slot.name)) throw missing(from, slot);
  return holeValue(value, typeOf(from, slot), { name: slot.name, type: slot.type });
}

/** Null would be no condition of a list, and no value of a parameter that is required or not declared. */
function isNeeded(capability: Capability, name: string): boolean {
  if (capability.kind !== "get") return true;
  return slotsOf(capability).find((slot) => slot.name === name)?.required ?? true;
}

function typeOf(from: BoundValue["from"], { catalog, view }: BoundSlot): ValueType {
  if (from === null) return JSON_TYPE;
  if ("scope" in from) return view.scope.find(({ name }) => name === from.scope)?.type ?? JSON_TYPE;
  const name = view.nodes.find(({ id }) => id === from.node)?.capability ?? "";
  const entity = catalog.cgs.capabilities.get(name)?.entity ?? "";
  return catalog.cgs.entities.get(entity)?.fields.get(from.field)?.type ?? JSON_TYPE;
}

function missing(from: BoundValue["from"], { capability, name }: BoundSlot): RunFailure {
  const source = from !== null && "node" in from ? `${from.field} of node ${from.node}` : "a bind";
  return new RunFailure(
    failure(
      "null_value",
      `${name} of ${capability.name} is bound to ${source}, which has no value.`,
      "ask for something that has one",
    ),
  );
}

/** The capabilities of an entity that one view serves. */
function servedByView(catalog: Catalog, view: View): readonly string[] {
  return [...catalog.cgs.capabilities.values()]
    .filter((capability) => viewOf(catalog, capability) === view)
    .map(({ name }) => name);
}

/**
 * Reads one row by a get: one request, or a view's (RUN-031, RUN-100); null if the API has none. Throws
 * RunFailure or RunStop.
 */
export async function readOne(
  engine: RunEngine,
  asking: NodeContext,
  call: ReadCall,
  requested: Identity | null,
): Promise<EntityRow | null> {
  const site = answeredBy(asking, call);
  const view = viewOf(call.catalog, call.capability);
  if (view !== null) return readView(engine, site, call, view, requested);
  const template = call.catalog.cml.get(call.capability.name);
  if (isForeign(template)) return readForeign(engine, site, call, template, requested);
  const served = servedBy(call.catalog, call.capability);
  const identity = requested === null ? null : callIdentity(requested);
  return readGet(engine, site, { ...call, ...served, identity }, requested);
}

/** A list that is read from its first page or from where a cursor left it; a view is a list of one row. */
export function openRows(
  engine: RunEngine,
  asking: NodeContext,
  call: ReadCall,
  from: ListState | null,
  mostPages = Number.POSITIVE_INFINITY,
): ListPages {
  const site = answeredBy(asking, call);
  const view = viewOf(call.catalog, call.capability);
  if (view !== null) return viewPages(engine, site, call, view, from);
  const template = call.catalog.cml.get(call.capability.name);
  if (isForeign(template)) return foreignPages(engine, site, call, template, from, mostPages);
  const served = servedBy(call.catalog, call.capability);
  const list = { engine, feed: site, call: { ...call, ...served, identity: null }, mostPages };
  return openList(list, from);
}

function viewPages(
  engine: RunEngine,
  site: NodeContext,
  call: ReadCall,
  view: View,
  from: ListState | null,
): ListPages {
  let page = from?.page ?? firstPage(undefined, {});
  let pending = [...(from?.pending ?? [])];
  let origin: PagePosition | null = null;
  return {
    get ended() {
      return page.ended && pending.length === 0;
    },
    get cut() {
      return false;
    },
    unread: null,
    get origin() {
      return origin;
    },
    get holds() {
      return pending.length > 0;
    },
    async next() {
      if (page.ended) return pending.splice(0);
      const row = await readView(engine, site, call, view, null);
      origin = { page, seen: 0 };
      page = { ...page, page: page.page + 1, ended: true };
      return [row];
    },
    save(given) {
      pending = [...given, ...pending];
      return { page, pending, seen: [] };
    },
  };
}

/** Runs a view and makes its row (RUN-100). Throws RunFailure or RunStop. */
async function readView(
  engine: RunEngine,
  site: NodeContext,
  call: ReadCall,
  view: View,
  requested: Identity | null,
): Promise<EntityRow> {
  const { catalog, capability, anchor, ambient } = call;
  const entity = catalog.cgs.entities.get(capability.entity);
  if (entity === undefined) throw new Error(`no entity ${capability.entity}`);
  const identity = requested === null ? null : callIdentity(requested);
  const origins = {
    ...engine.context.origins,
    backend: await backendOrigin(engine, site, call, view),
  };
  const scope = viewScope({ ...call, view, identity }, origins);
  const plan = viewPlan(view);
  const nodes = await runNodes(plan, scope, (node, bound) =>
    readNode(engine, siteOf(site, node), call, view, node, bound),
  );
  const origin = {
    entity,
    requested,
    ambient: { ...ambient, ...anchor },
    servedBy: servedByView(catalog, view),
  };
  const row = viewRow({ catalog, plan, scope, nodes }, origin, site.log);
  if (requested !== null && call.anyRow !== true) {
    requireAskedRow({ call, entity, requested, moved: false }, row);
  }
  engine.budget.takeRows(1);
  site.log.read(1);
  engine.cache.put(catalog.digest, row, sizeOf(row.fields));
  return row;
}

/** The backend's origin, where the view takes one at all. */
async function backendOrigin(
  engine: RunEngine,
  site: NodeContext,
  { catalog }: ReadCall,
  view: View,
): Promise<string> {
  if (view.scope.every(({ inject }) => inject === undefined)) return "";
  return (await engine.party(catalog.entryId, site.id)).backend.origin;
}

/** Where a node's oddities are told: at the view's row, the node named. */
function siteOf(site: NodeContext, node: ViewNode): NodeContext {
  const named = (log: NodeContext["log"]): NodeContext["log"] => ({
    ...log,
    add: (code, detail) => log.add(code, `${node.id}: ${detail}`),
    of: (call) => named(log.of(call)),
  });
  return { id: site.id, log: named(site.log), mark: (reason) => site.mark(reason) };
}

async function readNode(
  engine: RunEngine,
  site: NodeContext,
  { catalog }: ReadCall,
  view: View,
  node: ViewNode,
  bound: ReadonlyMap<string, BoundValue>,
): Promise<NodeRows> {
  const { capability, args, identity } = boundCall(catalog, view, node, bound);
  const call: ReadCall = { catalog, capability, args, anchor: {}, ambient: {} };
  if (capability.kind !== "get")
    return readAll(site, openRows(engine, site, call, null, VIEW_PAGES));
  const row = await readOne(engine, site, call, identity);
  if (row !== null) return { rows: [row], cut: false };
  throw new RunFailure(
    failure(
      "not_found",
      `${identity?.text ?? capability.entity} does not exist.`,
      "check the values the view was asked with",
    ),
  );
}

/**
 * A list to its end, at most ten pages. One that is cut, by that or by a budget, makes counts lower bounds
 * and the row partial; a cancel ends it (RUN-100, PLAN-051).
 */
async function readAll(site: NodeContext, pages: ListPages): Promise<NodeRows> {
  const rows: EntityRow[] = [];
  try {
    while (!pages.ended && !pages.cut) for (const row of await pages.next()) rows.push(row);
  } catch (error) {
    const inHand = rows.length > 0 && error instanceof RunStop && error.reason !== "cancelled";
    if (!inHand) throw error;
    site.mark(error.reason);
    return { rows, cut: true };
  }
  if (pages.unread !== null) {
    site.log.add("rows_unread", pages.unread);
    site.mark("rows_unread");
    return { rows, cut: true };
  }
  if (!pages.cut) return { rows, cut: false };
  site.log.add("view_cut", `more than ${VIEW_PAGES} pages, so that counts are lower bounds`);
  site.mark("view_cut");
  return { rows, cut: true };
}

const sizeOf = (fields: ReadonlyMap<string, Json>): number =>
  JSON.stringify(Object.fromEntries(fields) satisfies JsonObject).length;
