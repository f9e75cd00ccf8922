import type { Capability, Catalog, JsonObject, PlanNode } from "@plasm/core";
import {
  createDiagnosticLog,
  type DiagnosticLog,
  type PartialReason,
  type RunDiagnosticCode,
} from "../base/diagnostic.ts";
import { isStopReason, RunStop } from "../limits/limits.ts";
import { RowList, type RowSequence } from "../rows/row-list.ts";
import type { Row } from "../rows/row.ts";
import type { Shelf } from "../rows/shelf.ts";
import { type FailureDetail, failure, type RunError, RunFailure } from "../base/run-failure.ts";
import { atOnce, inSlices, nextTurn } from "../base/turns.ts";

/** So many rows of all are in hand at a time. */
export const PORTION = 2_048;

/**
 * How much of a node's rows a consumer needs: so many, what one upstream page gives, or all (RUN-076).
 * `ahead` is how many more it would take of rows that cost requests each, if they are in hand: its own
 * rows will be fewer.
 */
export type Demand = { readonly rows: number; readonly ahead?: number } | "page" | "all";

/** What one step of reading gave. */
export interface ReadStep {
  /** in order; others than a list only as all rows of their node */
  readonly rows: RowSequence;
  /** what they were counted as in the run's memory, in bytes; nothing of it is given back without it */
  readonly held?: number;
  readonly ended: boolean;
  /** of a last step: why rows are missing behind it that its source has and no request can ask for (RUN-003) */
  readonly short?: RunDiagnosticCode | null;
  /** of a last step: it has all that it may ever give, whatever is missing behind the rows of its sources */
  readonly full?: boolean;
}

/** Why rows are missing behind the last of a feed, and what its text says of it. */
export interface ShortEnd {
  readonly reason: RunDiagnosticCode;
  readonly detail: string;
}

/** A node of a cursor's plan, and where it stands. */
export interface SavedNode {
  readonly node: PlanNode;
  readonly state: JsonObject;
  /** how many rows of its source it has used; what the source has beyond goes into the cursor */
  readonly used?: number;
}

/** How rows are made anew from a place on, after an effect on their catalog (PLAN-083). */
export interface ReplayPoint {
  readonly node: PlanNode;
  readonly state: JsonObject;
  /** with which row of its sources it begins, counted over all pages */
  readonly from: number;
}

/** How a node kind makes its rows. */
export interface RowReader {
  /**
   * Reads on; `have` rows are there already. Gives rows in order, perhaps none. Throws RunFailure
   * (the node fails), RunStop (a budget or cancel cuts it) or SourceEnded (its input ended so).
   */
  read(have: number, demand: Demand): Promise<ReadStep>;
  /**
   * Where reading goes on, for a cursor: the node with its values as constants, and its place, what
   * was read but not given included. Null if it cannot go on from here. Counted over all pages, the
   * rows after the first `given` are left over, and those after the first `keep` may have to be made
   * anew: it keeps what {@link anew} must know of them.
   */
  save(given: number, keep: number): SavedNode | null;
  /**
   * How the rows from `from` on, counted over all pages, are made anew, none of those before it given
   * again. Null if it cannot be said.
   */
  anew(from: number): ReplayPoint | null;
  /** its rows are never made anew: what an effect answered, or what was written */
  readonly stands?: boolean;
  /** nodes whose rows this one is made of */
  readonly sources: readonly Feed[];
  /** nodes whose rows it fills its requests with, where a cursor keeps them as they are */
  readonly constants?: readonly Feed[];
  /** made of all rows of its source at once: a cut is continued by making it anew (PLAN-080) */
  readonly whole?: boolean;
  /** makes effects: cut before its last one, it is not done, whatever it has performed (PLAN-070) */
  readonly performs?: boolean;
}

/** The input of a node failed, was skipped or was cut: how the node itself ends (PLAN-070). */
export class SourceEnded extends Error {
  override readonly name = "SourceEnded";
  readonly source: Feed;
  constructor(source: Feed) {
    super(`input ${source.id} ended`);
    this.source = source;
  }
}

export type Ending =
  | { readonly kind: "open" | "ended" }
  | { readonly kind: "cut"; readonly by: PartialReason }
  | { readonly kind: "failed"; readonly error: RunError }
  | { readonly kind: "skipped"; readonly reason: string };

function satisfied(rows: number, demand: Demand): boolean {
  if (demand === "all") return false;
  return demand === "page" ? rows > 0 : rows >= demand.rows;
}

/** Who is told of a feed's life: progress, and defects for the host's log. */
export interface FeedWatch {
  readonly onStart: (feed: Feed) => void;
  /** `rows` is how many there are, those of the step under way included */
  readonly onRows: (feed: Feed, rows: number) => void;
  readonly onEnd: (feed: Feed) => void;
  readonly onDefect: (error: unknown) => void;
  /** removes secrets from what errors and diagnostics say (RUN-142) */
  readonly redact: (text: string) => string;
  /** where rows are put away while they are not read */
  readonly shelf: Shelf;
}

/** What reading asks of the node it reads for: its name in requests, and where it says what is odd. */
export type NodeContext = Pick<Feed, "id" | "log"> & {
  readonly mark: (reason: PartialReason) => void;
};

/** Where what is odd about the answers of one capability is noted (OPS-66). */
export function answeredBy(
  site: NodeContext,
  { catalog, capability }: { readonly catalog: Catalog; readonly capability: Capability },
): NodeContext {
  const { entryId, digest } = catalog;
  const log = site.log.of({ entryId, digest, capability: capability.name });
  return { id: site.id, log, mark: (reason) => site.mark(reason) };
}

/** What earlier pages left of a feed. */
export interface Restored {
  /** rows that come next */
  readonly rows: readonly Row[];
  /** whether they are the last */
  readonly ended: boolean;
  /** how many rows were given */
  readonly before: number;
  /** those rows, if its rows stand as they are; else none */
  readonly past: readonly Row[];
  /** why rows are missing behind the last of them */
  readonly short?: ShortEnd | null;
}

/** The row of a `=>` that a feed runs for: what `_` stands for, and where diagnostics go. */
export interface Item {
  readonly row: Row;
  /** its index in the source of the `=>` */
  readonly index: number;
  readonly log: DiagnosticLog;
}

/**
 * The rows of one node, or of one item of a `=>`, as they are read: pulled by its consumers, each row
 * made once, in an order that does not depend on who asks or when (RUN-002, PLAN-061).
 */
export class Feed {
  readonly id: string;
  readonly log: DiagnosticLog;
  readonly item: Item | null;
  readonly #rows: RowList;
  #past: readonly Row[] = [];
  #before = 0;
  readonly #open: (feed: Feed) => RowReader;
  readonly #watch: FeedWatch;
  #steps = 0;
  #started = false;
  #reader: RowReader | null = null;
  #ending: Ending = { kind: "open" };
  #mark: PartialReason | null = null;
  #short: RunDiagnosticCode | null = null;
  #turn: Promise<void> = Promise.resolve();

  constructor(
    id: string,
    open: (feed: Feed) => RowReader,
    watch: FeedWatch,
    item: Item | null = null,
  ) {
    this.id = id;
    this.item = item;
    this.#open = open;
    this.#watch = watch;
    this.#rows = new RowList(watch.shelf);
    this.log = item?.log ?? createDiagnosticLog(id, watch.redact);
  }

  get rows(): RowSequence {
    return this.#rows;
  }

  get ending(): Ending {
    return this.#ending;
  }

  /** Whether any part of it was read before it ended. */
  get began(): boolean {
    return this.#steps > 0 || this.#rows.length > 0;
  }

  /** how many rows earlier pages gave */
  get before(): number {
    return this.#before;
  }

  /** The rows of earlier pages, where they are kept, and those of this one. */
  get allRows(): readonly Row[] {
    return [...this.#past, ...this.#rows.slice()];
  }

  /** Goes on where an earlier page left off. */
  restore({ rows, ended, before, past, short = null }: Restored): void {
    atOnce(this.#rows.add(rows));
    this.#past = past;
    this.#before = before;
    if (ended) this.#ending = { kind: "ended" };
    if (short === null) return;
    this.#short = short.reason;
    this.log.add(short.reason, short.detail);
  }

  /** Says that the rows lack something, without ending them (RUN-003); what reading on mends goes first. */
  mark(reason: PartialReason): void {
    const known = this.#mark;
    if (known === null || (isStopReason(reason) && !isStopReason(known))) this.#mark = reason;
  }

  /** Takes a mark back that what was read since has shown to be wrong. */
  unmark(reason: RunDiagnosticCode): void {
    if (this.#mark === reason) this.#mark = null;
  }

  /** Tells of rows that the step under way has so far, for steps that take long (OPS-18). */
  grow(rows: number): void {
    this.#watch.onRows(this, this.#rows.length + rows);
  }

  /** Ends a node that was not read at all: it is held back, or a budget or cancel forbids it (PLAN-070). */
  holdBack(ending: Extract<Ending, { kind: "skipped" | "cut" }>): void {
    if (this.#ending.kind !== "open" || this.began) return;
    this.#ending = ending;
    this.#watch.onEnd(this);
  }

  /** Fails a node whose rows are there, but cannot be told. */
  refuse(what: FailureDetail): void {
    this.#ending = { kind: "failed", error: this.errorOf(what) };
  }

  /** Why the rows in hand are not whole, inputs included (PLAN-051). */
  get partial(): PartialReason | null {
    if (this.#ending.kind === "cut") return this.#ending.by;
    return this.partialMark ?? this.#short;
  }

  /** Why rows are missing behind the last one, which counts only for those who reach it (RUN-003). */
  get short(): RunDiagnosticCode | null {
    return this.#short;
  }

  /** The mark of this feed or of what it is made of; a cut counts only for those who reach it. */
  get partialMark(): PartialReason | null {
    if (this.#mark !== null) return this.#mark;
    for (const source of this.reader.sources) {
      const mark = source.partialMark;
      if (mark !== null) return mark;
    }
    return null;
  }

  get reader(): RowReader {
    this.#reader ??= this.#open(this);
    return this.#reader;
  }

  /** Reads until the demand is met or no more rows come; never throws for what a run may meet. */
  async read(demand: Demand): Promise<void> {
    const before = this.#turn;
    let done = (): void => undefined;
    this.#turn = new Promise((resolve) => {
      done = resolve;
    });
    await before;
    if (!this.#started) {
      this.#started = true;
      this.#watch.onStart(this);
    }
    try {
      while (this.#ending.kind === "open" && !satisfied(this.#rows.length, demand)) {
        await this.#step(demand);
      }
    } finally {
      done();
    }
  }

  /** Reads for a consumer; throws {@link SourceEnded} if it failed, was skipped, or was cut short. */
  async need(demand: Demand): Promise<void> {
    await this.read(demand);
    const { kind } = this.#ending;
    if (kind === "failed" || kind === "skipped") throw new SourceEnded(this);
    if (kind === "cut" && !satisfied(this.#rows.length, demand)) throw new SourceEnded(this);
  }

  /**
   * Reads for a consumer that works on the rows in hand when its input is cut; gives what cut it, or
   * null. Throws {@link SourceEnded} if the input failed or was skipped.
   */
  async needInHand(demand: Demand): Promise<PartialReason | null> {
    await this.read(demand);
    const ending = this.#ending;
    if (ending.kind === "failed" || ending.kind === "skipped") throw new SourceEnded(this);
    return ending.kind === "cut" ? ending.by : null;
  }

  /** Whether nothing comes after its first `used` rows. */
  isUsedUp(used: number): boolean {
    return this.#ending.kind === "ended" && used >= this.#rows.length;
  }

  /** The error of a failed row or node: a failure with its place (RUN-150). */
  errorOf(what: FailureDetail, row: number | null = this.item?.index ?? null): RunError {
    const { redact } = this.#watch;
    const { code, retryable, retryAfter, request, within } = what;
    const place = within === undefined ? {} : { within };
    const said = { message: redact(what.message), correction: redact(what.correction) };
    const at = { node: this.id, row, ...place };
    return Object.freeze({ code, ...said, retryable, retryAfter, request, ...at });
  }

  async #step(demand: Demand): Promise<void> {
    try {
      const step = await this.reader.read(this.#rows.length, demand);
      await inSlices(this.#rows.add(step.rows, step.held), nextTurn);
      this.#steps += 1;
      if (step.rows.length > 0) this.#watch.onRows(this, this.#rows.length);
      if (step.ended) this.#end(step);
    } catch (error) {
      this.#ending = this.#endingOf(error);
    }
    if (this.#ending.kind !== "open") this.#watch.onEnd(this);
  }

  /**
   * Ends with what a last step says is missing, or what is missing behind the rows it was made of: where
   * it is made of all of them at once, each of its rows lacks it (LANG-067).
   */
  #end({ short = null, full = false }: ReadStep): void {
    this.#ending = { kind: "ended" };
    const { sources, whole } = this.reader;
    const behind = full ? null : (sources.find((each) => each.short !== null)?.short ?? null);
    const reason = short ?? behind;
    if (reason === null) return;
    if (whole === true) this.mark(reason);
    else this.#short = reason;
  }

  #endingOf(error: unknown): Ending {
    if (error instanceof RunStop) {
      // Of a node that shows nothing, no rows would look like what there is: it names the API that hung.
      const hung = this.#rows.length === 0 ? error.hung : null;
      if (hung !== null) return { kind: "failed", error: this.errorOf(hung) };
      return { kind: "cut", by: error.reason };
    }
    if (error instanceof RunFailure) {
      const { failure: what, row } = error;
      return { kind: "failed", error: this.errorOf(what, row ?? undefined) };
    }
    if (error instanceof SourceEnded) {
      const { ending, id } = error.source;
      if (ending.kind === "cut") return { kind: "cut", by: ending.by };
      const how = ending.kind === "skipped" ? "was skipped" : "failed";
      return { kind: "skipped", reason: `input ${id} ${how}` };
    }
    this.#watch.onDefect(error);
    const what = error instanceof Error ? error.name : typeof error;
    return {
      kind: "failed",
      error: this.errorOf(
        failure("internal", `An internal error stopped this step (${what}).`, "report it"),
      ),
    };
  }
}
