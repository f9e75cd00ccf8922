import type { EntityRow } from "../decode/entity-row.ts";
import { RunStop } from "../limits/budget.ts";
import type { PageState } from "../paging/page-state.ts";
import type { Engine } from "./engine.ts";
import type { Site } from "./feed.ts";

/** Where a list stands, as a cursor keeps it. */
export interface ListState {
  readonly page: PageState;
  /** rows of pages already read that were not given yet */
  readonly pending: readonly EntityRow[];
  /** identities of earlier pages, so that a row that moved is not given twice (PLAN-081) */
  readonly seen: readonly string[];
}

/** Where a page begins: what its request sends, and how many identities were seen before it. */
export type PagePlace = { readonly page: PageState; readonly seen: number };

/** Reads a list page by page, in API order (RUN-070 to RUN-076). */
export interface ListPages {
  /** The rows of the next page that holds any; empty at the end. Throws RunFailure or RunStop. */
  next(): Promise<readonly EntityRow[]>;
  readonly ended: boolean;
  /** whether it was cut before its end, at the most pages it may read */
  readonly cut: boolean;
  /** where the page of the last rows begins, another object for each; null before the first */
  readonly origin: PagePlace | null;
  /** whether it holds rows of that page that it has not given */
  readonly holds: boolean;
  /** `given` are rows that the caller took but does not want yet. */
  save(given: readonly EntityRow[]): ListState;
}

/** One page as it was read. */
export interface PageRead {
  readonly rows: EntityRow[];
  readonly next: PageState;
  /** size of the answer */
  readonly bytes: number;
  /** whether it repeats the page before it: its rows are not given again */
  readonly repeated: boolean;
}

/** How the pages of a list are read, whatever carries them. */
export interface PageSource {
  readonly engine: Engine;
  readonly feed: Site;
  /** effective digest of the list's catalog */
  readonly digest: string;
  /** where the list begins */
  readonly first: PageState;
  /** after how many pages it is cut, apart from budgets */
  readonly mostPages?: number;
  /** Reads the page that a state stands at. Throws RunFailure or RunStop. */
  read(page: PageState): Promise<PageRead>;
}

interface Reading {
  readonly source: PageSource;
  page: PageState;
  pending: EntityRow[];
  readonly seen: Set<string>;
  origin: PagePlace | null;
  /** pages read in this run, against the budget */
  pages: number;
  /** how many of the pending rows the budget lets pass; null before it was asked */
  allowed: number | null;
}

/** Drops rows of earlier pages; rows repeated within a page are the API's own (PLAN-081). */
function dropSeen(list: Reading, rows: readonly EntityRow[]): EntityRow[] {
  const { log } = list.source.feed;
  const fresh = rows.filter((row) => row.identity === null || !list.seen.has(row.identity.text));
  if (fresh.length < rows.length) log.add("row_repeated", "a later page repeats rows");
  for (const { identity } of rows) if (identity !== null) list.seen.add(identity.text);
  return fresh;
}

/** Counts a page's rows against the budget; those beyond it wait for a cursor. */
function keepRows(list: Reading, rows: readonly EntityRow[], bytes: number): void {
  const { engine, digest } = list.source;
  const size = Math.ceil(bytes / Math.max(1, rows.length));
  for (const row of rows) engine.cache.put(digest, row, size);
  for (const row of rows) list.pending.push(row);
  list.allowed = engine.budget.takeRows(rows.length);
}

async function advance(list: Reading): Promise<void> {
  const { engine } = list.source;
  if (list.pages >= engine.budget.limits.pages) throw new RunStop("pages");
  const { rows, next, bytes, repeated } = await list.source.read(list.page);
  list.pages += 1;
  engine.budget.addPage();
  const origin = { page: list.page, seen: list.seen.size };
  list.page = next;
  if (repeated) return;
  keepRows(list, dropSeen(list, rows), bytes);
  if (list.pending.length > 0) list.origin = origin;
}

function takePending(list: Reading): EntityRow[] {
  if (list.pending.length === 0) return [];
  list.allowed ??= list.source.engine.budget.takeRows(list.pending.length);
  if (list.allowed === 0) throw new RunStop("rows");
  const rows = list.pending.splice(0, list.allowed);
  list.allowed = 0;
  return rows;
}

/** Opens a list at its first page, or where a cursor left it. */
export function openPages(source: PageSource, from: ListState | null): ListPages {
  const state: Reading = {
    source,
    page: from?.page ?? source.first,
    pending: [...(from?.pending ?? [])],
    seen: new Set(from?.seen ?? []),
    origin: null,
    pages: 0,
    allowed: null,
  };
  const { mostPages = Number.POSITIVE_INFINITY } = source;
  const isCut = (): boolean =>
    state.pages >= mostPages && !state.page.ended && state.pending.length === 0;
  return {
    get ended() {
      return state.page.ended && state.pending.length === 0;
    },
    get cut() {
      return isCut();
    },
    get origin() {
      return state.origin;
    },
    get holds() {
      return state.pending.length > 0;
    },
    async next() {
      while (state.pending.length === 0 && !state.page.ended && !isCut()) await advance(state);
      return takePending(state);
    },
    save: (given) => ({
      page: state.page,
      pending: [...given, ...state.pending],
      seen: [...state.seen],
    }),
  };
}
