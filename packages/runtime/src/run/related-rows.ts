import type { BatchList, JoinNode } from "@plasm/core/internal";
import type { EntityRow, Identity } from "../decode/entity-row.ts";
import { rowReference } from "../decode/row-references.ts";
import { RunStop } from "../limits/limits.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import type { Row } from "../rows/row.ts";
import { type BatchSite, inBatches, isSameIdentity, openBatch, readBatch } from "./batch-rows.ts";
import type { OpenRelation } from "./relation-open.ts";
import type { Targets } from "./relation-targets.ts";

/** What one row is related to, by a list that was asked for several rows at once. */
interface Related {
  readonly rows: EntityRow[];
  unread: string | null;
}

/** What several rows are related to, read together and told apart by the reference that leads back (RUN-080). */
export class RelatedRows {
  readonly #site: BatchSite;
  readonly #batch: BatchList;
  readonly #field: string;
  readonly #found = new Map<string, Related | RunFailure | RunStop>();

  constructor(site: BatchSite, batch: BatchList, field: string) {
    this.#site = site;
    this.#batch = batch;
    this.#field = field;
  }

  /**
   * Reads what rows are related to, to its end; one row alone is left to its own list. Parts that a budget of pages ends
   * are left to the lists of their rows; any other budget ends all that were asked for.
   */
  async load(open: OpenRelation, rows: readonly Row[]): Promise<void> {
    const asked = new Map<string, EntityRow>();
    for (const { base } of rows) {
      const text = base?.identity?.text;
      if (base !== null && text !== undefined && !this.#found.has(text)) asked.set(text, base);
    }
    if (asked.size < 2) return;
    // One after the other, so that a budget is not spent on parts of which none is whole.
    for (const part of inBatches(this.#batch, [...asked.values()])) {
      await this.#read(open, part);
      if (this.stopped) return;
    }
  }

  /** whether a budget ended a part before its end: asked for again, it would end there again */
  stopped = false;

  /** What a row is related to; undefined where it was not asked for. Throws what kept it from coming. */
  rowsOf({ identity }: EntityRow): Related | undefined {
    const found = identity === null ? undefined : this.#found.get(identity.text);
    if (found instanceof RunFailure || found instanceof RunStop) throw found;
    return found;
  }

  async #read({ plan, owner }: OpenRelation, sources: readonly EntityRow[]): Promise<void> {
    const related = new Map<string, Related>();
    const byText = new Map(sources.map((source) => [source.identity?.text ?? "", source]));
    const keys = sources.flatMap(({ identity }) => (identity === null ? [] : [identity]));
    for (const { text } of keys) related.set(text, { rows: [], unread: null });
    try {
      const values = keys.flatMap(({ key }) => Object.values(key));
      const read = await readBatch(this.#site, this.#batch, values, plan.args, () => false);
      for (const row of read.rows) {
        const to = rowReference(row, this.#field, owner)?.identity;
        const source =
          to === undefined ? undefined : (byText.get(to.text) ?? sameSource(sources, to));
        const own = related.get(source?.identity?.text ?? "");
        if (source === undefined || own === undefined) throw this.#unaskedRow(row);
        own.rows.push(withAmbient(row, source, this.#field));
      }
      for (const [text, own] of related) this.#found.set(text, { ...own, unread: read.unread });
    } catch (error) {
      if (error instanceof RunStop) {
        this.stopped = true;
        if (error.reason === "pages") return;
      } else if (!(error instanceof RunFailure)) throw error;
      for (const text of related.keys()) this.#found.set(text, error);
    }
  }

  /** A row that leads to none of those that were asked for: nothing that is counted by it would be right. */
  #unaskedRow({ identity, entity }: EntityRow): RunFailure {
    const { name } = this.#batch.list;
    const says = `${name} gave ${identity?.text ?? entity}, whose ${this.#field} is none that was asked for.`;
    return new RunFailure(failure("decode", says, "correct batch of the list in the catalog"));
  }
}

/** The row that a reference leads back to, whose key is written differently; undefined where that is not one alone. */
function sameSource(sources: readonly EntityRow[], to: Identity): EntityRow | undefined {
  const [same, another] = sources.filter(({ identity }) => isSameIdentity(to, identity));
  return another === undefined ? same : undefined;
}

/** A row with what it would know of the row it is related to, had that been asked alone (RUN-044). */
function withAmbient(row: EntityRow, source: EntityRow, param: string): EntityRow {
  const [key] = Object.values(source.identity?.key ?? {});
  const anchor = key === undefined ? {} : { [param]: key };
  return { ...row, ambient: { ...source.ambient, ...anchor, ...row.ambient } };
}

/** What a node asks for together; null where it reads a list for each row. */
export function openRelated(site: BatchSite, node: JoinNode): RelatedRows | null {
  const batch = openBatch(site, node);
  const field = batch?.list.batch?.field;
  return batch === null || field === undefined ? null : new RelatedRows(site, batch, field);
}

/** Rows in hand, as a list that is read. */
export function relatedTargets({ rows, unread }: Related): Targets {
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
