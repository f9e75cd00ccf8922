import type { JsonObject } from "@plasm/core";
import type { RelationNode } from "@plasm/core/internal";
import type { EntityRow } from "../decode/entity-row.ts";
import { isArray } from "../base/json-kinds.ts";
import { RunStop } from "../limits/limits.ts";
import type { Row } from "../rows/row.ts";
import { type FailureDetail, RunFailure } from "../base/run-failure.ts";
import type { RunEngine } from "./engine.ts";
import { inTurn } from "./in-turn.ts";
import {
  type Demand,
  type Feed,
  type ReadStep,
  type ReplayPoint,
  type RowReader,
  type SavedNode,
  SourceEnded,
} from "./feed.ts";
import { loadReferences } from "./relation-targets.ts";
import { type PagePosition, storeList } from "./list-pages.ts";
import { markUnread } from "./list-sets.ts";
import { PageBookmarks, ShownRows } from "./marks.ts";
import {
  constantRelation,
  followedAgain,
  type Following,
  followStep,
  isFollowed,
  openRelation,
  type OpenRelation,
  type RestoredList,
  restoredList,
  sourceName,
} from "./relation-open.ts";

/** How far a relation has come; all of it goes into a cursor. */
interface Progress {
  given: number;
  attempted: number;
  failed: number;
  readonly seen: Set<string>;
}

/** The outcome of one source row: its rows, and what ended it early. */
interface Followed {
  readonly following: Following;
  readonly rows: readonly Row[];
  readonly failure: FailureDetail | null;
  readonly stop: RunStop | null;
}

/** Follows a relation: each source row's related rows in source order, then API order (RUN-050 to RUN-054). */
export function relationNode(
  engine: RunEngine,
  feed: Feed,
  node: RelationNode,
  state: JsonObject | null,
): RowReader {
  const source = node.source === undefined ? null : engine.feedOf(node.source);
  return new RelationReader(engine, feed, node, source, state);
}

class RelationReader implements RowReader {
  readonly sources: readonly Feed[];
  readonly #engine: RunEngine;
  readonly #feed: Feed;
  readonly #node: RelationNode;
  readonly #state: JsonObject | null;
  readonly #source: Feed | null;
  readonly #progress: Progress;
  readonly #limit: number;
  readonly #marks: PageBookmarks;
  readonly #shown: ShownRows;
  #restored: RestoredList | null;
  #opening: Promise<OpenRelation> | null = null;
  #open: OpenRelation | null = null;
  #following: Following | null = null;
  /** the source row whose rows came last, and the page of them */
  #at: { readonly following: Following; readonly page: PagePosition | null } | null = null;
  #began: boolean;
  /** source rows done */
  #used = 0;
  #firstFailure: FailureDetail | null = null;
  /** what is said of rows behind those of the last source row that was followed */
  #unread: string | null = null;
  #stopNext: RunStop | null = null;

  constructor(
    engine: RunEngine,
    feed: Feed,
    node: RelationNode,
    source: Feed | null,
    state: JsonObject | null,
  ) {
    this.#engine = engine;
    this.#feed = feed;
    this.#node = node;
    this.#state = state;
    this.#source = source;
    this.sources = source === null ? [] : [source];
    this.#limit = node.limit ?? Number.POSITIVE_INFINITY;
    const number = (name: string): number => (typeof state?.[name] === "number" ? state[name] : 0);
    const seen = state?.["seen"];
    this.#progress = {
      given: number("given"),
      attempted: number("attempted"),
      failed: number("failed"),
      seen: new Set(isArray(seen) ? seen.filter((item) => typeof item === "string") : []),
    };
    this.#restored = restoredList(state);
    const unread = state?.["unread"];
    if (typeof unread === "string") this.#unread = unread;
    this.#marks = new PageBookmarks(state?.["marks"], engine.shelf);
    this.#shown = new ShownRows(state);
    this.#began = this.#marks.open;
  }

  async read(_have: number, demand: Demand): Promise<ReadStep> {
    if (this.#stopNext !== null) throw this.#stopNext;
    this.#opening ??= openRelation(this.#engine, this.#feed, this.#node);
    const open = await this.#opening;
    this.#open = open;
    const several = demand === "all" && this.#limit === Number.POSITIVE_INFINITY;
    const sources = await this.#nextSources(open, several ? Number.POSITIVE_INFINITY : 1);
    if (sources.length === 0) return this.#finish([]);
    const fresh = several
      ? await this.#followAll(open, sources)
      : await this.#followOne(open, sources);
    if (this.#progress.given >= this.#limit) return { rows: fresh, ended: true, full: true };
    return this.#isDone() ? this.#finish(fresh) : { rows: fresh, ended: false };
  }

  save(_given: number, keep: number): (SavedNode & { readonly used: number }) | null {
    const open = this.#open;
    const used = this.#used;
    // Not read since it was restored: it stands where it stood.
    if (open === null) {
      return this.#state === null ? null : { node: this.#node, state: this.#state, used };
    }
    const { seen, ...counts } = this.#progress;
    const following = this.#following;
    const bases = following?.untested.flatMap(({ base }) => (base === null ? [] : [base]));
    const list = following?.targets?.save(bases ?? []) ?? this.#restored?.list ?? null;
    const state: JsonObject = {
      ...counts,
      ...this.#shown.save(),
      seen: [...seen],
      list: list === null ? null : storeList(list),
      of: following === null ? (this.#restored?.of ?? null) : sourceName(following.source),
      marks: this.#marks.save(keep),
      ...(this.#unread === null ? {} : { unread: this.#unread }),
    };
    return { node: constantRelation(this.#node, open), state, used };
  }

  anew(from: number): ReplayPoint | null {
    const saved = this.save(from, from);
    if (saved === null) return null;
    const { node, state, used } = saved;
    if (from === 0) return { node, state: {}, from: 0 };
    const present = (this.#source?.before ?? 0) + used;
    const marked = this.#marks.find(from);
    if (marked === null)
      return { node, state: { ...state, given: from, marks: {} }, from: present };
    const again = followedAgain(state, marked, present);
    return { node, state: { given: from, ...again }, from: Number(marked.place["source"]) };
  }

  /** The next source rows, at most `count`, within the fan-out budget. */
  async #nextSources(open: OpenRelation, count: number): Promise<readonly EntityRow[]> {
    const { fan_out: most } = this.#engine.budget.limits;
    const room = Math.min(count, most - this.#used);
    if (open.anchor !== null || this.#source === null) {
      return this.#used === 0 && open.anchor !== null ? [open.anchor] : [];
    }
    const to = this.#used + count;
    const cut = await this.#source.needInHand(count > 1 ? "all" : { rows: to });
    const rows = this.#source.rows.slice(this.#used, to);
    if (rows.length === 0 && cut !== null) throw new SourceEnded(this.#source);
    if (rows.length > 0 && room <= 0) throw new RunStop("fan_out");
    return rows.slice(0, room).map((row) => {
      if (row.base === null) throw new Error("a relation is followed from rows of no entity");
      return row.base;
    });
  }

  #isDone(): boolean {
    if (this.#following !== null) return false;
    return this.#source === null ? this.#used > 0 : this.#source.isUsedUp(this.#used);
  }

  #finish(rows: readonly Row[]): ReadStep {
    const { attempted, failed } = this.#progress;
    if (this.#firstFailure !== null && failed === attempted)
      throw new RunFailure(this.#firstFailure);
    const unread = this.#unread;
    if (unread === null) return { rows, ended: true };
    this.#feed.log.add("rows_unread", unread);
    return { rows, ended: true, short: "rows_unread" };
  }

  /** Notes the page of a source row's targets that rows have come from, once. */
  #notePage(following: Following): void {
    const page = following.targets?.origin ?? null;
    if (this.#at?.following === following && this.#at.page === page) return;
    this.#at = { following, page };
    // What an earlier run read and did not give is of the page it was at.
    if (page === null && following.from !== null && this.#marks.open) return;
    this.#begin(following.source, page);
  }

  /** Notes where the rows that follow are read: a page of a source row's targets, or all of them. */
  #begin(source: EntityRow, page: PagePosition | null): void {
    // Nameless rows of a place that was read again are in its beginning.
    if (this.#began) this.#shown.pass();
    this.#began = true;
    const { given, seen } = this.#progress;
    this.#marks.begin(given, {
      source: (this.#source?.before ?? 0) + this.#used,
      of: sourceName(source),
      list: page === null ? null : { page: { ...page.page }, seen: page.seen },
      seen: seen.size,
      ...this.#shown.save(),
    });
  }

  /** Rows not given before: results are deduplicated by identity (RUN-053). */
  #fresh(rows: readonly Row[]): readonly Row[] {
    const { seen, given } = this.#progress;
    const unseen = rows.filter(({ base }) => {
      const text = base?.identity?.text;
      if (text === undefined) return true;
      if (seen.has(text)) return false;
      seen.add(text);
      return true;
    });
    const fresh = this.#shown.dropBare(unseen).slice(0, this.#limit - given);
    this.#progress.given += fresh.length;
    this.#marks.give(fresh);
    return fresh;
  }

  #start(source: EntityRow): Following {
    this.#progress.attempted += 1;
    this.#passUnread();
    const restored = this.#restored;
    this.#restored = null;
    // Where its source was read anew, another row may be in that place.
    const same = restored !== null && (restored.of === null || restored.of === sourceName(source));
    return { source, targets: null, untested: [], from: same ? restored.list : null };
  }

  #fail(what: FailureDetail, index: number): void {
    this.#progress.failed += 1;
    this.#firstFailure ??= what;
    this.#feed.log.add("source_failed", `${what.code}: ${what.message}`, index);
    this.#feed.mark("source_failed");
  }

  async #followOne(open: OpenRelation, [first]: readonly EntityRow[]): Promise<readonly Row[]> {
    if (first === undefined) return [];
    const following = this.#following ?? this.#start(first);
    this.#following = following;
    try {
      const rows = await followStep(this.#engine, this.#feed, open, following);
      this.#notePage(following);
      const fresh = this.#fresh(rows);
      this.#marks.open = following.untested.length > 0 || following.targets?.holds === true;
      if (isFollowed(following)) this.#done(1, following);
      return fresh;
    } catch (error) {
      if (!(error instanceof RunFailure)) {
        // Rows of a page that could not be tested are left over.
        this.#notePage(following);
        this.#marks.open = following.untested.length > 0 || following.targets?.holds === true;
        throw error;
      }
      this.#fail(error.failure, this.#used);
      this.#done(1, following);
      return [];
    }
  }

  /** Notes that rows are missing before those that follow. */
  #passUnread(): void {
    markUnread(this.#feed, this.#unread);
    this.#unread = null;
  }

  #done(count: number, { targets }: Following): void {
    this.#unread = targets?.unread ?? null;
    this.#following = null;
    this.#used += count;
  }

  async #toEnd(open: OpenRelation, following: Following): Promise<Followed> {
    const rows: Row[] = [];
    try {
      do {
        const step = await followStep(this.#engine, this.#feed, open, following);
        for (const row of step) rows.push(row);
      } while (!isFollowed(following));
      return { following, rows, failure: null, stop: null };
    } catch (error) {
      if (error instanceof RunFailure)
        return { following, rows: [], failure: error.failure, stop: null };
      if (error instanceof RunStop) return { following, rows, failure: null, stop: error };
      throw error;
    }
  }

  /** Several source rows at once; rows after the first that was stopped are read again later. */
  async #followAll(open: OpenRelation, sources: readonly EntityRow[]): Promise<readonly Row[]> {
    await loadReferences(this.#engine, this.#feed, open.plan, sources);
    const begun: Following[] = [];
    const before = this.#used;
    const next = (): Following | null => {
      const source = sources[begun.length];
      if (source === undefined) return null;
      const resumed = begun.length === 0 ? this.#following : null;
      const following = resumed ?? this.#start(source);
      begun.push(following);
      return following;
    };
    const rows: Row[] = [];
    await inTurn({
      next,
      work: (following) => this.#toEnd(open, following),
      isLast: ({ stop }) => stop !== null,
      take: ({ following, ...followed }) => {
        this.#passUnread();
        this.#begin(following.source, null);
        for (const row of this.#fresh(followed.rows)) rows.push(row);
        this.#marks.open = followed.stop !== null;
        if (followed.stop !== null) {
          this.#following = following;
          this.#stopNext = followed.stop;
          return;
        }
        if (followed.failure !== null) this.#fail(followed.failure, this.#used);
        this.#done(1, following);
        this.#feed.grow(rows.length);
      },
    });
    // Those behind the one that was stopped are read again.
    const done = this.#used - before;
    if (this.#stopNext !== null) this.#progress.attempted -= begun.length - done - 1;
    return rows;
  }
}
