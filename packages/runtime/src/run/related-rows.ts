import type { JoinNode } from "@plasm/core/internal";
import type { EntityRow } from "../decode/entity-row.ts";
import { rowReference } from "../decode/row-references.ts";
import { RunStop } from "../limits/limits.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import type { Row } from "../rows/row.ts";
import { type BatchSite, inBatches, openBatch, readBatch } from "./batch-rows.ts";
import type { OpenRelation } from "./relation-open.ts";
import type { Targets } from "./relation-targets.ts";

type Batch = NonNullable<ReturnType<typeof openBatch>>;

/** What one row is related to, by a list that was asked for several rows at once. */
interface Related {
  readonly rows: EntityRow[];
  unread: string | null;
}

/** What several rows are related to, read together and told apart by the reference that leads back (RUN-080). */
export class RelatedRows {
  readonly #site: BatchSite;
  readonly #batch: Batch;
  readonly #field: string;
  readonly #found = new Map<string, Related | RunFailure | RunStop>();

  constructor(site: BatchSite, batch: Batch, field: string) {
    this.#site = site;
    this.#batch = batch;
    this.#field = field;
  }

  /** Reads what rows are related to, to its end; one row alone is left to its own list. */
  async load(open: OpenRelation, rows: readonly Row[]): Promise<void> {
    const asked = new Map<string, EntityRow>();
    for (const { base } of rows) {
      const text = base?.identity?.text;
      if (base !== null && text !== undefined && !this.#found.has(text)) asked.set(text, base);
    }
    if (asked.size < 2) return;
    const parts = inBatches(this.#batch, [...asked.values()]);
    await Promise.all(parts.map((part) => this.#read(open, part)));
  }

  /** What a row is related to; undefined where it was not asked for. Throws what kept it from coming. */
  rowsOf({ identity }: EntityRow): Related | undefined {
    const found = identity === null ? undefined : this.#found.get(identity.text);
    if (found instanceof RunFailure || found instanceof RunStop) throw found;
    return found;
  }

  async #read({ plan, owner }: OpenRelation, sources: readonly EntityRow[]): Promise<void> {
    const related = new Map<string, Related>();
    const keys = sources.flatMap(({ identity }) => (identity === null ? [] : [identity]));
    for (const { text } of keys) related.set(text, { rows: [], unread: null });
    try {
      const values = keys.flatMap(({ key }) => Object.values(key));
      const read = await readBatch(this.#site, this.#batch, values, plan.args, () => false);
      for (const row of read.rows) {
        const to = rowReference(row, this.#field, owner)?.identity.text;
        const own = to === undefined ? undefined : related.get(to);
        if (own === undefined) throw this.#astray(row);
        own.rows.push(row);
      }
      for (const [text, own] of related) this.#found.set(text, { ...own, unread: read.unread });
    } catch (error) {
      if (!(error instanceof RunFailure) && !(error instanceof RunStop)) throw error;
      for (const text of related.keys()) this.#found.set(text, error);
    }
  }

  /** A row that leads to none of those that were asked for: nothing that is counted by it would be right. */
  #astray({ identity, entity }: EntityRow): RunFailure {
    const { name } = this.#batch.list;
    const says = `${name} gave ${identity?.text ?? entity}, whose ${this.#field} is none that was asked for.`;
    return new RunFailure(failure("decode", says, "correct batch of the list in the catalog"));
  }
}

/** What a node asks for together; null where it reads a list for each row. */
export function openRelated(site: BatchSite, node: JoinNode): RelatedRows | null {
  const batch = openBatch(site, node);
  const field = batch?.list.batch?.field;
  return batch === null || field === undefined ? null : new RelatedRows(site, batch, field);
}

/** Rows in hand, as a list that is read. */
export function targetsOf({ rows, unread }: Related): Targets {
  let ended = false;
  return {
    get ended() {
      return ended;
    },
    async next() {
      ended = true;
      return rows;
    },
    origin: null,
    holds: false,
    unread,
    save: () => null,
  };
}
