import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { StoreUnavailableError } from "../store-unavailable-error.ts";
import { busyError, isLost, isRace } from "./postgres-error.ts";

const MOST_TRIES = 40;
const LONGEST_PAUSE_MS = 100;

const causeOf = (thrown: unknown): unknown =>
  thrown instanceof StoreUnavailableError ? thrown.cause : thrown;

/** Times that a transaction begins again because its connection broke before it was to be committed. */
const MOST_LOSSES = 3;

/**
 * Runs work in a serializable transaction, again as often as it lost a race, and where its connection broke before
 * its end: with whatever runs beside it, it comes to what one after the other would have come to. Work must change
 * nothing but the database. A connection that breaks while it commits leaves open whether it has.
 */
export async function alone<T>(
  db: Kysely<Tables>,
  work: (tx: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  let losses = 0;
  for (let tries = 1; ; tries += 1) {
    let isDone = false;
    try {
      return await db
        .transaction()
        .setIsolationLevel("serializable")
        .execute(async (tx) => {
          const result = await work(tx);
          isDone = true;
          return result;
        });
    } catch (thrown) {
      const isOver = isDone || losses === MOST_LOSSES;
      if (!isOver && isLost(causeOf(thrown))) {
        losses += 1;
        continue;
      }
      if (!isRace(thrown)) throw thrown;
      if (tries === MOST_TRIES) throw busyError(thrown);
      await delay(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** tries));
    }
  }
}
