import type { Row } from "../../rows/row.ts";
import { failure, RunFailure } from "../../run-failure.ts";
import type { Engine } from "../engine.ts";
import type { Feed } from "../feed.ts";
import { hydrate } from "../hydrate.ts";
import type { EffectBody } from "../node-types.ts";
import { cursorPaths, requestValues } from "../plan-values.ts";
import { neededNames, wholeBases } from "../row-filter.ts";
import { rowsName } from "../rows-name.ts";
import { partialSource, refusePartial } from "./refuse-partial.ts";

function tooMany(found: number, most: number): RunFailure {
  return new RunFailure(
    failure(
      "budget_exceeded",
      `${found} rows would have one effect each; fan_out allows ${most}.`,
      `bound them with .limit(${most}) or a narrower condition, or raise the setting fan_out`,
    ),
  );
}

/**
 * The rows that an effect per row has one for each of: all of them, counted (PLAN-052), whole, and with
 * what the effect needs of them read now, since after the first effect it might be another (LANG-073,
 * LANG-076). `feed` is the node's, `source` its rows'. Throws RunFailure, RunStop or SourceEnded.
 */
export async function itemRows(
  engine: Engine,
  feed: Feed,
  source: Feed,
  body: EffectBody,
): Promise<readonly Row[]> {
  const cut = await source.needInHand("all");
  const reason = cut ?? source.partial;
  if (reason !== null) throw partialSource(rowsName(engine, source.id), reason);
  const { fan_out: most } = engine.budget.limits;
  const { length } = source.rows;
  if (length > most) throw tooMany(length, most);
  const rows = source.rows.slice();
  const values = requestValues(body);
  if (rows.length > 0) await refusePartial(engine, values);
  const names = neededNames(cursorPaths(values));
  const stopped = await hydrate(engine, feed, wholeBases(rows), names, names);
  if (stopped !== null) throw stopped;
  const mark = feed.partialMark;
  if (mark !== null) throw partialSource(rowsName(engine, source.id), mark);
  return rows;
}
