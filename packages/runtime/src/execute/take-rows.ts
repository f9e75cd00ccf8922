import { type Demand, type Feed, SourceEnded } from "./feed.ts";
import type { Row } from "../rows/row.ts";

/** So many rows of all are in hand at a time. */
export const PORTION = 2_048;

/** The next rows of a source for a node that makes one row of each. */
export interface TakenRows {
  readonly rows: readonly Row[];
  /** whether nothing comes after them */
  readonly last: boolean;
}

/**
 * Takes the rows after the first `used`: as many as the demand asks for, `have` being there, and of
 * those in hand as many ahead as it would take. Throws SourceEnded where the source ended without
 * more.
 */
export async function takeRows(
  source: Feed,
  used: number,
  have: number,
  demand: Demand,
): Promise<TakenRows> {
  const needed = typeof demand === "object" ? Math.max(1, demand.rows - have) : 1;
  const ahead = typeof demand === "object" ? (demand.ahead ?? 0) : Number.POSITIVE_INFINITY;
  const cut = await source.needInHand(demand === "all" ? "all" : { rows: used + needed, ahead });
  // Of all rows there may be too many to have them in hand at once: those that are left are taken next.
  const most = demand === "all" ? PORTION : needed + ahead;
  const rows = source.rows.slice(used, used + most);
  if (rows.length === 0 && cut !== null) throw new SourceEnded(source);
  return { rows, last: source.isUsedUp(used + rows.length) };
}
