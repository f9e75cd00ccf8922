import type { EffectFacts } from "../../effects/effect-recorder.ts";
import type { Row } from "../../rows/row.ts";
import { RunFailure } from "../../run-failure.ts";
import { isStopReason, RunStop } from "../../limits/budget.ts";
import type { Engine } from "../engine.ts";
import { type Feed, type ReadStep, type RowReader, SourceEnded } from "../feed.ts";
import { openItem } from "../item-feed.ts";
import type { EffectBody, ForEachNode } from "../node-types.ts";
import { rowsName } from "../rows-name.ts";
import { effectFacts } from "./effect-facts.ts";
import { effectNode } from "./effect-node.ts";
import { itemRows } from "./item-rows.ts";
import { partialSource } from "./refuse-partial.ts";

/**
 * Runs an effect per row, one at a time in row order; the first that fails ends it (PLAN-060, PLAN-071,
 * LANG-071). Its rows are counted first, and completed (PLAN-052, LANG-076).
 */
class EffectPerRow implements RowReader {
  readonly performs = true;
  readonly stands = true;
  readonly sources: readonly Feed[];
  readonly #engine: Engine;
  readonly #feed: Feed;
  readonly #body: EffectBody;
  readonly #source: Feed;
  #rows: readonly Row[] | null = null;
  #next = 0;

  constructor(engine: Engine, feed: Feed, node: ForEachNode, body: EffectBody) {
    this.#engine = engine;
    this.#feed = feed;
    this.#body = body;
    this.#source = engine.feedOf(node.source);
    this.sources = [this.#source];
  }

  async read(): Promise<ReadStep> {
    this.#rows ??= await this.#begin();
    const rows = this.#rows;
    const row = rows[this.#next];
    if (row === undefined) return { rows: [], ended: true };
    const index = this.#next;
    this.#next += 1;
    const given = await this.#perform(row, index);
    return { rows: given, ended: this.#next >= rows.length };
  }

  save(): null {
    return null;
  }

  anew(): null {
    return null;
  }

  async #begin(): Promise<readonly Row[]> {
    const engine = this.#engine;
    try {
      const rows = await itemRows(engine, this.#feed, this.#source, this.#body);
      if (rows.length > 0) await engine.effects.expect(this.#factsFrom(rows, 0));
      return rows;
    } catch (error) {
      const what = error instanceof RunFailure ? this.#feed.errorOf(error.failure) : null;
      engine.effects.skip(effectFacts(engine, this.#feed, this.#body), what);
      throw error;
    }
  }

  async #perform(row: Row, index: number): Promise<readonly Row[]> {
    const item = openItem(this.#engine, this.#feed, row, index, (own) =>
      effectNode(this.#engine, own, this.#body),
    );
    await item.read("all");
    const { ending, partialMark: mark } = item;
    if (mark !== null) this.#feed.mark(mark);
    if (ending.kind === "ended") return item.rows;
    this.#skipLater();
    switch (ending.kind) {
      case "failed":
        throw new RunFailure(ending.error, index);
      case "cut":
        throw isStopReason(ending.by)
          ? new RunStop(ending.by)
          : partialSource(rowsName(this.#engine, this.#source.id), ending.by);
      default:
        throw new SourceEnded(this.#source);
    }
  }

  /** What can be said of the items from an index on, without reading or filling anything. */
  #factsFrom(rows: readonly Row[], start: number): readonly EffectFacts[] {
    const engine = this.#engine;
    return rows.slice(start).map((row, at) => {
      const item = openItem(engine, this.#feed, row, start + at, (own) =>
        effectNode(engine, own, this.#body),
      );
      return effectFacts(engine, item, this.#body);
    });
  }

  #skipLater(): void {
    for (const facts of this.#factsFrom(this.#rows ?? [], this.#next)) {
      this.#engine.effects.skip(facts, null);
    }
  }
}

/** An effect per row of a node, in row order. */
export const effectPerRow = (
  engine: Engine,
  feed: Feed,
  node: ForEachNode,
  body: EffectBody,
): RowReader => new EffectPerRow(engine, feed, node, body);
