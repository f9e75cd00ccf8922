import type { EffectFacts } from "../../effects/effect-recorder.ts";
import type { Row } from "../../rows/row.ts";
import { failure, RunFailure } from "../../run-failure.ts";
import { isStopReason, RunStop } from "../../limits/budget.ts";
import type { Engine } from "../engine.ts";
import { type Feed, type ReadStep, type RowReader, SourceEnded } from "../feed.ts";
import { hydrate } from "../hydrate.ts";
import { openItem } from "../item-feed.ts";
import type { EffectBody, ForEachNode } from "../node-types.ts";
import { cursorPaths, requestValues } from "../plan-values.ts";
import { neededNames, wholeBases } from "../row-filter.ts";
import { effectFacts } from "./effect-facts.ts";
import { effectNode } from "./effect-node.ts";
import { partialSource, refusePartial, rowsName } from "./refuse-partial.ts";

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
 * Runs an effect per row, one at a time in row order; the first that fails ends it (PLAN-060, PLAN-071,
 * LANG-071). Its rows are counted first, and completed (PLAN-052, LANG-076).
 */
class EffectPerRow implements RowReader {
  readonly performs = true;
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

  async #begin(): Promise<readonly Row[]> {
    const engine = this.#engine;
    try {
      const cut = await this.#source.needInHand("all");
      const reason = cut ?? this.#source.partial;
      if (reason !== null) throw partialSource(rowsName(this.#engine, this.#source.id), reason);
      const { rows } = this.#source;
      const { fan_out: most } = engine.budget.limits;
      if (rows.length > most) throw tooMany(rows.length, most);
      const values = requestValues(this.#body);
      if (rows.length > 0) await refusePartial(engine, values);
      await this.#complete(rows, neededNames(cursorPaths(values)));
      if (rows.length > 0) await engine.effects.expect(this.#factsFrom(rows, 0));
      return rows;
    } catch (error) {
      const what = error instanceof RunFailure ? this.#feed.errorOf(error.failure) : null;
      engine.effects.skip(effectFacts(engine, this.#feed, this.#body), what);
      throw error;
    }
  }

  /** Reads what the rows lack before the first effect: later it might be another (LANG-073). */
  async #complete(rows: readonly Row[], names: readonly string[]): Promise<void> {
    const stopped = await hydrate(this.#engine, this.#feed, wholeBases(rows), names, names);
    if (stopped !== null) throw new RunStop(stopped);
    const mark = this.#feed.partialMark;
    if (mark !== null) throw partialSource(rowsName(this.#engine, this.#source.id), mark);
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
