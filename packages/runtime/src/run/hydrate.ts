import type { Catalog, Entity, Json, JsonObject } from "@plasm/core";
import {
  type EntityRow,
  fillUnknown,
  type Identity,
  isKnown,
  NO_EDGES,
  NO_GETS,
  NO_REFERENCES,
  noteLoaded,
} from "../decode/entity-row.ts";
import { RunStop } from "../limits/limits.ts";
import { hasMember } from "../base/json-kinds.ts";
import { keepAsItIs } from "../rows/packed-row.ts";
import type { Row } from "../rows/row.ts";
import { type FailureDetail, failure, RunFailure } from "../base/run-failure.ts";
import { chooseGet } from "./choose-get.ts";
import type { RunEngine } from "./engine.ts";
import type { Feed } from "./feed.ts";
import { readOne } from "./read-capability.ts";

/** Fills what the run already knows of a row's identity (RUN-060). */
export function fillFromCache(engine: RunEngine, row: EntityRow): void {
  const { digest } = engine.catalog(row.entryId);
  const known = engine.cache.fields(digest, row);
  for (const [name, value] of known ?? []) if (!row.fields.has(name)) row.fields.set(name, value);
}

type Known = (row: EntityRow, name: string) => boolean;

function lacking(
  row: EntityRow,
  names: readonly string[],
  known: Known = isKnown,
): readonly string[] {
  return names.filter((name) => !known(row, name));
}

/** Why names of a row are null: the get that would have filled them failed (RUN-058). */
const failures = new WeakMap<EntityRow, Map<string, FailureDetail>>();

/** The first failure that keeps a row from having one of these names, or null. */
export function hydrationFailure(row: EntityRow, names: readonly string[]): FailureDetail | null {
  const known = failures.get(row);
  for (const name of known === undefined ? [] : names) {
    const found = known?.get(name);
    if (found !== undefined) return found;
  }
  return null;
}

/** Rows that are being completed: whoever else needs one waits, since both fill the same row. */
const loading = new WeakMap<EntityRow, Promise<void>>();

/**
 * Reads what a row does not know by its entity's gets, each at most once (RUN-042, RUN-057); what no
 * get fills stays unknown. Throws RunFailure, also if the row is gone, or RunStop.
 */
export function loadRow(
  engine: RunEngine,
  feed: Feed,
  row: EntityRow,
  names: readonly string[],
  wanted: readonly string[],
  known: Known = isKnown,
): Promise<void> {
  const before = loading.get(row) ?? Promise.resolve();
  const own = before.then(() => completeRow(engine, feed, row, names, wanted, known));
  loading.set(
    row,
    own.catch(() => undefined),
  );
  return own;
}

/**
 * Reads the related rows that stand in a row by its entity's gets, where it does not have them yet
 * (RUN-050); a field of the relation's name says nothing of them. Throws RunFailure or RunStop.
 */
export function loadEdge(
  engine: RunEngine,
  feed: Feed,
  row: EntityRow,
  relation: string,
): Promise<void> {
  return loadRow(engine, feed, row, [relation], [], ({ edges }, name) => edges.has(name));
}

/** The answers of gets that filled a row which was read otherwise. */
const answers = new WeakMap<EntityRow, readonly Json[]>();

/**
 * Whether a get of the row's own has answered without a reference, or a row in its place: it is null then,
 * like any field that APIs leave out where it is null (RUN-035, RUN-036). A value that cannot be read as one
 * is no null.
 */
export function leavesOut(row: EntityRow, name: string): boolean {
  if (row.loadedBy.size === 0 || row.fields.has(name)) return false;
  const all = [row.wire, ...(answers.get(row) ?? [])];
  return all.every((wire) => !hasMember(wire, name) || wire[name] === null);
}

async function completeRow(
  engine: RunEngine,
  feed: Feed,
  row: EntityRow,
  names: readonly string[],
  wanted: readonly string[],
  known: Known,
): Promise<void> {
  keepAsItIs(row);
  const failed = hydrationFailure(row, names);
  if (failed !== null) throw new RunFailure(failed);
  if (lacking(row, names, known).length === 0) return;
  fillFromCache(engine, row);
  const catalog = engine.catalog(row.entryId);
  for (;;) {
    const needed = lacking(row, names, known);
    if (needed.length === 0 || row.identity === null) return;
    const { mayRead = () => true } = engine.context;
    const capability = chooseGet(catalog, row, needed, wanted, (get) => mayRead(catalog, get));
    if (capability === null) return;
    const call = { catalog, capability, args: {}, anchor: {}, ambient: row.ambient };
    const loaded = await readOne(engine, feed, call, row.identity);
    if (loaded === null) throw gone(row.identity.text);
    noteLoaded(row, capability.name);
    answers.set(row, [...(answers.get(row) ?? []), loaded.wire]);
    fillUnknown(row, loaded);
  }
}

const gone = (name: string): RunFailure =>
  new RunFailure(
    failure("not_found", `${name} does not exist.`, "check the key, or list the rows"),
  );

/** Rows by identity, those that lack something and can be asked for, or were in vain. */
function byIdentity(rows: readonly EntityRow[], names: readonly string[]): EntityRow[][] {
  const groups = new Map<string, EntityRow[]>();
  for (const row of rows) {
    const isWhole = lacking(row, names).length === 0 && hydrationFailure(row, names) === null;
    if (row.identity === null || isWhole) continue;
    const key = `${row.entryId} ${row.identity.text}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

/** Whether a row that is not projected lacks one of these names, be it that a get failed which would give it. */
export function isWholeAndLacks({ base, cells }: Row, names: readonly string[]): boolean {
  if (base === null || cells !== null) return false;
  return lacking(base, names).length > 0 || hydrationFailure(base, names) !== null;
}

function noteFailure(
  feed: Feed,
  rows: readonly EntityRow[],
  names: readonly string[],
  what: FailureDetail,
): void {
  feed.log.add("hydration_failed", what.message);
  feed.mark("hydration_failed");
  for (const row of rows) {
    keepAsItIs(row);
    const known = failures.get(row) ?? new Map<string, FailureDetail>();
    failures.set(row, known);
    for (const name of lacking(row, names)) {
      // RUN-058: the field is null, so that nothing asks again; who else reads it hears why.
      row.fields.set(name, null satisfies Json);
      known.set(name, what);
    }
  }
}

/**
 * Hydrates rows: one get per distinct identity, only for names that are unknown (RUN-057, RUN-058).
 * A failed get leaves null with a diagnostic. Gives what stopped it, or null; rows that were not
 * reached stay unknown.
 */
export async function hydrate(
  engine: RunEngine,
  feed: Feed,
  rows: readonly EntityRow[],
  names: readonly string[],
  wanted: readonly string[],
): Promise<RunStop | null> {
  let stopped: RunStop | null = null;
  await Promise.all(
    byIdentity(rows, names).map(async (group) => {
      const [first, ...others] = group;
      if (first === undefined) return;
      try {
        await loadRow(engine, feed, first, names, wanted);
        for (const row of others) {
          keepAsItIs(row);
          fillUnknown(row, first);
        }
      } catch (error) {
        if (error instanceof RunStop) stopped ??= error;
        else if (error instanceof RunFailure) noteFailure(feed, group, names, error.failure);
        else throw error;
      }
    }),
  );
  return stopped;
}

/** A row of which only the key is known. */
export function keyRow(
  catalog: Catalog,
  entity: Entity,
  identity: Identity,
  ambient: JsonObject,
): EntityRow {
  return {
    entryId: catalog.entryId,
    entity: entity.name,
    identity,
    ambient: { ...ambient, ...identity.key },
    fields: new Map(Object.entries(identity.key)),
    references: NO_REFERENCES,
    edges: NO_EDGES,
    loadedBy: NO_GETS,
    wire: null,
  };
}
