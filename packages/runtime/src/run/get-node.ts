import type { Capability, Entity, Json, JsonObject, PlanValue, ValueType } from "@plasm/core";
import { type GetNode, keyParts, viewOf } from "@plasm/core/internal";
import { type Identity, makeIdentity } from "../decode/entity-row.ts";
import { isArray } from "../base/json-kinds.ts";
import { FIXED } from "../limits/limits.ts";
import { type Row, wholeRow } from "../rows/row.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import type { RunEngine } from "./engine.ts";
import type { Demand, Feed, ReadStep, ReplayPoint, RowReader, SavedNode } from "./feed.ts";
import { readOne } from "./read-capability.ts";
import { resolveArgs, resolveKey } from "./resolve-args.ts";
import { isListValue } from "./list-sets.ts";
import { resolveValue } from "./resolve-value.ts";

/** A get with its values filled, and what it has still to ask for; null asks without identity. */
interface OpenGet {
  readonly capability: Capability;
  readonly entity: Entity;
  readonly args: JsonObject;
  readonly all: readonly (Identity | null)[];
  left: readonly (Identity | null)[];
}

async function openGet(engine: RunEngine, feed: Feed, node: GetNode): Promise<OpenGet> {
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

/** The key of a row of a list of keys, which have one part. */
const listKey = (identity: Identity | null | undefined): Json =>
  Object.values(identity?.key ?? {})[0] ?? null;

/** The keys of a list as a cursor keeps them. */
function keysOf({ key }: GetNode): readonly Json[] {
  const [values] = Object.values(key);
  if (values === undefined || !("list" in values)) return [];
  return values.list.flatMap((each) => ("lit" in each ? [each.lit] : []));
}

const constants = (values: JsonObject): Record<string, { readonly lit: Json }> =>
  Object.fromEntries(Object.entries(values).map(([name, lit]) => [name, { lit }]));

const notFound = (name: string): RunFailure =>
  new RunFailure(
    failure("not_found", `${name} does not exist.`, "check the key, or list the rows"),
  );

class GetReader implements RowReader {
  readonly sources: readonly Feed[] = [];
  readonly #engine: RunEngine;
  readonly #feed: Feed;
  readonly #node: GetNode;
  readonly #state: JsonObject | null;
  /** index of the first row whose key is known */
  readonly #base: number;
  /** the key of each row, as a list of keys has it */
  readonly #keys: Json[];
  #open: OpenGet | null = null;

  constructor(engine: RunEngine, feed: Feed, node: GetNode, state: JsonObject | null) {
    this.#engine = engine;
    this.#feed = feed;
    this.#node = node;
    this.#state = state;
    const { base, keys } = state ?? {};
    this.#base = typeof base === "number" ? base : feed.before;
    this.#keys = isArray(keys) ? [...keys] : [];
  }

  async read(have: number, demand: Demand): Promise<ReadStep> {
    this.#open ??= await openGet(this.#engine, this.#feed, this.#node);
    const open = this.#open;
    const wanted = typeof demand === "object" ? Math.max(1, demand.rows - have) : open.left.length;
    const now = open.left.slice(0, Math.min(wanted, FIXED.perHost));
    const rows = await Promise.all(now.map((identity) => this.#one(open, identity)));
    open.left = open.left.slice(now.length);
    for (const [at, { length }] of rows.entries())
      if (length > 0) this.#keys.push(listKey(now[at]));
    return { rows: rows.flat(), ended: open.left.length === 0 };
  }

  /** A view makes its row of all that it reads: if a budget cut that, it is made anew (PLAN-080). */
  get whole(): boolean {
    const { catalog, capability } = this.#node;
    return viewOf(this.#engine.catalog(catalog.entry_id), { name: capability }) !== null;
  }

  /** A list of keys goes on from a cut with the keys that are left, a view with all of them. */
  save(_given: number, keep: number): SavedNode | null {
    const open = this.#open;
    const node = this.#constant();
    // Not read since it was restored: it stands where it stood.
    if (open === null) return this.#state === null ? null : { node, state: this.#state };
    const base = Math.max(keep, this.#base);
    const state: JsonObject = { base, keys: this.#keys.slice(base - this.#base) };
    if (this.whole) return { node, state };
    if (!this.#isList()) return open.left.length > 0 ? null : { node, state };
    return { node: this.#withKeys(open.left.map(listKey)), state };
  }

  anew(from: number): ReplayPoint | null {
    const open = this.#open;
    if (open === null && this.#state === null) return null;
    const node = this.#constant();
    if (this.whole || !this.#isList()) return { node, state: {}, from: 0 };
    const known = this.#keys.slice(Math.max(0, from - this.#base));
    const left = open === null ? keysOf(this.#node) : open.left.map(listKey);
    return { node: this.#withKeys([...known, ...left]), state: {}, from: 0 };
  }

  /** Whether a list of keys is asked for, of which one may lack its row. */
  #isList(): boolean {
    return this.#node.missing === "empty" && Object.keys(this.#node.key).length === 1;
  }

  #withKeys(keys: readonly Json[]): GetNode {
    const [part = ""] = Object.keys(this.#node.key);
    const list = keys.map((lit) => ({ lit }));
    return { ...this.#constant(), key: { [part]: { list } } };
  }

  /** The node with its values as constants, of all its keys. */
  #constant(): GetNode {
    const open = this.#open;
    if (open === null) return this.#node;
    const [first, second] = open.all;
    const args = constants(open.args);
    if (second !== undefined || first === null || first === undefined) {
      return { ...this.#node, args };
    }
    return { ...this.#node, key: constants(first.key), args };
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
export const getNode = (
  engine: RunEngine,
  feed: Feed,
  node: GetNode,
  state: JsonObject | null,
): RowReader => new GetReader(engine, feed, node, state);

const TEXT: ValueType = Object.freeze({ kind: "string", semantics: "short" });

/** The values of a one-part key written with `in`, or null where the key is one row's. */
function listedPart(
  entity: Entity,
  key: GetNode["key"],
): { readonly part: string; readonly values: PlanValue } | null {
  const [part, ...more] = keyParts(entity);
  const values = part === undefined || more.length > 0 ? undefined : key[part];
  if (part === undefined || values === undefined) return null;
  return isListValue(values) ? { part, values } : null;
}

function tooMany(found: number, limit: number): RunFailure {
  return new RunFailure(
    failure(
      "budget_exceeded",
      `${found} keys are asked for, one request each; fan_out allows ${limit}.`,
      `narrow the list to ${limit} keys, or raise the setting fan_out`,
    ),
  );
}

/**
 * The identities a get asks for: its key's, or each distinct one of a list, in its order, null
 * cells left out (LANG-027). Throws RunFailure, for more than `fan_out` as well.
 */
async function getIdentities(
  engine: RunEngine,
  feed: Feed,
  entity: Entity,
  key: GetNode["key"],
): Promise<readonly Identity[]> {
  const listed = listedPart(entity, key);
  if (listed === null) return [await resolveKey(engine, feed, entity, key)];
  const { part, values } = listed;
  const slot = { name: part, type: entity.fields.get(part)?.type ?? TEXT };
  const filled = await resolveValue(values, { engine, feed, slot });
  const distinct = new Map<string, Identity>();
  for (const value of isArray(filled) ? filled : [filled]) {
    const identity = makeIdentity(entity, { [part]: value });
    if (identity !== null && !distinct.has(identity.text)) distinct.set(identity.text, identity);
  }
  const { fan_out: most } = engine.budget.limits;
  if (distinct.size > most) throw tooMany(distinct.size, most);
  return [...distinct.values()];
}
