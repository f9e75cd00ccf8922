import type { Json, JsonObject } from "@plasm/core";
import { inSlices, type Pausable, visitEach } from "../base/turns.ts";
import type { EntityRow } from "../decode/entity-row.ts";
import { RunStop } from "../limits/limits.ts";
import type { PageState } from "../decode/page-state.ts";
import { SeenTexts } from "../rows/text-log.ts";
import type { RunEngine } from "./engine.ts";
import type { NodeContext } from "./feed.ts";
import { isObject } from "../base/json-kinds.ts";
import { entityRowsFrom, storeEntityRow, unreadableCursor } from "../rows/stored-row.ts";

/** Where a list stands, as a cursor keeps it. */
export interface ListState {
  readonly page: PageState;
  /** rows of pages already read that were not given yet */
  readonly pending: readonly EntityRow[];
  /** identities of earlier pages, so that a row that moved is not given twice (PLAN-081) */
  readonly seen: readonly string[];
}

/** Where a page begins: what its request sends, and how many identities were seen before it. */
export type PagePosition = { readonly page: PageState; readonly seen: number };

/** Reads a list page by page, in API order (RUN-070 to RUN-076). */
export interface ListPages {
  /** The rows of the next page that holds any; empty at the end. Throws RunFailure or RunStop. */
  next(): Promise<readonly EntityRow[]>;
  readonly ended: boolean;
  /** whether it was cut before its end, at the most pages it may read */
  readonly cut: boolean;
  /** what the last answer says of rows behind its end, which no request can ask for; null if nothing */
  readonly unread: string | null;
  /** where the page of the last rows begins, another object for each; null before the first */
  readonly origin: PagePosition | null;
  /** whether it holds rows of that page that it has not given */
  readonly holds: boolean;
  /** what each of the last rows was counted as in the run's memory, in bytes; nothing without it */
  readonly held?: number;
  /** `given` are rows that the caller took but does not want yet. */
  save(given: readonly EntityRow[]): ListState;
}

/** One page as it was read. */
export interface PageRead {
  readonly rows: EntityRow[];
  readonly next: PageState;
  /** size of the answer */
  readonly bytes: number;
  /** what it and its rows were counted as in the run's memory, in bytes */
  readonly held?: number;
  /** whether it repeats the page before it: its rows are not given again */
  readonly repeated: boolean;
  /** how many of its rows were to be expected again */
  readonly overlap?: number;
}

/** How the pages of a list are read, whatever carries them. */
export interface PageSource {
  readonly engine: RunEngine;
  readonly feed: NodeContext;
  /** effective digest of the list's catalog */
  readonly digest: string;
  /** where the list begins */
  readonly first: PageState;
  /** whether the next page is asked for by a row or place that the page before named */
  readonly keyed?: boolean;
  /** whether its rows count against no budget, since they are dropped */
  readonly isUncounted?: boolean;
  /** after how many pages it is cut, apart from budgets */
  readonly mostPages?: number;
  /** Reads the page that a state stands at. Throws RunFailure or RunStop. */
  read(page: PageState): Promise<PageRead>;
}

class PageReader implements ListPages {
  readonly #source: PageSource;
  readonly #most: number;
  readonly #seen: SeenTexts;
  /** identities of the last page, which are seen once there is another one */
  #latest: readonly string[] = [];
  #page: PageState;
  #pending: EntityRow[];
  #origin: PagePosition | null = null;
  /** pages read in this run, against the budget */
  #pages = 0;
  /** how many of the pending rows the budget lets pass; null before it was asked */
  #allowed: number | null = null;
  #held = 0;

  constructor(source: PageSource, from: ListState | null) {
    this.#source = source;
    this.#most = source.mostPages ?? Number.POSITIVE_INFINITY;
    this.#page = from?.page ?? source.first;
    this.#pending = [...(from?.pending ?? [])];
    this.#seen = new SeenTexts(source.engine.shelf, from?.seen ?? []);
  }

  get ended(): boolean {
    return this.#page.ended && this.#pending.length === 0;
  }

  get cut(): boolean {
    return this.#pages >= this.#most && !this.#page.ended && this.#pending.length === 0;
  }

  get unread(): string | null {
    return this.#page.ended ? (this.#page.unread ?? null) : null;
  }

  get origin(): PagePosition | null {
    return this.#origin;
  }

  get held(): number {
    return this.#held;
  }

  get holds(): boolean {
    return this.#pending.length > 0;
  }

  async next(): Promise<readonly EntityRow[]> {
    while (this.#pending.length === 0 && !this.#page.ended && !this.cut) await this.#advance();
    return this.#take();
  }

  save(given: readonly EntityRow[]): ListState {
    const pending = [...given, ...this.#pending];
    return { page: this.#page, pending, seen: [...this.#seen.texts(), ...this.#latest] };
  }

  async #advance(): Promise<void> {
    const { engine } = this.#source;
    if (this.#pages >= engine.budget.limits.pages) throw new RunStop("pages");
    if (this.#latest.length > 0) await this.#see();
    const page = this.#page;
    const { rows, next, bytes, held = 0, repeated, overlap = 0 } = await this.#source.read(page);
    this.#pages += 1;
    engine.budget.addPage();
    this.#held = held / Math.max(1, rows.length);
    const { nextTurn } = engine;
    const fresh = repeated ? [] : await inSlices(this.#fresh(rows, bytes, overlap), nextTurn);
    engine.rows.give(this.#held * (rows.length - fresh.length));
    // From here on a cursor finds the page as read: all that says so changes together.
    this.#page = next;
    if (repeated) return;
    this.#latest = rows.flatMap(({ identity }) => (identity === null ? [] : [identity.text]));
    for (const row of fresh) this.#pending.push(row);
    const { isUncounted = false } = this.#source;
    this.#allowed = isUncounted ? fresh.length : engine.budget.takeRows(fresh.length);
    if (fresh.length > 0) this.#origin = { page, seen: this.#seen.size };
  }

  /** Notes the identities of the page before. */
  async #see(): Promise<void> {
    const { nextTurn } = this.#source.engine;
    const latest = this.#latest;
    await inSlices(
      visitEach(latest, (text) => this.#seen.add(text)),
      nextTurn,
    );
    this.#latest = [];
  }

  /** The rows of a page but those of earlier ones; rows repeated within it are the API's own (PLAN-081). */
  *#fresh(
    rows: readonly EntityRow[],
    bytes: number,
    overlap: number,
  ): Pausable<readonly EntityRow[]> {
    const { engine, digest } = this.#source;
    const seen = this.#seen;
    const fresh: EntityRow[] = [];
    const size = Math.ceil(bytes / Math.max(1, rows.length));
    yield* visitEach(rows, (row) => {
      if (row.identity !== null && seen.has(row.identity.text)) return;
      engine.cache.put(digest, row, size);
      fresh.push(row);
    });
    const again = rows.length - fresh.length;
    if (again > overlap) this.#tellRepeated(rows, again);
    return fresh;
  }

  /** A list whose rows come again has changed meanwhile, so that others may have moved to pages that were read. */
  #tellRepeated(page: readonly EntityRow[], repeated: number): void {
    const { feed, keyed } = this.#source;
    const detail =
      "a later page repeats rows: the list changed while it was read, and others may be missing";
    feed.log.add("row_repeated", detail);
    // A page that is asked for by the last row before it may begin with that row.
    const first = page.find(({ identity }) => identity !== null)?.identity?.text;
    const overlap = keyed === true && repeated === 1 && first === this.#seen.last;
    if (!overlap) feed.mark("row_repeated");
  }

  #take(): readonly EntityRow[] {
    if (this.#pending.length === 0) return [];
    this.#allowed ??= this.#source.engine.budget.takeRows(this.#pending.length);
    if (this.#allowed === 0) throw new RunStop("rows");
    const rows = this.#pending.splice(0, this.#allowed);
    this.#allowed = 0;
    return rows;
  }
}

/** Opens a list at its first page, or where a cursor left it. */
export const openPages = (source: PageSource, from: ListState | null): ListPages =>
  new PageReader(source, from);

const isPageState = (value: Json | undefined): value is PageState & JsonObject =>
  isObject(value) && typeof value["page"] === "number" && isObject(value["values"]);

/** A list's place as JSON. */
export function storeList(state: ListState): JsonObject {
  const { page, pending, seen } = state;
  return { page: { ...page }, pending: pending.map(storeEntityRow), seen };
}

/** A list's place from its JSON. */
export function listFrom(value: Json | undefined): ListState {
  if (!isObject(value) || !isPageState(value["page"]) || !Array.isArray(value["seen"])) {
    throw unreadableCursor();
  }
  return {
    page: value["page"],
    pending: entityRowsFrom(value["pending"]),
    seen: value["seen"].filter((item) => typeof item === "string"),
  };
}
