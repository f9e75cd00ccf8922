import { failure, RunFailure } from "../run-failure.ts";
import { type Feed, type RowReader, SourceEnded } from "./feed.ts";
import { wholeReader } from "./whole-reader.ts";
import type { WholeStep } from "./whole-source.ts";

/** The failure of `.singleton()`: how many rows there are, as far as they were read (LANG-068). */
function singletonCount({ rows, ending }: Feed): RunFailure {
  const known = ending.kind === "ended" ? `${rows.length}` : `at least ${rows.length}`;
  const correction =
    rows.length === 0
      ? "check the condition, or use .limit(1), which takes what there is"
      : "add a condition, give the key, or take the first with .limit(1)";
  return new RunFailure(
    failure("singleton_count", `Exactly one row is needed, ${known} came.`, correction),
  );
}

/**
 * The only row of its source, of which it reads two (LANG-068). Where a budget cut the source after
 * one, that row is marked: reading on may find another.
 */
export function singletonNode(step: WholeStep): RowReader {
  const { feed, source } = step;
  return wholeReader({
    ...step,
    sources: [source],
    async make() {
      const cut = await source.needInHand({ rows: 2 });
      const { rows } = source;
      if (rows.length === 0 && cut !== null) throw new SourceEnded(source);
      if (rows.length !== 1) throw singletonCount(source);
      if (cut !== null) feed.mark(cut);
      return rows.slice(0, 1);
    },
  });
}
