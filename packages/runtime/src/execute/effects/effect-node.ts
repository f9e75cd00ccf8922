import type { Engine } from "../engine.ts";
import type { Feed, RowReader } from "../feed.ts";
import type { EffectBody } from "../node-types.ts";
import { performEffect } from "./perform-effect.ts";

/** Creates, updates, deletes or acts, once; its rows are what the API answers (LANG-075, RUN-040). */
export function effectNode(engine: Engine, feed: Feed, body: EffectBody): RowReader {
  return {
    sources: [],
    performs: true,
    read: async () => ({ rows: await performEffect(engine, feed, body), ended: true }),
    // Continuing makes reads only (PLAN-081).
    save: () => null,
    anew: () => null,
    stands: true,
  };
}
