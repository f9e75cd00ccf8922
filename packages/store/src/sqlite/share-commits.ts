import { setImmediate as roundOfLoop } from "node:timers/promises";
import { CompiledQuery, type Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { MOST_UNSYNCED } from "./power-loss.ts";
import type { SharedSync } from "./shared-sync.ts";
import { StoreUnavailableError } from "../store-unavailable-error.ts";

type Work<T> = (tx: Kysely<Tables>) => Promise<T>;

/** How work is done. */
interface Manner {
  /** it does not wait for the disk, as long as that is not far behind */
  readonly soon: boolean;
  /** it is done and told before all that waits */
  readonly first?: boolean;
  /** it is one statement, of which nothing stays if it throws */
  readonly single?: boolean;
}

/** One caller's work, which others' failures are not to touch. */
interface Piece {
  readonly manner: Manner;
  /**
   * Does it, or keeps what it threw; whether others share the transaction. Throws a fault of the store: SQLite may have
   * ended the transaction, so that what others write after it would stand alone.
   */
  run(tx: Kysely<Tables>, shared: boolean): Promise<void>;
  /** Throws what the work threw. */
  check(): void;
  /** Tells the caller, or why it failed. */
  settle(failure: { readonly cause: unknown } | null): void;
}

type Outcome<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "thrown"; readonly thrown: unknown };

const SAVEPOINT = CompiledQuery.raw("savepoint piece");
const ROLLBACK = CompiledQuery.raw("rollback to piece");
const RELEASE = CompiledQuery.raw("release piece");

const isOfStore = (thrown: unknown): boolean => thrown instanceof StoreUnavailableError;

/** Undoes all that the work did if it throws, and nothing else; a fault of the store ends the whole transaction. */
const undoable =
  <T>(work: Work<T>): Work<T> =>
  async (tx) => {
    await tx.executeQuery(SAVEPOINT);
    try {
      const value = await work(tx);
      await tx.executeQuery(RELEASE);
      return value;
    } catch (thrown) {
      if (isOfStore(thrown)) throw thrown;
      await tx.executeQuery(ROLLBACK);
      await tx.executeQuery(RELEASE);
      throw thrown;
    }
  };

/** A piece of a caller's work, which is told by `resolve` or `reject` once it is settled. */
function pieceOf<T>(
  work: Work<T>,
  manner: Manner,
  resolve: (value: T) => void,
  reject: (cause: unknown) => void,
): Piece {
  let outcome: Outcome<T> | null = null;
  return {
    manner,
    run: async (tx, shared) => {
      const isUndone = !shared || manner.single === true;
      outcome = await (isUndone ? work : undoable(work))(tx).then(
        (value) => ({ kind: "value" as const, value }),
        (thrown: unknown) => ({ kind: "thrown" as const, thrown }),
      );
      if (outcome.kind === "thrown" && isOfStore(outcome.thrown)) throw outcome.thrown;
    },
    check: () => {
      if (outcome?.kind === "thrown") throw outcome.thrown;
    },
    settle: (failure) => {
      if (outcome?.kind === "thrown") reject(outcome.thrown);
      else if (outcome === null || failure !== null) reject(failure?.cause);
      else resolve(outcome.value);
    },
  };
}

/** Writes to one database that wait for the disk together. */
export interface SharedCommits {
  /**
   * Runs work as if it were alone in the database. Resolves when all of it is durable; nothing of it stays
   * if it throws.
   */
  alone<T>(work: Work<T>): Promise<T>;
  /** The same before all that waits, however much that is: for a look at whether the database can be written. */
  first<T>(work: Work<T>): Promise<T>;
  /**
   * The same, resolved when others see it: it is durable with whatever is awaited after it. Where the disk has so many
   * pieces still to take, it is waited for ({@link MOST_UNSYNCED}).
   */
  soon<T>(work: Work<T>): Promise<T>;
  /**
   * The same for a statement that nobody waits for: it goes along with what is written next, or alone a round of the event
   * loop later, when its caller is likely to wait for something else.
   */
  later(statement: Work<unknown>): void;
  /**
   * Resolves when the disk has all that was written before, and what was left for later; rejects if either has
   * failed, of the latter once.
   */
  durable(): Promise<void>;
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>;
}

/** So many at most, so that others have their turn. */
const MOST = 50;

const failureOf = (done: Promise<unknown>): Promise<{ readonly cause: unknown } | null> =>
  done.then(
    () => null,
    (cause: unknown) => ({ cause }),
  );

/** Tells callers one in each round of the event loop: what they go on to do would else be done in one stretch. */
class Telling {
  readonly #untold: (() => void)[] = [];
  #ended: Promise<void> | null = null;

  /** Resolves when nobody waits to be told. */
  get ended(): Promise<void> {
    return this.#ended ?? Promise.resolve();
  }

  add(pieces: readonly Piece[], failure: { readonly cause: unknown } | null): void {
    for (const piece of pieces) {
      const tell = (): void => piece.settle(failure);
      if (piece.manner.first === true) this.#untold.unshift(tell);
      else this.#untold.push(tell);
    }
    if (this.#untold.length > 0) this.#ended ??= this.#tell();
  }

  async #tell(): Promise<void> {
    while (this.#untold.length > 0) {
      this.#untold.shift()?.();
      await roundOfLoop();
    }
    this.#ended = null;
  }
}

/**
 * Does pieces in one transaction; tells their callers, those who wait for the disk when it has all of it. Where that is
 * far behind, others wait for it, too, and are told even if it fails.
 */
async function commit(
  db: Kysely<Tables>,
  disk: SharedSync,
  pieces: readonly Piece[],
  stillThere: () => void,
  telling: Telling,
): Promise<void> {
  const all = async (tx: Kysely<Tables>): Promise<void> => {
    stillThere();
    const shared = pieces.length > 1;
    for (const piece of pieces) await piece.run(tx, shared);
    // One that has the transaction to itself takes all of it back.
    if (!shared) for (const piece of pieces) piece.check();
  };
  const room = MOST_UNSYNCED - disk.behind;
  const failure = await failureOf(db.transaction().execute(all));
  disk.wrote(pieces.length);
  const soon = pieces.filter(({ manner }) => failure !== null || manner.soon);
  const atOnce = failure === null ? soon.slice(0, Math.max(0, room)) : soon;
  telling.add(atOnce, failure);
  const patient = pieces.filter((piece) => !atOnce.includes(piece));
  if (patient.length === 0) return;
  void failureOf(disk.reached()).then((lost) => {
    for (const piece of patient) telling.add([piece], piece.manner.soon ? null : lost);
  });
}

/**
 * Has writes that are asked for in one round of the event loop share one transaction, one after the
 * other. Between two of them the event loop goes round, since SQLite answers at once and promises alone would
 * never let it. The disk is waited for beside all that: commits that come meanwhile share the next wait. `stillThere` throws
 * where the file was deleted meanwhile: what is written to it then would be lost with the process.
 */
export function shareCommits(
  db: Kysely<Tables>,
  disk: SharedSync,
  stillThere: () => void = () => undefined,
): SharedCommits {
  const waiting: Piece[] = [];
  const telling = new Telling();
  const losses: { readonly cause: unknown }[] = [];
  let flushing: Promise<void> | null = null;
  let resting: NodeJS.Immediate | undefined;
  let behind = 0;
  let last: Promise<void> = Promise.resolve();

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      await roundOfLoop();
      await commit(db, disk, waiting.splice(0, MOST), stillThere, telling);
    }
    flushing = null;
  };

  const begin = (): void => {
    clearImmediate(resting);
    resting = undefined;
    if (waiting.length > 0) flushing ??= flush();
  };

  const ask = <T>(work: Work<T>, manner: Manner, start: () => void = begin): Promise<T> =>
    new Promise((resolve, reject) => {
      const piece = pieceOf(work, manner, resolve, reject);
      if (manner.first === true) waiting.unshift(piece);
      else waiting.push(piece);
      start();
    });

  const rest = (): void => {
    if (flushing === null) resting ??= setImmediate(begin);
  };

  /** Resolves when what was left for later is there: pieces go in their order, so that the last one tells. */
  const caughtUp = async (): Promise<void> => {
    begin();
    await last;
    const [lost] = losses.splice(0);
    if (lost !== undefined) throw lost.cause;
  };

  const leave = async (statement: Work<unknown>): Promise<void> => {
    behind += 1;
    const failure = await failureOf(ask(statement, { soon: true, single: true }, rest));
    behind -= 1;
    if (failure !== null) losses.push(failure);
  };

  return {
    alone: (work) => ask(work, { soon: false }),
    first: (work) => ask(work, { soon: false, first: true }),
    soon: (work) => ask(work, { soon: true }),
    later: (statement) => {
      last = leave(statement);
    },
    // Who is not behind asks the disk at once: what is done meanwhile takes no time.
    durable: () =>
      behind + losses.length === 0 ? disk.reached() : caughtUp().then(() => disk.reached()),
    settled: async () => {
      begin();
      await flushing;
      // Whoever awaits it is told why not.
      await disk.reached().catch(() => undefined);
      await telling.ended;
    },
  };
}
