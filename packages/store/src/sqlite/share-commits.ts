import { setImmediate } from "node:timers/promises";
import { CompiledQuery, type Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";

type Work<T> = (tx: Kysely<Tables>) => Promise<T>;

/** Writes to one database that wait for the disk together. */
export interface SharedCommits {
  /**
   * Runs work as if it were alone in the database. Resolves when all of it is durable; nothing of it stays
   * if it throws.
   */
  alone<T>(work: Work<T>): Promise<T>;
  /** Resolves when nothing waits. */
  settled(): Promise<void>;
}

/** So many at most, so that others have their turn. */
const MOST = 50;

/** One caller's work, which others' failures are not to touch. */
interface Piece {
  /** Does it, or keeps what it threw; whether others share the transaction. */
  run(tx: Kysely<Tables>, shared: boolean): Promise<void>;
  /** Throws what the work threw. */
  check(): void;
  /** Tells the caller, once all is durable, or why it is not. */
  settle(failure: { readonly cause: unknown } | null): void;
}

type Outcome<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "thrown"; readonly thrown: unknown };

const SAVEPOINT = CompiledQuery.raw("savepoint piece");
const ROLLBACK = CompiledQuery.raw("rollback to piece");
const RELEASE = CompiledQuery.raw("release piece");

/** Undoes all that the work did if it throws, and nothing else. */
const undoable =
  <T>(work: Work<T>): Work<T> =>
  async (tx) => {
    await tx.executeQuery(SAVEPOINT);
    try {
      return await work(tx);
    } catch (thrown) {
      await tx.executeQuery(ROLLBACK);
      throw thrown;
    } finally {
      await tx.executeQuery(RELEASE);
    }
  };

function pieceOf<T>(
  work: Work<T>,
  resolve: (value: T) => void,
  reject: (cause: unknown) => void,
): Piece {
  let outcome: Outcome<T> | null = null;
  return {
    run: async (tx, shared) => {
      outcome = await (shared ? undoable(work) : work)(tx).then(
        (value) => ({ kind: "value" as const, value }),
        (thrown: unknown) => ({ kind: "thrown" as const, thrown }),
      );
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

/**
 * Has writes that are asked for in one round of the event loop share one transaction, one after the
 * other: a commit waits for the disk, which costs more than all else of a write. Between two of them the
 * event loop goes round, since SQLite answers at once and promises alone would never let it.
 */
export function shareCommits(db: Kysely<Tables>): SharedCommits {
  const waiting: Piece[] = [];
  let flushing: Promise<void> | null = null;

  const commit = async (pieces: readonly Piece[]): Promise<void> => {
    const all = async (tx: Kysely<Tables>): Promise<void> => {
      const shared = pieces.length > 1;
      for (const piece of pieces) await piece.run(tx, shared);
      // One that has the transaction to itself takes all of it back.
      if (!shared) for (const piece of pieces) piece.check();
    };
    const failure = await db
      .transaction()
      .execute(all)
      .then(
        () => null,
        (cause: unknown) => ({ cause }),
      );
    for (const piece of pieces) piece.settle(failure);
  };

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      await setImmediate();
      await commit(waiting.splice(0, MOST));
    }
    flushing = null;
  };

  return {
    alone: (work) =>
      new Promise((resolve, reject) => {
        waiting.push(pieceOf(work, resolve, reject));
        flushing ??= flush();
      }),
    settled: async () => {
      await flushing;
    },
  };
}
