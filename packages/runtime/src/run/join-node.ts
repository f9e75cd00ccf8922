import type { Catalog, Entity, Json, JsonObject, ValueType } from "@plasm/core";
import { type JoinNode, type RelationNode, WORK } from "@plasm/core/internal";
import {
  type EntityRow,
  fillUnknown,
  type Identity,
  isKnown,
  type Reference,
} from "../decode/entity-row.ts";
import { RunStop } from "../limits/limits.ts";
import { CELL_MEMORY } from "../limits/row-budget.ts";
import { type ColumnTypes, joinedLength, readCell, type Row } from "../rows/row.ts";
import { type RunEngine, rowsName } from "./engine.ts";
import type { Demand, Feed, ReadStep, ReplayPoint, RowReader, SavedNode } from "./feed.ts";
import { BatchRows, openBatch } from "./batch-rows.ts";
import { takeRows } from "./whole-source.ts";
import { cellReference, rowReference } from "../decode/row-references.ts";
import { RunFailure } from "../base/run-failure.ts";
import { fillFromCache, hydrate, hydrationFailure, keyRow, leavesOut, loadRow } from "./hydrate.ts";
import { missingEdges, openTargets } from "./relation-targets.ts";

/** Where the last step of a path starts: at the row that has the reference, or at a cell that is one. */
type Start =
  | { readonly kind: "row"; readonly row: EntityRow }
  | { readonly kind: "cell"; readonly value: Json; readonly ambient: JsonObject }
  | { readonly kind: "nowhere" };

/** Where a path's last step starts on a row: behind the joins before it, at a column, or at the row. */
function startOf(row: Row, path: readonly string[]): Start {
  const before = joinedLength(row, path);
  if (before > 0) {
    const at = row.joined.get(path.slice(0, before).join(".")) ?? null;
    return at === null ? { kind: "nowhere" } : { kind: "row", row: at };
  }
  const value = row.cells === null ? undefined : readCell(null, row, path);
  if (value !== undefined) return { kind: "cell", value, ambient: row.base?.ambient ?? {} };
  return row.base === null ? { kind: "nowhere" } : { kind: "row", row: row.base };
}

/**
 * The rows that the last step of a join leads to, each read once (LANG-053, LANG-064, RUN-114). What
 * fails leaves null with a diagnostic, like any hydration (RUN-058); a reference keeps its key (RUN-036).
 */
class JoinTargets {
  readonly #engine: RunEngine;
  readonly #feed: Feed;
  readonly #node: JoinNode;
  readonly #catalog: Catalog;
  readonly #target: Entity;
  readonly #name: string;
  /** the rows that are asked for together; null where each is read by itself */
  readonly #batch: BatchRows | null;
  /** reads by what is read: each counts against the fan-out budget */
  readonly #reads = new Map<string, Promise<EntityRow | null>>();

  constructor(engine: RunEngine, feed: Feed, node: JoinNode) {
    const catalog = engine.catalog(node.catalog.entry_id);
    const target = catalog.cgs.entities.get(node.catalog.entity);
    const name = node.path.at(-1);
    if (target === undefined || name === undefined) throw new Error(`no join ${node.as}`);
    this.#engine = engine;
    this.#feed = feed;
    this.#node = node;
    this.#catalog = catalog;
    this.#target = target;
    this.#name = name;
    const site = { engine, feed, catalog };
    const batch = openBatch(site, node);
    this.#batch = batch === null ? null : new BatchRows(site, batch);
  }

  get entity(): Entity {
    return this.#target;
  }

  /**
   * The rows that the steps lead to, in order: null for none, RunStop where a budget or cancel
   * stopped it.
   */
  async of(starts: readonly Start[]): Promise<readonly (EntityRow | null | RunStop)[]> {
    const stopped = await this.#learn(starts);
    await this.#askTogether(starts);
    return Promise.all(
      starts.map(async (start) => {
        try {
          return await this.#follow(start, stopped);
        } catch (error) {
          if (error instanceof RunStop) return error;
          throw error;
        }
      }),
    );
  }

  /** Asks at once for the rows of all references that do not know what is wanted of them (RUN-080). */
  async #askTogether(starts: readonly Start[]): Promise<void> {
    if (this.#batch === null) return;
    const lacking = new Map<string, Identity>();
    for (const start of starts) {
      const reference = this.#referenceOf(start);
      if (reference === null || this.#reads.has(reference.identity.text)) continue;
      const { identity, embedded } = reference;
      const { row, isWhole } = this.#known(identity, embedded, {});
      if (isWhole) continue;
      fillFromCache(this.#engine, row);
      if (!this.#isWhole(row)) lacking.set(identity.text, identity);
    }
    const room = this.#engine.budget.limits.fan_out - this.#reads.size;
    await this.#batch.load([...lacking.values()].slice(0, Math.max(0, room)));
  }

  /** What a start refers to, as far as it is known. */
  #referenceOf(start: Start): Reference | null {
    if (start.kind === "cell") return cellReference(start.value, this.#target) ?? null;
    if (start.kind === "nowhere" || this.#viaOf(start.row) !== "ref") return null;
    return rowReference(start.row, this.#name, this.#target) ?? null;
  }

  /** What is known of a referenced row before it is read, and whether that is all that is wanted. */
  #known(
    identity: Identity,
    embedded: EntityRow | null,
    ambient: JsonObject,
  ): { readonly row: EntityRow; readonly isWhole: boolean } {
    const row = keyRow(this.#catalog, this.#target, identity, ambient);
    if (embedded !== null) fillUnknown(row, embedded);
    return { row, isWhole: this.#isWhole(row) };
  }

  #isWhole(row: EntityRow): boolean {
    return this.#node.wanted.every((name) => isKnown(row, name));
  }

  async #follow(start: Start, stopped: RunStop | null): Promise<EntityRow | null> {
    if (start.kind === "nowhere") return null;
    if (start.kind === "cell") {
      const reference = cellReference(start.value, this.#target) ?? null;
      return reference === null ? null : this.#read(reference.identity, null, start.ambient);
    }
    const { row } = start;
    const via = this.#viaOf(row);
    if (stopped !== null && this.#isUnknown(row)) throw stopped;
    if (via === "ref") {
      const reference = rowReference(row, this.#name, this.#target);
      this.#note(row, reference !== undefined);
      if (reference === undefined || reference === null) return null;
      return this.#read(reference.identity, reference.embedded, row.ambient);
    }
    if (via !== "from_parent_get") return this.#bound(row, via);
    const edge = row.edges.get(this.#name);
    this.#note(row, edge !== undefined);
    const embedded = edge?.[0] ?? null;
    if (embedded !== null) await this.#complete(embedded);
    return embedded;
  }

  /** Notes whether a row says what it is related to, unless its get failed, which is told already. */
  #note(row: EntityRow, isKnown: boolean): void {
    if (hydrationFailure(row, [this.#name]) !== null) return;
    const edges = missingEdges(this.#feed, this.#name);
    if (isKnown || leavesOut(row, this.#name)) edges.found();
    else edges.missing(row);
  }

  /** How the step is followed from rows of this entity; a field goes before a relation (LANG-024). */
  #viaOf({ entity }: EntityRow): RelationNode["via"] {
    const owner = this.#catalog.cgs.entities.get(entity);
    if (owner?.fields.has(this.#name) === true) return "ref";
    const kind = owner?.relations.get(this.#name)?.materialize?.kind ?? "ref";
    if (kind === "unavailable") throw new Error(`${entity}.${this.#name} cannot be followed`);
    return kind;
  }

  /** Whether a row that has the reference in itself does not know it yet. */
  #isUnknown(row: EntityRow): boolean {
    const via = this.#viaOf(row);
    const isOwn = via === "ref" || via === "from_parent_get";
    return isOwn && !isKnown(row, this.#name);
  }

  /** Reads the references that rows do not know of themselves (RUN-057); gives what stopped it. */
  #learn(starts: readonly Start[]): Promise<RunStop | null> {
    const rows = starts.flatMap((start) => (start.kind === "row" ? [start.row] : []));
    const unknown = rows.filter((row) => this.#isUnknown(row));
    return hydrate(this.#engine, this.#feed, unknown, [this.#name], [this.#name]);
  }

  /** Fills the wanted fields of a row in hand. */
  async #complete(row: EntityRow): Promise<void> {
    const { wanted } = this.#node;
    const stopped = await hydrate(this.#engine, this.#feed, [row], wanted, wanted);
    if (stopped !== null) throw stopped;
  }

  /**
   * The referenced row: what came with the reference if that is enough, else a get. Where that fails, its key is
   * still known, and the rest of it null.
   */
  #read(
    identity: Identity,
    embedded: EntityRow | null,
    ambient: JsonObject,
  ): EntityRow | Promise<EntityRow | null> {
    const { wanted } = this.#node;
    const { row, isWhole } = this.#known(identity, embedded, ambient);
    if (isWhole) return row;
    const load = async (): Promise<EntityRow> => {
      const together = this.#batch?.rowOf(identity);
      if (together !== undefined) fillUnknown(row, together);
      await loadRow(this.#engine, this.#feed, row, wanted, wanted);
      return row;
    };
    return this.#once(identity.text, load, () => {
      for (const name of wanted) if (!isKnown(row, name)) row.fields.set(name, null);
      return row;
    });
  }

  /** The row of a relation that is read with values of the row (RUN-050). */
  #bound(row: EntityRow, via: RelationNode["via"]): Promise<EntityRow | null> {
    const owner = this.#catalog.cgs.entities.get(row.entity);
    const { capability, wanted } = this.#node;
    if (owner === undefined) throw new Error(`no entity ${row.entity}`);
    const node = { relation: this.#name, via, capability, wanted };
    const plan = { node, catalog: this.#catalog, target: this.#target, args: {}, whole: false };
    const relation = owner.relations.get(this.#name);
    const source = { engine: this.#engine, feed: this.#feed, row, owner, relation };
    return this.#once(row.identity?.text ?? null, async () => {
      const targets = await openTargets(plan, source, null);
      const [first = null] = await targets.next();
      if (first !== null) await this.#complete(first);
      return first;
    });
  }

  /** One read for all that ask for the same; `lost` gives what is known where it fails. */
  #once(
    key: string | null,
    read: () => Promise<EntityRow | null>,
    lost: () => EntityRow | null = () => null,
  ): Promise<EntityRow | null> {
    const name = key ?? `#${this.#reads.size}`;
    const known = this.#reads.get(name);
    if (known !== undefined) return known;
    if (this.#reads.size >= this.#engine.budget.limits.fan_out) throw new RunStop("fan_out");
    const own = this.#orTold(read, lost);
    this.#reads.set(name, own);
    return own;
  }

  async #orTold(
    read: () => Promise<EntityRow | null>,
    lost: () => EntityRow | null,
  ): Promise<EntityRow | null> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      this.#feed.log.add("hydration_failed", `${this.#node.as}: ${error.message}`);
      this.#feed.mark("hydration_failed");
      return lost();
    }
  }
}

const JSON_TYPE: ValueType = Object.freeze({ kind: "json" });

/** What a row with a joined one takes, in computed cells: it is a row of its own beside those it is made of. */
const JOINED_CELLS = 4;

class JoinReader implements RowReader {
  readonly sources: readonly Feed[];
  readonly #engine: RunEngine;
  readonly #node: JoinNode;
  readonly #source: Feed;
  readonly #targets: JoinTargets;
  readonly #types = new Map<ColumnTypes | undefined, ColumnTypes>();
  #used = 0;
  #stop: RunStop | null = null;

  constructor(engine: RunEngine, feed: Feed, node: JoinNode) {
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

  anew(from: number): ReplayPoint {
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
export const joinNode = (engine: RunEngine, feed: Feed, node: JoinNode): RowReader =>
  new JoinReader(engine, feed, node);
