import {
  cursorPaths,
  type EffectBody,
  type ForEachNode,
  requestValues,
} from "@plasm/core/internal";
import type { EffectFacts } from "../../effects/effect-log.ts";
import type { Row } from "../../rows/row.ts";
import { failure, RunFailure } from "../../base/run-failure.ts";
import { isStopReason, RunStop } from "../../limits/limits.ts";
import { type RunEngine, rowsName } from "../engine.ts";
import { type Feed, type ReadStep, type RowReader, SourceEnded } from "../feed.ts";
import { openItem } from "../resumed-feed.ts";
import { effectFacts, partialSource, refusePartial, unstartedFacts } from "./effect-facts.ts";
import { refuseUnmetItems } from "./preconditions.ts";
import { filledEffect } from "./prepare-effect.ts";
import { performEffect } from "./perform-effect.ts";
import { hydrate } from "../hydrate.ts";
import { neededNames, wholeBases } from "../row-filter.ts";

/**
 * Runs an effect per row, one at a time in row order; the first that fails ends it (PLAN-060, PLAN-071,
 * LANG-071). Its rows are counted first, and completed (PLAN-052, LANG-076).
 */
class EffectPerRow implements RowReader {
  readonly performs = true;
  readonly stands = true;
  readonly sources: readonly Feed[];
  readonly #engine: RunEngine;
  readonly #feed: Feed;
  readonly #node: ForEachNode;
  readonly #body: EffectBody;
  readonly #source: Feed;
  #rows: readonly Row[] | null = null;
  #next = 0;

  constructor(engine: RunEngine, feed: Feed, node: ForEachNode, body: EffectBody) {
    this.#engine = engine;
    this.#feed = feed;
    this.#node = node;
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
      const items = rows.map((row, index) => ({ row, feed: this.#itemOf(row, index) }));
      await this.#checkAll(items);
      refuseUnmetItems(engine, items, this.#body);
      if (rows.length > 0) await engine.effects.expect(this.#factsFrom(rows, 0));
      return rows;
    } catch (error) {
      this.#skipAll(error instanceof RunFailure ? error : null);
      throw error;
    }
  }

  /** Every row has its key and its arguments before the first effect is sent (LANG-045). */
  async #checkAll(items: readonly { readonly feed: Feed }[]): Promise<void> {
    for (const [index, { feed }] of items.entries()) {
      if (this.#engine.effects.earlier(feed.id, index) !== null) continue;
      try {
        await filledEffect(this.#engine, feed, this.#body);
      } catch (error) {
        if (error instanceof RunFailure) throw new RunFailure(error.failure, index);
        throw error;
      }
    }
  }

  async #perform(row: Row, index: number): Promise<readonly Row[]> {
    const item = this.#itemOf(row, index);
    await item.read("all");
    const { ending, partialMark: mark } = item;
    if (mark !== null) this.#feed.mark(mark);
    if (ending.kind === "ended") return item.rows.slice();
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
    return rows
      .slice(start)
      .map((row, at) => effectFacts(engine, this.#itemOf(row, start + at), this.#body));
  }

  #itemOf(row: Row, index: number): Feed {
    const engine = this.#engine;
    return openItem(engine, this.#feed, row, index, (own) => effectNode(engine, own, this.#body));
  }

  /** None of the effects was sent; the row that is to blame, or the first, has the reason. */
  #skipAll(error: RunFailure | null): void {
    const all = unstartedFacts(this.#engine, this.#feed, this.#node);
    const at = Math.max(
      0,
      all.findIndex(({ row }) => row !== null && row === error?.row),
    );
    const what = error === null ? null : this.#feed.errorOf(error.failure, all[at]?.row);
    for (const [index, facts] of all.entries()) {
      this.#engine.effects.skip(facts, index === at ? what : null);
    }
  }

  #skipLater(): void {
    for (const facts of this.#factsFrom(this.#rows ?? [], this.#next)) {
      this.#engine.effects.skip(facts, null);
    }
  }
}

/** An effect per row of a node, in row order. */
export const effectPerRow = (
  engine: RunEngine,
  feed: Feed,
  node: ForEachNode,
  body: EffectBody,
): RowReader => new EffectPerRow(engine, feed, node, body);

/** Creates, updates, deletes or acts, once; its rows are what the API answers (LANG-075, RUN-040). */
export function effectNode(engine: RunEngine, feed: Feed, body: EffectBody): RowReader {
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

function tooMany(found: number, most: number): RunFailure {
  return new RunFailure(
    failure(
      "budget_exceeded",
      `${found} rows would have one effect each; fan_out allows ${most}.`,
      `bound them with .limit(${most}) or a narrower condition, or raise the setting fan_out`,
    ),
  );
}

const unreviewed = (found: number, most: number): RunFailure =>
  new RunFailure(
    failure(
      "budget_exceeded",
      `${found} rows would have one effect each; policy lets ${most} of them run without review.`,
      "plan it, and run it by its plan_commit_ref: then it is reviewed as any program",
    ),
  );

/**
 * The rows that an effect per row has one for each of: all of them, counted (PLAN-052), whole, and with
 * what the effect needs of them read now, since after the first effect it might be another (LANG-073,
 * LANG-076). `feed` is the node's, `source` its rows'. Throws RunFailure, RunStop or SourceEnded.
 */
export async function itemRows(
  engine: RunEngine,
  feed: Feed,
  source: Feed,
  body: EffectBody,
): Promise<readonly Row[]> {
  const cut = await source.needInHand("all");
  const reason = cut ?? source.partial;
  if (reason !== null) throw partialSource(rowsName(engine, source.id), reason);
  const { fan_out: most, effects = most } = engine.budget.limits;
  const { length } = source.rows;
  if (length > most) throw tooMany(length, most);
  if (length > effects) throw unreviewed(length, effects);
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
