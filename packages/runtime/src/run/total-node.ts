import type { Json, JsonObject } from "@plasm/core";
import {
  type BatchList,
  type JoinNode,
  type RelationNode,
  WORK,
  isPresent,
  totalsRelation,
} from "@plasm/core/internal";
import { RunFailure, failure } from "../base/run-failure.ts";
import type { EntityRow, Identity } from "../decode/entity-row.ts";
import { rowReference } from "../decode/row-references.ts";
import { RunStop } from "../limits/limits.ts";
import { CELL_MEMORY } from "../limits/row-budget.ts";
import { type RowAggregate, aggregateInSteps } from "../rows/aggregate-rows.ts";
import { unfitDetail } from "../rows/cell-key.ts";
import { type Row, type RowColumn, rowColumn, totalKey } from "../rows/row.ts";
import { type BatchSite, inBatches, isSameIdentity, openBatch, readBatch } from "./batch-rows.ts";
import { type RunEngine, rowsName } from "./engine.ts";
import type { Demand, Feed, ReadStep, ReplayPoint, RowReader, SavedNode } from "./feed.ts";
import { hydrate } from "./hydrate.ts";
import { inTurn } from "./in-turn.ts";
import { markUnread } from "./list-sets.ts";
import { readCount } from "./read-count.ts";
import {
  type Following,
  type OpenRelation,
  constantRelation,
  followStep,
  isFollowed,
  openRelation,
} from "./relation-open.ts";
import { type Targets, scopedCall } from "./relation-targets.ts";
import { neededNames, wholeBases } from "./row-filter.ts";
import { takeRows } from "./whole-source.ts";

/** What one row is related to, by a list that was asked for several rows at once. */
interface Related {
  readonly rows: EntityRow[];
  unread: string | null;
}

/** What several rows are related to, read together and told apart by the reference that leads back (RUN-080). */
class RelatedRows {
  readonly #site: BatchSite;
  readonly #batch: BatchList;
  readonly #field: string;
  readonly #found = new Map<string, Related | RunFailure | RunStop>();

  constructor(site: BatchSite, batch: BatchList, field: string) {
    this.#site = site;
    this.#batch = batch;
    this.#field = field;
  }

  /**
   * Reads what rows are related to, to its end; one row alone is left to its own list. Parts that a budget of pages ends
   * are left to the lists of their rows; any other budget ends all that were asked for.
   */
  async load(open: OpenRelation, rows: readonly Row[]): Promise<void> {
    const asked = new Map<string, EntityRow>();
    for (const { base } of rows) {
      const text = base?.identity?.text;
      if (base !== null && text !== undefined && !this.#found.has(text)) asked.set(text, base);
    }
    if (asked.size < 2) return;
    // One after the other, so that a budget is not spent on parts of which none is whole.
    for (const part of inBatches(this.#batch, [...asked.values()])) {
      await this.#read(open, part);
      if (this.stopped) return;
    }
  }

  /** whether a budget ended a part before its end: asked for again, it would end there again */
  stopped = false;

  /** What a row is related to; undefined where it was not asked for. Throws what kept it from coming. */
  rowsOf({ identity }: EntityRow): Related | undefined {
    const found = identity === null ? undefined : this.#found.get(identity.text);
    if (found instanceof RunFailure || found instanceof RunStop) throw found;
    return found;
  }

  async #read({ plan, owner }: OpenRelation, sources: readonly EntityRow[]): Promise<void> {
    const related = new Map<string, Related>();
    const byText = new Map(sources.map((source) => [source.identity?.text ?? "", source]));
    const keys = sources.flatMap(({ identity }) => (identity === null ? [] : [identity]));
    for (const { text } of keys) related.set(text, { rows: [], unread: null });
    try {
      const values = keys.flatMap(({ key }) => Object.values(key));
      const read = await readBatch(this.#site, this.#batch, values, plan.args, () => false);
      for (const row of read.rows) {
        const to = rowReference(row, this.#field, owner)?.identity;
        const source =
          to === undefined ? undefined : (byText.get(to.text) ?? sameSource(sources, to));
        const own = related.get(source?.identity?.text ?? "");
        if (source === undefined || own === undefined) throw this.#unaskedRow(row);
        own.rows.push(withAmbient(row, source, this.#field));
      }
      for (const [text, own] of related) this.#found.set(text, { ...own, unread: read.unread });
    } catch (error) {
      if (error instanceof RunStop) {
        this.stopped = true;
        if (error.reason === "pages") return;
      } else if (!(error instanceof RunFailure)) throw error;
      for (const text of related.keys()) this.#found.set(text, error);
    }
  }

  /** A row that leads to none of those that were asked for: nothing that is counted by it would be right. */
  #unaskedRow({ identity, entity }: EntityRow): RunFailure {
    const { name } = this.#batch.list;
    const says = `${name} gave ${identity?.text ?? entity}, whose ${this.#field} is none that was asked for.`;
    return new RunFailure(failure("decode", says, "correct batch of the list in the catalog"));
  }
}

/** The row that a reference leads back to, whose key is written differently; undefined where that is not one alone. */
function sameSource(sources: readonly EntityRow[], to: Identity): EntityRow | undefined {
  const [same, another] = sources.filter(({ identity }) => isSameIdentity(to, identity));
  return another === undefined ? same : undefined;
}

/** A row with what it would know of the row it is related to, had that been asked alone (RUN-044). */
function withAmbient(row: EntityRow, source: EntityRow, param: string): EntityRow {
  const [key] = Object.values(source.identity?.key ?? {});
  const anchor = key === undefined ? {} : { [param]: key };
  return { ...row, ambient: { ...source.ambient, ...anchor, ...row.ambient } };
}

/** What a node asks for together; null where it reads a list for each row. */
function openRelated(site: BatchSite, node: JoinNode): RelatedRows | null {
  const batch = openBatch(site, node);
  const field = batch?.list.batch?.field;
  return batch === null || field === undefined ? null : new RelatedRows(site, batch, field);
}

/** Rows in hand, as a list that is read. */
function relatedTargets({ rows, unread }: Related): Targets {
  let ended = false;
  return {
    get ended() {
      return ended;
    },
    async next() {
      ended = true;
      return rows;
    },
    origin: null,
    holds: false,
    unread,
    save: () => null,
  };
}

/** A column whose cells count where they exist: an empty list does not. */
function present(column: RowColumn | null): RowColumn | null {
  if (column === null) return null;
  const { read } = column;
  return { ...column, read: (row) => (isPresent(read(row) ?? null) ? true : null) };
}

type Totals = NonNullable<JoinNode["totals"]>;

/** What the related rows of one row come to, and what stopped or failed it. */
interface Found {
  readonly row: Row;
  readonly totals: Row["totals"];
  readonly stop: RunStop | null;
  readonly unread: string | null;
}

/**
 * Rows with what the rows of a relation to many come to for each: all rows, in order, as far as their related rows could
 * be read to the end (LANG-055, LANG-067). What fails leaves null with a diagnostic, as a join does.
 */
class TotalReader implements RowReader {
  readonly sources: readonly Feed[];
  readonly #engine: RunEngine;
  readonly #feed: Feed;
  readonly #node: JoinNode;
  readonly #totals: Totals;
  readonly #source: Feed;
  readonly #relation: RelationNode;
  readonly #alone: boolean;
  readonly #together: RelatedRows | null;
  #open: OpenRelation | null = null;
  #followed = 0;
  #used = 0;
  #stop: RunStop | null = null;

  constructor(
    engine: RunEngine,
    feed: Feed,
    node: JoinNode,
    totals: Totals,
    relation: RelationNode,
    state: JsonObject | null,
  ) {
    this.#engine = engine;
    this.#feed = feed;
    this.#node = node;
    this.#totals = totals;
    this.#source = engine.feedOf(node.source);
    this.#relation = relation;
    this.sources = [this.#source];
    this.#alone = state?.["alone"] === true;
    const site = { engine, feed, catalog: engine.catalog(node.catalog.entry_id) };
    this.#together = this.#alone ? null : openRelated(site, node);
  }

  /** Rows up to the first whose related rows could not be read to the end; the rest is for a cursor. */
  async read(have: number, demand: Demand): Promise<ReadStep> {
    if (this.#stop !== null) throw this.#stop;
    const open = (this.#open ??= await openRelation(this.#engine, this.#feed, this.#relation));
    const { rows: all, last } = await takeRows(this.#source, this.#used, have, demand);
    const taken = all.slice(0, this.#engine.budget.takeWork(all.length, WORK.joined));
    const cells = taken.length * (1 + this.#totals.asked.length);
    const name = () => rowsName(this.#engine, this.#node.id);
    await this.#engine.rows.compute(name, { cells, bytes: 0 });
    const rows = await this.#found(open, taken);
    if (taken.length < all.length) this.#stop ??= new RunStop("work");
    this.#used += rows.length;
    return { rows, held: cells * CELL_MEMORY, ended: this.#stop === null && last };
  }

  save(): SavedNode {
    return { node: this.#saved(), state: this.#state(), used: this.#used };
  }

  anew(from: number): ReplayPoint {
    return { node: this.#saved(), state: this.#state(), from };
  }

  /** Rows that one budget did not hold together are read by themselves from then on. */
  #state(): JsonObject {
    return this.#alone || this.#together?.stopped === true ? { alone: true } : {};
  }

  /** The node as a cursor keeps it: its values constants. */
  #saved(): JoinNode {
    if (this.#open === null) return this.#node;
    const { args, filter } = constantRelation(this.#relation, this.#open);
    return { ...this.#node, args, totals: { ...this.#totals, filter } };
  }

  async #found(open: OpenRelation, taken: readonly Row[]): Promise<readonly Row[]> {
    const { fan_out: most } = this.#engine.budget.limits;
    await this.#together?.load(open, taken.slice(0, Math.max(0, most - this.#followed)));
    const rows: Row[] = [];
    let begun = 0;
    await inTurn<Row, Found>({
      next: () => taken[begun++] ?? null,
      work: (row) => this.#totalsOf(open, row),
      isLast: ({ stop }) => stop !== null,
      take: ({ row, totals, stop, unread }) => {
        if (stop !== null) {
          this.#stop = stop;
          return;
        }
        markUnread(this.#feed, unread);
        rows.push({ ...row, totals: new Map([...(row.totals ?? []), ...(totals ?? [])]) });
      },
    });
    return rows;
  }

  async #totalsOf(open: OpenRelation, row: Row): Promise<Found> {
    const { base } = row;
    try {
      if (base === null) return this.#nothing(row);
      if (this.#followed >= this.#engine.budget.limits.fan_out) throw new RunStop("fan_out");
      this.#followed += 1;
      if (this.#totals.count === true) return await this.#counted(open, row, base);
      const together = this.#together?.rowsOf(base);
      const following: Following = { source: base, targets: null, untested: [], from: null };
      if (together !== undefined) following.targets = relatedTargets(together);
      const related = await this.#related(open, following);
      await this.#complete(related);
      const totals = await this.#summed(open, related);
      return { row, totals, stop: null, unread: following.targets?.unread ?? null };
    } catch (error) {
      if (error instanceof RunStop) return { row, totals: undefined, stop: error, unread: null };
      if (!(error instanceof RunFailure)) throw error;
      const who = base?.identity?.text ?? base?.entity ?? "a row";
      this.#feed.log.add("source_failed", `${this.#node.as} of ${who}: ${error.message}`);
      this.#feed.mark("source_failed");
      return this.#nothing(row);
    }
  }

  /** How many there are by what the API says (RUN-079). */
  async #counted({ plan, owner }: OpenRelation, row: Row, base: EntityRow): Promise<Found> {
    const [engine, feed] = [this.#engine, this.#feed];
    const relation = owner.relations.get(plan.node.relation);
    const call = await scopedCall(plan, { engine, feed, row: base, owner, relation });
    const count = await readCount(engine, feed, call, plan.node.relation);
    const totals = this.#totals.asked.map(
      ({ as }) => [totalKey(this.#node.id, as), count] as const,
    );
    return { row, totals: new Map(totals), stop: null, unread: null };
  }

  /** The related rows that meet the conditions, each once (RUN-053); where it is only asked whether there is one, the first. */
  async #related(open: OpenRelation, following: Following): Promise<readonly Row[]> {
    const isOneEnough = this.#totals.asked.every(
      ({ fn, path }) => fn === "exists" && path === null,
    );
    const seen = new Set<string>();
    const rows: Row[] = [];
    do {
      for (const row of await followStep(this.#engine, this.#feed, open, following)) {
        const text = row.base?.identity?.text;
        if (text !== undefined && seen.has(text)) continue;
        if (text !== undefined) seen.add(text);
        rows.push(row);
        if (isOneEnough) return rows;
      }
    } while (!isFollowed(following));
    return rows;
  }

  /** Reads what is asked of related rows and did not come with them (RUN-057). */
  async #complete(rows: readonly Row[]): Promise<void> {
    const paths = this.#totals.asked.flatMap(({ path }) => (path === null ? [] : [path]));
    const names = neededNames(paths, rows);
    const stopped = await hydrate(this.#engine, this.#feed, wholeBases(rows), names, names);
    if (stopped !== null) throw stopped;
  }

  async #summed({ plan }: OpenRelation, rows: readonly Row[]): Promise<Row["totals"]> {
    const schema = { cgs: plan.catalog.cgs, entity: plan.target.name };
    const columns = this.#totals.asked.map(({ as, fn, path }): RowAggregate => {
      const column = path === null ? null : rowColumn(schema, path);
      return fn === "exists" ? { as, fn: "count", column: present(column) } : { as, fn, column };
    });
    const unfit = (column: string, expected: string, cell: Json, index: number): void => {
      const detail = unfitDetail(column, expected, cell, "so it is left out");
      this.#feed.log.add("cell_unfit", detail, index);
      this.#feed.mark("cell_unfit");
    };
    const { cells } = await this.#engine.work(aggregateInSteps(rows, columns, unfit));
    return new Map(
      this.#totals.asked.map(({ as, fn }) => {
        const value = cells?.get(as) ?? null;
        return [totalKey(this.#node.id, as), fn === "exists" ? value !== 0 : value] as const;
      }),
    );
  }

  /** Of a row of no entity, or one whose relation failed, nothing is known. */
  #nothing(row: Row): Found {
    const totals = new Map(
      this.#totals.asked.map(({ as }) => [totalKey(this.#node.id, as), null] as const),
    );
    return { row, totals, stop: null, unread: null };
  }
}

/** Reads what related rows come to, for each row of its source. */
export function totalNode(
  engine: RunEngine,
  feed: Feed,
  node: JoinNode,
  totals: Totals,
  state: JsonObject | null,
): RowReader {
  const relation = totalsRelation(node);
  if (relation === null) throw new Error(`${node.id} asks nothing of related rows`);
  return new TotalReader(engine, feed, node, totals, relation, state);
}
