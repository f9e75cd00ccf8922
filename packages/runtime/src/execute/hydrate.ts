import type { Json } from "@plasm/core";
import type { EntityRow } from "../decode/entity-row.ts";
import { fillUnknown, isKnown } from "../decode/merge-row.ts";
import { RunStop, type StopReason } from "../limits/budget.ts";
import { failure, RunFailure } from "../run-failure.ts";
import { chooseGet } from "./choose-get.ts";
import type { Engine } from "./engine.ts";
import type { Feed } from "./feed.ts";
import { readOne } from "./read-capability.ts";

/** Fills what the run already knows of a row's identity (RUN-060). */
function fillFromCache(engine: Engine, row: EntityRow): void {
  const { digest } = engine.catalog(row.entryId);
  const known = engine.cache.fields(digest, row);
  for (const [name, value] of known ?? []) if (!row.fields.has(name)) row.fields.set(name, value);
}

function lacking(row: EntityRow, names: readonly string[]): readonly string[] {
  return names.filter((name) => !isKnown(row, name));
}

/** Rows that are being completed: whoever else needs one waits, since both fill the same row. */
const loading = new WeakMap<EntityRow, Promise<void>>();

/**
 * Reads what a row does not know by its entity's gets, each at most once (RUN-042, RUN-057); what no
 * get fills stays unknown. Throws RunFailure, also if the row is gone, or RunStop.
 */
export function loadRow(
  engine: Engine,
  feed: Feed,
  row: EntityRow,
  names: readonly string[],
  wanted: readonly string[],
): Promise<void> {
  const before = loading.get(row) ?? Promise.resolve();
  const own = before.then(() => completeRow(engine, feed, row, names, wanted));
  loading.set(
    row,
    own.catch(() => undefined),
  );
  return own;
}

async function completeRow(
  engine: Engine,
  feed: Feed,
  row: EntityRow,
  names: readonly string[],
  wanted: readonly string[],
): Promise<void> {
  if (lacking(row, names).length === 0) return;
  fillFromCache(engine, row);
  const catalog = engine.catalog(row.entryId);
  for (;;) {
    const needed = lacking(row, names);
    if (needed.length === 0 || row.identity === null) return;
    const capability = chooseGet(catalog, row, needed, wanted);
    if (capability === null) return;
    const call = { catalog, capability, args: {}, anchor: {}, ambient: row.ambient };
    const loaded = await readOne(engine, feed, call, row.identity);
    if (loaded === null) throw gone(row.identity.text);
    row.loadedBy.add(capability.name);
    fillUnknown(row, loaded);
  }
}

const gone = (name: string): RunFailure =>
  new RunFailure(
    failure("not_found", `${name} does not exist.`, "check the key, or list the rows"),
  );

/** Rows by identity, those that lack something and can be asked for. */
function byIdentity(rows: readonly EntityRow[], names: readonly string[]): EntityRow[][] {
  const groups = new Map<string, EntityRow[]>();
  for (const row of rows) {
    if (row.identity === null || lacking(row, names).length === 0) continue;
    const key = `${row.entryId} ${row.identity.text}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

function noteFailure(
  feed: Feed,
  rows: readonly EntityRow[],
  names: readonly string[],
  why: string,
): void {
  feed.log.add("hydration_failed", why);
  feed.mark("hydration_failed");
  for (const row of rows) {
    // RUN-058: the field is null, so that nothing asks again.
    for (const name of lacking(row, names)) row.fields.set(name, null satisfies Json);
  }
}

/**
 * Hydrates rows: one get per distinct identity, only for names that are unknown (RUN-057, RUN-058).
 * A failed get leaves null with a diagnostic. Gives what stopped it, or null; rows that were not
 * reached stay unknown.
 */
export async function hydrate(
  engine: Engine,
  feed: Feed,
  rows: readonly EntityRow[],
  names: readonly string[],
  wanted: readonly string[],
): Promise<StopReason | null> {
  let stopped: StopReason | null = null;
  await Promise.all(
    byIdentity(rows, names).map(async (group) => {
      const [first, ...others] = group;
      if (first === undefined) return;
      try {
        await loadRow(engine, feed, first, names, wanted);
        for (const row of others) fillUnknown(row, first);
      } catch (error) {
        if (error instanceof RunStop) stopped ??= error.reason;
        else if (error instanceof RunFailure) noteFailure(feed, group, names, error.message);
        else throw error;
      }
    }),
  );
  return stopped;
}
