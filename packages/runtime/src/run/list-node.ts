import type { Json, JsonObject } from "@plasm/core";
import { type ListNode, type PlanPred, viewOf } from "@plasm/core/internal";
import type { RunStop } from "../limits/limits.ts";
import type { CapabilityCall } from "../request/environment.ts";
import { type Row, wholeRow } from "../rows/row.ts";
import type { RunEngine } from "./engine.ts";
import type { Demand, Feed, ReadStep, ReplayPoint, RowReader, SavedNode } from "./feed.ts";
import { type ListSets, argumentSets, openListSets, readAgain } from "./list-sets.ts";
import { PageBookmarks, ShownRows, withShown } from "./marks.ts";
import { resolveArgs, resolvePred } from "./resolve-args.ts";
import { BATCH, type PredUse, batchSize, keepMatchingRows } from "./row-filter.ts";

interface Open {
  readonly args: JsonObject;
  readonly filter: PlanPred | null;
  readonly use: PredUse;
  readonly pages: ListSets;
}

/** The node as a cursor keeps it: its values constants. */
export function constantNode(node: ListNode, args: JsonObject, filter: PlanPred | null): ListNode {
  const values = Object.entries(args).map(([name, lit]) => [name, { lit }] as const);
  return { ...node, args: Object.fromEntries(values), filter };
}

/** What is asked of the list beyond its arguments, as plain JSON (RUN-014). */
function askedOf(
  { wanted }: ListNode,
  filter: PlanPred | null,
): NonNullable<CapabilityCall["asked"]> {
  const json = filter === null ? {} : { filter: JSON.parse(JSON.stringify(filter)) as Json };
  return { projection: wanted, ...json };
}

async function openNode(
  engine: RunEngine,
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
function isView(
  engine: RunEngine,
  { catalog: { entry_id: entryId }, capability }: ListNode,
): boolean {
  return viewOf(engine.catalog(entryId), { name: capability }) !== null;
}

class ListReader implements RowReader {
  readonly sources = [];
  readonly #engine: RunEngine;
  readonly #feed: Feed;
  readonly #node: ListNode;
  readonly #state: JsonObject | null;
  readonly #limit: number;
  readonly #marks: PageBookmarks;
  readonly #shown: ShownRows;
  #opening: Promise<Open> | null = null;
  #open: Open | null = null;
  #untested: readonly Row[] = [];
  /** where the page of the last rows begins */
  #page: JsonObject | null = null;
  #began: boolean;
  #given: number;
  #stop: RunStop | null = null;

  constructor(engine: RunEngine, feed: Feed, node: ListNode, state: JsonObject | null) {
    this.#engine = engine;
    this.#feed = feed;
    this.#node = node;
    this.#state = state;
    this.#limit = node.limit ?? Number.POSITIVE_INFINITY;
    this.#marks = new PageBookmarks(state?.["marks"], engine.shelf);
    this.#shown = new ShownRows(state);
    this.#began = this.#marks.open;
    this.#given = typeof state?.["given"] === "number" ? state["given"] : 0;
  }

  get whole(): boolean {
    return isView(this.#engine, this.#node);
  }

  async read(_have: number, demand: Demand): Promise<ReadStep> {
    if (this.#stop !== null) throw this.#stop;
    this.#opening ??= openNode(this.#engine, this.#feed, this.#node, this.#state);
    const open = await this.#opening;
    this.#open = open;
    const passing = this.#shown.dropBare(await this.#take(open, demand));
    const rows = passing.slice(0, this.#limit - this.#given);
    const held = rows.length * open.pages.held;
    this.#given += rows.length;
    this.#marks.give(rows);
    this.#marks.open = this.#untested.length > 0 || open.pages.holds;
    if (this.#given >= this.#limit) return { rows, held, ended: true, full: true };
    const ended = open.pages.ended && this.#untested.length === 0;
    const { unread } = open.pages;
    if (!ended || unread === null) return { rows, held, ended };
    this.#feed.log.add("rows_unread", unread);
    return { rows, held, ended, short: "rows_unread" };
  }

  save(_given: number, keep: number): SavedNode | null {
    const open = this.#open;
    // Not read since it was restored: it stands where it stood.
    if (open === null) {
      const state = this.#state;
      return state === null ? null : { node: this.#node, state };
    }
    const bases = this.#untested.flatMap(({ base }) => (base === null ? [] : [base]));
    const state: JsonObject = {
      given: this.#given,
      ...open.pages.save(bases),
      ...this.#shown.save(),
      marks: this.#marks.save(keep),
    };
    return { node: constantNode(this.#node, open.args, open.filter), state };
  }

  anew(from: number): ReplayPoint | null {
    const saved = this.save(from, from);
    if (saved === null) return null;
    const { node, state } = saved;
    const marked = this.#marks.find(from);
    if (from === 0) return { node, state: {}, from: 0 };
    // What was left over began with a page: the next one is where reading goes on.
    if (marked === null) return { node, state: { ...state, given: from, marks: {} }, from: 0 };
    const { place, given } = marked;
    const shown = withShown(place, given);
    return { node, state: { given: from, ...readAgain(state, place), ...shown }, from: 0 };
  }

  /** The next rows that pass the filter. */
  async #take({ pages, filter, use }: Open, demand: Demand): Promise<readonly Row[]> {
    if (this.#untested.length === 0) {
      const rows = (await pages.next()).map(wholeRow);
      this.#note(pages.origin);
      this.#untested = this.#shown.drop(rows);
      this.#marks.open = true;
    }
    const untested = this.#untested;
    if (filter === null) {
      this.#untested = [];
      return untested;
    }
    // As many rows as are missing must be tested in any case; more might be completed for nothing.
    const missing = this.#limit - this.#given;
    const most = demand === "all" ? missing : Math.min(missing, BATCH);
    const batch = untested.slice(0, batchSize(untested, filter, most));
    const { passing, tested, stop } = await keepMatchingRows(filter, batch, use, this.#node.wanted);
    this.#engine.rows.give((tested - passing.length) * pages.held);
    this.#untested = untested.slice(tested);
    this.#stop = stop;
    return passing;
  }

  #note(page: JsonObject | null): void {
    if (page === null || page === this.#page) return;
    // Nameless rows of a page that was read again are in its beginning.
    if (this.#began) this.#shown.pass();
    this.#began = true;
    this.#page = page;
    this.#marks.begin(this.#given, { ...page, ...this.#shown.save() });
  }
}

/** Reads a query or search: page by page, tested locally, up to its limit (RUN-076, RUN-112). */
export const listNode = (
  engine: RunEngine,
  feed: Feed,
  node: ListNode,
  state: JsonObject | null,
): RowReader => new ListReader(engine, feed, node, state);
