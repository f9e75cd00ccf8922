import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { StoreUnavailableError } from "../store-unavailable-error.ts";
import { isRace } from "./postgres-error.ts";

const MOST_TRIES = 40;
const LONGEST_PAUSE_MS = 100;

/**
 * Runs work in a serializable transaction, again as often as it lost a race: with whatever runs beside
 * it, it comes to what one after the other would have come to. Work must change nothing but the database.
 */
export async function alone<T>(
  db: Kysely<Tables>,
  work: (tx: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().setIsolationLevel("serializable").execute(work);
    } catch (thrown) {
      if (!isRace(thrown)) throw thrown;
      if (tries === MOST_TRIES) {
        throw new StoreUnavailableError("The store is busy: too many changes at once.", {
          cause: thrown,
        });
      }
      await delay(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** tries));
    }
  }
}
