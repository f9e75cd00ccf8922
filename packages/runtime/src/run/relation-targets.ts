import type { Capability, Catalog, Entity, Json, JsonObject } from "@plasm/core";
import { keyParts, type RelationNode } from "@plasm/core/internal";
import { type EntityRow, type Identity, isKnown, makeIdentity } from "../decode/entity-row.ts";
import { cutOf } from "../decode/row-edges.ts";
import { rowReference } from "../decode/row-references.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import type { BatchRows } from "./batch-rows.ts";
import { leavesOut, loadEdge, loadRow } from "./hydrate.ts";
import type { ListState, PagePosition } from "./list-pages.ts";
import { openRows, readOne } from "./read-capability.ts";
import {
  boundParameters,
  identityMissing,
  lacksBinding,
  type RelationSource,
  scopeAnchor,
  unboundRelation,
} from "./relation-bindings.ts";
import type { ReadCall, RunEngine } from "./engine.ts";
import type { Feed } from "./feed.ts";

/**
 * Keeps count of source rows whose answers, the row's get included, say nothing about a relation. They
 * count as having no related row. While no other row of the node says anything about it either, that is
 * told, and the result is partial (RUN-003, RUN-037): once one does, the API leaves out what is empty.
 */
class MissingEdges {
  readonly #feed: Feed;
  readonly #relation: string;
  #present = false;

  constructor(feed: Feed, relation: string) {
    this.#feed = feed;
    this.#relation = relation;
  }

  /** Notes a row that says what it is related to, be it nothing. */
  found(): void {
    this.#present = true;
    this.#feed.unmark("edge_missing");
  }

  /** Notes a row whose answers do not say. */
  missing({ entity, identity }: EntityRow): void {
    const row = identity?.text ?? entity;
    const detail = `${row} came without ${this.#relation}, so it counts as none`;
    this.#feed.log.add("edge_missing", detail);
    if (!this.#present) this.#feed.mark("edge_missing");
  }
}

const byFeed = new WeakMap<Feed, MissingEdges>();

/** The count of a node, which follows one relation. */
export function missingEdges(feed: Feed, relation: string): MissingEdges {
  const known = byFeed.get(feed) ?? new MissingEdges(feed, relation);
  byFeed.set(feed, known);
  return known;
}

/** How a relation is followed: its name, kind and read, and the fields wanted of its target. */
export type RelationStep = Pick<RelationNode, "relation" | "via" | "capability" | "wanted">;

/** What following one relation needs besides the source row. */
export interface RelationPlan {
  readonly node: RelationStep;
  readonly catalog: Catalog;
  readonly target: Entity;
  readonly args: JsonObject;
  /** whether consumers need whole rows of the target, not only the wanted fields */
  readonly whole: boolean;
  /** referenced rows that were asked for together (RUN-080) */
  readonly batch?: BatchRows | null;
}

/** The related rows of one source row, as they are read. */
export interface Targets {
  next(): Promise<readonly EntityRow[]>;
  readonly ended: boolean;
  /** where the page of the last rows begins; null where reading starts over */
  readonly origin: PagePosition | null;
  /** whether it holds rows of that page that it has not given */
  readonly holds: boolean;
  /** what is said of rows behind its end, which no request can ask for; null if nothing */
  readonly unread: string | null;
  /** null where reading starts over */
  save(given: readonly EntityRow[]): ListState | null;
}

function once(read: () => Promise<readonly EntityRow[]>): Targets {
  let ended = false;
  let unread: string | null = null;
  return {
    get ended() {
      return ended;
    },
    async next() {
      const rows = await read();
      ended = true;
      unread = cutOf(rows);
      return rows;
    },
    origin: null,
    holds: false,
    get unread() {
      return unread;
    },
    save: () => null,
  };
}

function capabilityOf(plan: RelationPlan): Capability {
  const capability = plan.catalog.cgs.capabilities.get(plan.node.capability ?? "");
  if (capability === undefined) throw new Error(`the relation ${plan.node.relation} has no read`);
  return capability;
}

/** The relation as a catalog's `oauth.requirements` name it. */
const relationName = ({ node }: RelationPlan, { owner }: RelationSource): string =>
  `${owner.name}.${node.relation}`;

function gone(text: string): RunFailure {
  return new RunFailure(
    failure("not_found", `${text} does not exist.`, "the reference leads nowhere"),
  );
}

/** A target that no key names, by the row that leads to it. */
function unnamedTarget({ node, target }: RelationPlan, { row }: RelationSource): string {
  return `${node.relation} of ${row.identity?.text ?? row.entity}, a ${target.name},`;
}

async function readTarget(
  plan: RelationPlan,
  source: RelationSource,
  identity: Identity | null,
  args: JsonObject,
): Promise<readonly EntityRow[]> {
  const call = {
    catalog: plan.catalog,
    capability: capabilityOf(plan),
    args: { ...plan.args, ...args },
    anchor: {},
    ambient: source.row.ambient,
    relation: relationName(plan, source),
    anyRow: plan.node.via === "get_scoped_bindings",
  };
  const row = await readOne(source.engine, source.feed, call, identity);
  if (row === null) throw gone(identity?.text ?? unnamedTarget(plan, source));
  return [row];
}

/** Notes whether a source row says what it is related to; one that cannot be asked is in error (RUN-047). */
function noteEdge(source: RelationSource, relation: string, isKnown: boolean): void {
  const edges = missingEdges(source.feed, relation);
  if (isKnown) edges.found();
  else if (source.row.identity === null) throw identityMissing(source);
  else edges.missing(source.row);
}

/** Follows an entity_ref field or one-relation: a get, unless all that is wanted came with it (RUN-050). */
async function refTargets(
  plan: RelationPlan,
  source: RelationSource,
): Promise<readonly EntityRow[]> {
  const { node, target } = plan;
  await loadRow(source.engine, source.feed, source.row, [node.relation], []);
  const reference = rowReference(source.row, node.relation, target);
  const isNone = reference === undefined && leavesOut(source.row, node.relation);
  noteEdge(source, node.relation, isNone || reference !== undefined);
  if (reference === undefined || reference === null) return [];
  const { embedded, identity } = reference;
  const enough =
    embedded !== null && !plan.whole && node.wanted.every((name) => isKnown(embedded, name));
  if (enough) return [embedded];
  const together = plan.batch?.rowOf(identity);
  if (together === undefined) return readTarget(plan, source, identity, {});
  return [{ ...together, ambient: { ...source.row.ambient, ...together.ambient } }];
}

/** Asks at once for what several source rows refer to, as far as that is known (RUN-080). */
export async function loadReferences(
  engine: RunEngine,
  feed: Feed,
  plan: RelationPlan,
  rows: readonly EntityRow[],
): Promise<void> {
  const { node, target, batch } = plan;
  if (batch === undefined || batch === null) return;
  // What keeps a row from knowing its reference is told where that row is followed.
  await Promise.allSettled(rows.map((row) => loadRow(engine, feed, row, [node.relation], [])));
  const references = rows.flatMap((row) => rowReference(row, node.relation, target) ?? []);
  const lacking = references.filter(
    ({ embedded }) =>
      embedded === null || plan.whole || !node.wanted.every((name) => isKnown(embedded, name)),
  );
  await batch.load(lacking.map(({ identity }) => identity));
}

async function boundGet(plan: RelationPlan, source: RelationSource): Promise<readonly EntityRow[]> {
  const bound = await boundParameters(source, capabilityOf(plan));
  // From one row a to-one relation gives at most one row; null gives none (LANG-069).
  if (bound === null) {
    const { relation } = plan.node;
    noteEdge(source, relation, !lacksBinding(source) || leavesOut(source.row, relation));
    return [];
  }
  const parts: Record<string, Json | undefined> = { ...bound };
  const [only] = keyParts(plan.target);
  if (keyParts(plan.target).length === 1 && only !== undefined) parts[only] ??= bound["id"];
  const identity = makeIdentity(plan.target, parts);
  const args = Object.entries(bound).filter(
    ([name]) => identity === null || (name !== "id" && !Object.hasOwn(identity.key, name)),
  );
  return readTarget(plan, source, identity, Object.fromEntries(args));
}

/** Rows that stand in the source row, or in the answer of its get (RUN-037, RUN-050). */
async function embeddedTargets(
  plan: RelationPlan,
  source: RelationSource,
): Promise<readonly EntityRow[]> {
  const { relation } = plan.node;
  await loadEdge(source.engine, source.feed, source.row, relation);
  const rows = source.row.edges.get(relation);
  const isOne = source.relation?.cardinality === "one";
  noteEdge(source, relation, rows !== undefined || (isOne && leavesOut(source.row, relation)));
  return rows ?? [];
}

/** The list of one source row: its parameters bound to the row. Throws RunFailure. */
export async function scopedCall(plan: RelationPlan, source: RelationSource): Promise<ReadCall> {
  const capability = capabilityOf(plan);
  const bound =
    plan.node.via === "query_scoped"
      ? scopeAnchor(source, capability)
      : await boundParameters(source, capability);
  if (bound === null) throw unboundRelation(source);
  const { catalog, args } = plan;
  const relation = relationName(plan, source);
  return { catalog, capability, args, anchor: bound, ambient: source.row.ambient, relation };
}

/** Opens the related rows of one source row by the relation's kind (RUN-050). Throws RunFailure, RunStop. */
export async function openTargets(
  plan: RelationPlan,
  source: RelationSource,
  from: ListState | null,
): Promise<Targets> {
  switch (plan.node.via) {
    case "ref":
      return once(() => refTargets(plan, source));
    case "from_parent_get":
    case "view":
      return once(() => embeddedTargets(plan, source));
    case "get_scoped_bindings":
      return once(() => boundGet(plan, source));
    case "query_scoped":
    case "query_scoped_bindings":
      return openRows(source.engine, source.feed, await scopedCall(plan, source), from);
  }
}
