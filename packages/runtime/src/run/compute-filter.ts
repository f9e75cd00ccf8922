import type { JsonObject } from "@plasm/core";
import type { ComputeNode, PlanPred } from "@plasm/core/internal";
import { isArray } from "../base/json-kinds.ts";
import type { RunStop } from "../limits/limits.ts";
import type { Row } from "../rows/row.ts";
import { BATCH, batchSize, keepMatchingRows } from "./row-filter.ts";
import { type RunEngine, schemaOf } from "./engine.ts";
import {
  type Demand,
  type Feed,
  type ReadStep,
  type ReplayPoint,
  type RowReader,
  type SavedNode,
  SourceEnded,
} from "./feed.ts";
import { isConstant, resolvePred } from "./resolve-args.ts";
import { PORTION } from "./feed.ts";

class FilterReader implements RowReader {
  readonly sources: readonly Feed[];
  readonly #engine: RunEngine;
  readonly #feed: Feed;
  readonly #node: ComputeNode;
  readonly #declared: PlanPred;
  readonly #source: Feed;
  /** index of the first row whose origin is known */
  readonly #base: number;
  /** which row of the source each of its rows is, over all pages */
  readonly #origins: number[];
  #used = 0;
  #stop: RunStop | null = null;
  #pred: PlanPred | null = null;

  constructor(step: FilterStep, declared: PlanPred) {
    const { engine, feed, node, source, state } = step;
    this.#engine = engine;
    this.#feed = feed;
    this.#node = node;
    this.#declared = declared;
    this.#source = source;
    this.sources = [source];
    const base = state?.["base"];
    this.#base = typeof base === "number" ? base : feed.before;
    const origins = state?.["origins"];
    this.#origins = isArray(origins) ? origins.filter((one) => typeof one === "number") : [];
  }

  async read(_have: number, demand: Demand): Promise<ReadStep> {
    if (this.#stop !== null) throw this.#stop;
    const [engine, feed, source] = [this.#engine, this.#feed, this.#source];
    const used = this.#used;
    const next = { rows: used + 1, ahead: BATCH };
    const cut = await source.needInHand(demand === "all" ? "all" : next);
    const rest = source.rows.slice(used, demand === "all" ? used + PORTION : undefined);
    if (rest.length === 0 && cut !== null) throw new SourceEnded(source);
    const schema = schemaOf(engine, rest);
    const pred = (this.#pred ??= await resolvePred(this.#declared, { engine, feed, ...schema }));
    const most = demand === "all" ? Number.POSITIVE_INFINITY : BATCH;
    const batch = rest.slice(0, batchSize(rest, pred, most));
    const use = { engine, feed, ...schema };
    const { passing, tested, stop } = await keepMatchingRows(pred, batch, use, []);
    this.#note(passing, batch);
    this.#used += tested;
    this.#stop = stop;
    return { rows: passing, ended: stop === null && source.isUsedUp(this.#used) };
  }

  save(_given: number, keep: number): SavedNode | null {
    const filter = this.#pred ?? (isConstant(this.#declared) ? this.#declared : null);
    if (filter === null) return null;
    const origins = this.#origins.slice(Math.max(0, keep - this.#base));
    const state: JsonObject = { base: Math.max(keep, this.#base), origins };
    return { node: { ...this.#node, op: { filter } }, state, used: this.#used };
  }

  anew(from: number): ReplayPoint | null {
    const saved = this.save(from, from);
    if (saved === null) return null;
    const next = this.#source.before + this.#used;
    const origin = from === 0 ? 0 : (this.#origins[from - this.#base] ?? next);
    return { node: saved.node, state: {}, from: origin };
  }

  /** Rows that pass are those of the batch, in its order. */
  #note(passing: readonly Row[], batch: readonly Row[]): void {
    let at = 0;
    for (const row of passing) {
      while (batch[at] !== row) at += 1;
      this.#origins.push(this.#source.before + this.#used + at);
      at += 1;
    }
  }
}

interface FilterStep {
  readonly engine: RunEngine;
  readonly feed: Feed;
  readonly node: ComputeNode;
  readonly source: Feed;
  readonly state: JsonObject | null;
}

/** Keeps the rows that match, in order (LANG-061, RUN-113). */
export const filterReader = (step: FilterStep, declared: PlanPred): RowReader =>
  new FilterReader(step, declared);
