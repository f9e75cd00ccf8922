import { type Capability, type Entity, type Json, type JsonObject, viewOf } from "@plasm/core";
import type { Identity } from "../decode/entity-row.ts";
import { FIXED } from "../limits/limits.ts";
import { type Row, wholeRow } from "../rows/row.ts";
import { failure, RunFailure } from "../run-failure.ts";
import type { Engine } from "./engine.ts";
import type { Demand, Feed, ReadStep, RowReader, SavedNode } from "./feed.ts";
import { getIdentities } from "./get-identities.ts";
import type { GetNode } from "./node-types.ts";
import { readOne } from "./read-capability.ts";
import { resolveArgs } from "./resolve-args.ts";

/** A get with its values filled, and what it has still to ask for; null asks without identity. */
interface OpenGet {
  readonly capability: Capability;
  readonly entity: Entity;
  readonly args: JsonObject;
  readonly all: readonly (Identity | null)[];
  left: readonly (Identity | null)[];
}

async function openGet(engine: Engine, feed: Feed, node: GetNode): Promise<OpenGet> {
  const catalog = engine.catalog(node.catalog.entry_id);
  const capability = catalog.cgs.capabilities.get(node.capability);
  const entity = catalog.cgs.entities.get(node.catalog.entity);
  if (capability === undefined || entity === undefined) {
    throw new Error(`no get ${node.capability} of ${node.catalog.entity}`);
  }
  const keyed = Object.keys(node.key).length > 0;
  const all = keyed ? await getIdentities(engine, feed, entity, node.key) : [null];
  const args = await resolveArgs(engine, feed, capability, node.args);
  return { capability, entity, args, all, left: all };
}

const constants = (values: JsonObject): Record<string, { readonly lit: Json }> =>
  Object.fromEntries(Object.entries(values).map(([name, lit]) => [name, { lit }]));

const notFound = (name: string): RunFailure =>
  new RunFailure(
    failure("not_found", `${name} does not exist.`, "check the key, or list the rows"),
  );

class GetReader implements RowReader {
  readonly sources: readonly Feed[] = [];
  readonly #engine: Engine;
  readonly #feed: Feed;
  readonly #node: GetNode;
  #open: OpenGet | null = null;

  constructor(engine: Engine, feed: Feed, node: GetNode) {
    this.#engine = engine;
    this.#feed = feed;
    this.#node = node;
  }

  async read(have: number, demand: Demand): Promise<ReadStep> {
    this.#open ??= await openGet(this.#engine, this.#feed, this.#node);
    const open = this.#open;
    const wanted = typeof demand === "object" ? Math.max(1, demand.rows - have) : open.left.length;
    const now = open.left.slice(0, Math.min(wanted, FIXED.perHost));
    const rows = await Promise.all(now.map((identity) => this.#one(open, identity)));
    open.left = open.left.slice(now.length);
    return { rows: rows.flat(), ended: open.left.length === 0 };
  }

  /** A view makes its row of all that it reads: if a budget cut that, it is made anew (PLAN-080). */
  get whole(): boolean {
    const { catalog, capability } = this.#node;
    return viewOf(this.#engine.catalog(catalog.entry_id), { name: capability }) !== null;
  }

  /** A list of keys goes on from a cut with the keys that are left, a view with all of them. */
  save(): SavedNode | null {
    const open = this.#open;
    if (open === null) return null;
    const keys = (this.whole ? open.all : open.left).flatMap((one) =>
      one === null ? [] : [one.key],
    );
    const [first] = keys;
    const [part] = Object.keys(first ?? {});
    const args = constants(open.args);
    if (this.whole && keys.length <= 1) {
      return { node: { ...this.#node, key: constants(first ?? {}), args }, state: {} };
    }
    if (part === undefined || this.#node.missing !== "empty") return null;
    const list = keys.map((key) => ({ lit: key[part] ?? null }));
    return { node: { ...this.#node, key: { [part]: { list } }, args }, state: {} };
  }

  async #one(open: OpenGet, identity: Identity | null): Promise<readonly Row[]> {
    const catalog = this.#engine.catalog(this.#node.catalog.entry_id);
    const { capability, args } = open;
    const call = { catalog, capability, args, anchor: {}, ambient: {} };
    const row = await readOne(this.#engine, this.#feed, call, identity);
    if (row !== null) return [wholeRow(row)];
    if (this.#node.missing === "empty") return [];
    throw notFound(identity?.text ?? open.entity.name);
  }
}

/**
 * Reads one row by its key, or one for each key of a list, in its order (LANG-027); a written get
 * always goes to the API (RUN-060).
 */
export const getNode = (engine: Engine, feed: Feed, node: GetNode): RowReader =>
  new GetReader(engine, feed, node);
