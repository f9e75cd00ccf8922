import type { Row } from "../rows/row.ts";
import type { Engine } from "./engine.ts";
import { Feed, type FeedWatch, type RowReader } from "./feed.ts";

/** A watch that tells nobody of progress. */
export const quietWatch = (engine: Engine): FeedWatch => ({
  onStart: () => undefined,
  onRows: () => undefined,
  onEnd: () => undefined,
  onDefect: (error) => engine.context.onDefect?.(error),
  redact: engine.redactor.redact,
  shelf: engine.shelf,
});

/** Has no rows but those that were left over. */
export const finished: RowReader = Object.freeze({
  sources: [],
  read: () => Promise.resolve({ rows: [], ended: true }),
  save: () => null,
  anew: () => null,
});

/** The feed of one item of a for_each: `_` is its row, its diagnostics are the node's (LANG-071). */
export function openItem(
  engine: Engine,
  owner: Feed,
  row: Row,
  index: number,
  open: (feed: Feed) => RowReader,
): Feed {
  return new Feed(owner.id, open, quietWatch(engine), { row, index, log: owner.log });
}
