import type { JsonObject } from "@plasm/core";
import type { ComputeNode } from "./node-types.ts";
import { type Feed, type RowReader, SourceEnded } from "./feed.ts";

/** The first n rows (LANG-061); its source reads no further than that (RUN-076). */
export function limitNode(
  node: ComputeNode,
  limit: number,
  source: Feed,
  state: JsonObject | null,
): RowReader {
  const before = typeof state?.["given"] === "number" ? state["given"] : 0;
  const most = limit - before;
  let used = 0;
  return {
    sources: [source],
    async read(have, demand) {
      const wanted = typeof demand === "object" ? used + Math.max(1, demand.rows - have) : most;
      const cut = await source.needInHand({
        rows: Math.min(most, demand === "page" ? used + 1 : wanted),
      });
      const rows = source.rows.slice(used, most);
      if (rows.length === 0 && cut !== null && used < most) throw new SourceEnded(source);
      used += rows.length;
      return { rows, ended: used >= most || source.isUsedUp(used), full: used >= most };
    },
    save: () => ({ node, state: { given: before + used }, used }),
    anew: (from) => ({ node, state: { given: from }, from }),
  };
}
