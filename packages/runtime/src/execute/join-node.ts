import { type ValueType, WORK } from "@plasm/core";
import type { EntityRow } from "../decode/entity-row.ts";
import { RunStop } from "../limits/budget.ts";
import { CELL_MEMORY } from "../limits/row-budget.ts";
import type { ColumnTypes, Row } from "../rows/row.ts";
import type { Engine } from "./engine.ts";
import type { Anew, Demand, Feed, ReadStep, RowReader, SavedNode } from "./feed.ts";
import { JoinTargets, startOf } from "./join-targets.ts";
import type { JoinNode } from "./node-types.ts";
import { rowsName } from "./rows-name.ts";
import { takeRows } from "./take-rows.ts";

const JSON_TYPE: ValueType = Object.freeze({ kind: "json" });

/** What a row with a joined one takes, in computed cells: it is a row of its own beside those it is made of. */
const JOINED_CELLS = 4;

class JoinReader implements RowReader {
  readonly sources: readonly Feed[];
  readonly #engine: Engine;
  readonly #node: JoinNode;
  readonly #source: Feed;
  readonly #targets: JoinTargets;
  readonly #types = new Map<ColumnTypes | undefined, ColumnTypes>();
  #used = 0;
  #stop: RunStop | null = null;

  constructor(engine: Engine, feed: Feed, node: JoinNode) {
    this.#engine = engine;
    this.#node = node;
    this.#source = engine.feedOf(node.source);
    this.sources = [this.#source];
    this.#targets = new JoinTargets(engine, feed, node);
  }

  /** Rows up to the first whose reference could not be read any more; the rest is for a cursor. */
  async read(have: number, demand: Demand): Promise<ReadStep> {
    if (this.#stop !== null) throw this.#stop;
    const { rows: all, last } = await takeRows(this.#source, this.#used, have, demand);
    const taken = all.slice(0, this.#engine.budget.takeWork(all.length, WORK.joined));
    const name = () => rowsName(this.#engine, this.#node.id);
    await this.#engine.rows.compute(name, { cells: taken.length * JOINED_CELLS, bytes: 0 });
    const fetched = await this.#targets.of(taken.map((row) => startOf(row, this.#node.path)));
    const rows: Row[] = [];
    for (const [at, row] of taken.entries()) {
      const target = fetched[at] ?? null;
      if (target instanceof RunStop) {
        this.#stop = target;
        break;
      }
      rows.push(this.#joined(row, target));
    }
    if (taken.length < all.length) this.#stop ??= new RunStop("work");
    this.#used += rows.length;
    const held = rows.length * JOINED_CELLS * CELL_MEMORY;
    return { rows, held, ended: this.#stop === null && last };
  }

  save(): SavedNode {
    return { node: this.#node, state: {}, used: this.#used };
  }

  anew(from: number): Anew {
    return { node: this.#node, state: {}, from };
  }

  #joined(row: Row, target: EntityRow | null): Row {
    const joined = new Map(row.joined).set(this.#node.as, target);
    if (row.base !== null) return { ...row, joined };
    return { ...row, joined, types: this.#typesWith(row.types) };
  }

  /** Rows of no entity say themselves which types the fetched fields have. */
  #typesWith(own: ColumnTypes | undefined): ColumnTypes {
    const known = this.#types.get(own);
    if (known !== undefined) return known;
    const types = new Map(own);
    const { fields } = this.#targets.entity;
    for (const name of this.#node.wanted) {
      types.set(`${this.#node.as}.${name}`, fields.get(name)?.type ?? JSON_TYPE);
    }
    this.#types.set(own, types);
    return types;
  }
}

/**
 * Rows with the row that a to-one path leads to, so that columns and conditions may read its fields:
 * all rows, in order, each distinct reference read once (LANG-053, LANG-064, RUN-114).
 */
export const joinNode = (engine: Engine, feed: Feed, node: JoinNode): RowReader =>
  new JoinReader(engine, feed, node);
