import type { JsonObject, PlanNode } from "@plasm/core";
import { isArray } from "../json-kinds.ts";
import { rowName } from "../rows/row.ts";
import type { Rows } from "../rows/row-list.ts";
import { RunStop } from "../limits/budget.ts";
import { failure, RunFailure } from "../run-failure.ts";
import type { Engine } from "./engine.ts";
import type { Feed, RowReader } from "./feed.ts";
import { rowsName } from "./rows-name.ts";
import { ShownRows, withShown } from "./shown-rows.ts";

type Names = readonly (string | null)[];

const namesOf = (state: JsonObject | null): Names => {
  const names = state?.["names"];
  return isArray(names) ? names.map((one) => (typeof one === "string" ? one : null)) : [];
};

/** A step that must see all rows and used up what the run may work: of a part of them it would be wrong (PLAN-053). */
function tooMuchWork({ engine, node }: MadeAtOnce): RunFailure {
  const name = rowsName(engine, node.id);
  const most = engine.budget.limits.work.toLocaleString("en-US");
  return new RunFailure(
    failure(
      "budget_exceeded",
      `Making ${name} takes more work than this run may do: ${most} units in all.`,
      "use fewer rows with .limit(n) or a narrower condition, or fewer conditions, keys, aggregates or columns, or raise the setting work",
    ),
  );
}

async function made(step: MadeAtOnce): Promise<Rows> {
  try {
    return await step.make();
  } catch (thrown) {
    throw thrown instanceof RunStop && thrown.reason === "work" ? tooMuchWork(step) : thrown;
  }
}

interface MadeAtOnce {
  readonly engine: Engine;
  readonly feed: Feed;
  readonly node: PlanNode;
  /** where a cursor left it */
  readonly state: JsonObject | null;
  readonly sources: readonly Feed[];
  readonly make: () => Promise<Rows>;
}

/**
 * A node whose rows are made of all rows of its sources at once (LANG-067). Made anew after an effect,
 * it gives those that were not shown: known by name, or by their number (PLAN-083).
 */
export function wholeReader(step: MadeAtOnce): RowReader {
  const { feed, node, state, sources } = step;
  /** what the rows of earlier pages are known by */
  const before = namesOf(state);
  const names = (count: number): Names => {
    const own = feed.rows.slice(0, Math.max(0, count - before.length));
    return [...before, ...own.map(rowName)].slice(0, count);
  };
  return {
    sources,
    whole: true,
    async read() {
      const rows = await made(step);
      if (before.length === 0) return { rows, ended: true };
      const shown = new ShownRows(withShown({}, before));
      return { rows: shown.dropBare(shown.drop([...rows])), ended: true };
    },
    save: (given) => ({ node, state: given === 0 ? {} : { names: names(given) }, used: 0 }),
    anew: (from) => ({ node, state: from === 0 ? {} : { names: names(from) }, from: 0 }),
  };
}
