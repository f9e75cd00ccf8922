import { CompiledQuery, type Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { StoreUnavailableError } from "../store-unavailable-error.ts";

export type Work<T> = (tx: Kysely<Tables>) => Promise<T>;

/** How work is done. */
export interface Manner {
  /** it does not wait for the disk */
  readonly soon: boolean;
  /** it is done and told before all that waits */
  readonly first?: boolean;
  /** it is one statement, of which nothing stays if it throws */
  readonly single?: boolean;
}

/** One caller's work, which others' failures are not to touch. */
export interface Piece {
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
export function pieceOf<T>(
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
