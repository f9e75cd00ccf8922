import type { Pred } from "@plasm/core";
import { BATCH, batchSize, filterRows } from "./row-filter.ts";
import type { ComputeNode } from "./node-types.ts";
import type { Engine } from "./engine.ts";
import { type Feed, type RowReader, SourceEnded } from "./feed.ts";
import { isConstant, resolvePred } from "./resolve-pred.ts";
import { schemaOf } from "./row-catalog.ts";

/** Keeps the rows that match, in order (LANG-061, RUN-113). */
export function filterNode(
  engine: Engine,
  feed: Feed,
  node: ComputeNode,
  declared: Pred,
  source: Feed,
): RowReader {
  let used = 0;
  let pred: Pred | null = null;
  return {
    sources: [source],
    async read(_have, demand) {
      const next = { rows: used + 1, ahead: BATCH };
      const cut = await source.needInHand(demand === "all" ? "all" : next);
      const rest = source.rows.slice(used);
      if (rest.length === 0 && cut !== null) throw new SourceEnded(source);
      const schema = schemaOf(engine, rest);
      pred ??= await resolvePred(declared, { engine, feed, ...schema });
      const batch = rest.slice(
        0,
        batchSize(rest, pred, demand === "all" ? Number.POSITIVE_INFINITY : BATCH),
      );
      await engine.nextTurn();
      const rows = await filterRows(pred, batch, { engine, feed, ...schema }, []);
      used += batch.length;
      return { rows, ended: source.isUsedUp(used) };
    },
    save() {
      const filter = pred ?? (isConstant(declared) ? declared : null);
      return filter === null ? null : { node: { ...node, op: { filter } }, state: {}, used };
    },
  };
}
