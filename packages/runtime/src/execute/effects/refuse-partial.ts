import type { PlanValue } from "@plasm/core";
import type { PartialReason } from "../../diagnostic.ts";
import { isStopReason, RunStop } from "../../limits/budget.ts";
import { failure, RunFailure } from "../../run-failure.ts";
import type { Engine } from "../engine.ts";
import type { Feed } from "../feed.ts";
import { holesOf } from "../plan-values.ts";
import { rowsName } from "../rows-name.ts";

function correctionFor(reason: PartialReason): string {
  if (reason === "rows_unread") {
    return "bound the read with .limit(n) to rows that the API gives at once, or with a narrower condition";
  }
  if (reason === "condition_unmet") {
    return "test the condition on the rows as the diagnostic says, or correct the catalog: the API does not keep to it";
  }
  return isStopReason(reason)
    ? `bound the read with .limit(n) or a narrower condition, or raise the setting ${reason}`
    : `leave out the rows that the diagnostic ${reason} names, or bound the read with .limit(n)`;
}

/** The failure of an effect whose input lacks rows or values (LANG-076); names what it lacks. */
export function partialSource(source: string, reason: PartialReason): RunFailure | RunStop {
  if (reason === "cancelled") return new RunStop("cancelled");
  return new RunFailure(
    failure(
      "partial_source",
      `${source} is not whole (${reason}), and no effect runs on a part of its input.`,
      correctionFor(reason),
    ),
  );
}

/**
 * Reads what an effect's values come from and refuses to go on where it is partial (LANG-076). Throws
 * RunFailure, RunStop or SourceEnded.
 */
export async function refusePartial(engine: Engine, values: readonly PlanValue[]): Promise<void> {
  for (const { from, many } of holesOf(values)) {
    const source: Feed = engine.feedOf(from);
    const cut = await source.needInHand(many ? "all" : { rows: 1 });
    // What a single cell needs is there, even if later rows are cut off.
    const reached = many || source.rows.length === 0;
    const reason = reached ? (cut ?? source.partial) : source.partialMark;
    if (reason !== null) throw partialSource(rowsName(engine, from), reason);
  }
}
