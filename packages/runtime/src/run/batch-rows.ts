import type { Catalog, Json, JsonObject } from "@plasm/core";
import { type BatchList, batchOf } from "@plasm/core/internal";
import type { EntityRow, Identity } from "../decode/entity-row.ts";
import { RunStop } from "../limits/limits.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import { isSameKey } from "./answered-identity.ts";
import type { RunEngine } from "./engine.ts";
import type { NodeContext } from "./feed.ts";
import { openRows } from "./read-capability.ts";

/** Where rows are asked for together, and by which list. */
export interface BatchSite {
  readonly engine: RunEngine;
  readonly feed: NodeContext;
  readonly catalog: Catalog;
}

/** The list that a node names for several rows at once; null where it names none, or may not be asked any more. */
export function openBatch(
  { engine, catalog }: BatchSite,
  { batch: name }: { readonly batch?: string },
): BatchList | null {
  const list = name === undefined ? undefined : catalog.cgs.capabilities.get(name);
  const { mayRead = () => true } = engine.context;
  if (list?.batch === undefined || !mayRead(catalog, list)) return null;
  return batchOf(catalog, list, list.batch.field);
}

/** Values in as few parts as a list takes. */
export function inBatches<T>({ size }: BatchList, values: readonly T[]): readonly (readonly T[])[] {
  const parts: T[][] = [];
  for (let at = 0; at < values.length; at += size) parts.push(values.slice(at, at + size));
  return parts;
}

/**
 * The rows that a list has for several values at once. It is read no further than until `isDone` says that there can
 * be no others. Throws RunFailure or RunStop.
 */
export async function readBatch(
  { engine, feed, catalog }: BatchSite,
  { list: capability, param }: BatchList,
  values: readonly Json[],
  args: JsonObject,
  isDone: (rows: readonly EntityRow[]) => boolean,
): Promise<{ readonly rows: readonly EntityRow[]; readonly unread: string | null }> {
  const call = { catalog, capability, args: { ...args, [param]: values }, anchor: {}, ambient: {} };
  const pages = openRows(engine, feed, call, null);
  const rows: EntityRow[] = [];
  while (!pages.ended && !isDone(rows)) {
    const page = await pages.next();
    engine.rows.give(page.length * (pages.held ?? 0));
    for (const row of page) rows.push(row);
  }
  return { rows, unread: pages.unread };
}

/** The rows of keys; a key that is written differently is the only one left that means the same. */
function byKey(
  asked: readonly Identity[],
  rows: readonly EntityRow[],
): ReadonlyMap<string, EntityRow> {
  const texts = new Set(asked.map(({ text }) => text));
  const found = new Map<string, EntityRow>();
  const others: EntityRow[] = [];
  for (const row of rows) {
    if (row.identity !== null && texts.has(row.identity.text)) found.set(row.identity.text, row);
    else others.push(row);
  }
  for (const identity of asked) {
    if (found.has(identity.text)) continue;
    const [same, another] = others.filter((row) => isSameIdentity(identity, row.identity));
    if (same !== undefined && another === undefined) found.set(identity.text, same);
  }
  return found;
}

/** Whether two keys of one part mean the same, however they are written (RUN-042). */
export function isSameIdentity(one: Identity, other: Identity | null): boolean {
  const [a, b] = [Object.values(one.key)[0], Object.values(other?.key ?? {})[0]];
  return a !== undefined && b !== undefined && isSameKey(a, b);
}

/** Rows of several keys that are asked for together (RUN-080), each key once. */
export class BatchRows {
  readonly #site: BatchSite;
  readonly #batch: BatchList;
  readonly #found = new Map<string, EntityRow | RunFailure | RunStop>();

  constructor(site: BatchSite, batch: BatchList) {
    this.#site = site;
    this.#batch = batch;
  }

  /** Asks for rows that were not asked for before; one alone is left to its get. */
  async load(identities: readonly Identity[]): Promise<void> {
    const own = new Map(identities.map((identity) => [identity.text, identity]));
    const asked = [...own.values()].filter(({ text }) => !this.#found.has(text));
    if (asked.length < 2) return;
    await Promise.all(inBatches(this.#batch, asked).map((part) => this.#read(part)));
  }

  /** The row of a key; undefined where it was not asked for. Throws what kept it from coming. */
  rowOf({ text }: Identity): EntityRow | undefined {
    const found = this.#found.get(text);
    if (found instanceof RunFailure || found instanceof RunStop) throw found;
    return found;
  }

  async #read(asked: readonly Identity[]): Promise<void> {
    try {
      const values = asked.flatMap(({ key }) => Object.values(key));
      const isDone = (rows: readonly EntityRow[]): boolean =>
        byKey(asked, rows).size === asked.length;
      const { rows } = await readBatch(this.#site, this.#batch, values, {}, isDone);
      const found = byKey(asked, rows);
      for (const { text } of asked) this.#found.set(text, found.get(text) ?? this.#absent(text));
    } catch (error) {
      if (!(error instanceof RunFailure) && !(error instanceof RunStop)) throw error;
      for (const { text } of asked) this.#found.set(text, error);
    }
  }

  #absent(name: string): RunFailure {
    const { name: list } = this.#batch.list;
    const says = `${name} is not among the rows that ${list} gave for its key.`;
    return new RunFailure(failure("not_found", says, "check the key, or read the row by itself"));
  }
}
