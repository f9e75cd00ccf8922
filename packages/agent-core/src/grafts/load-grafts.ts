import type { StoreOps, Stored } from "../ports.ts";
import type { GraftRecord, GraftSetRecord } from "../records/graft-record.ts";
import { heldGrafts } from "./attach.ts";
import type { GraftPlace } from "./graft-place.ts";

/** A set that holds something, as it stands. */
export interface LoadedGrafts {
  readonly set: Stored<GraftSetRecord>;
  readonly header: NonNullable<GraftSetRecord["header"]>;
  readonly grafts: readonly GraftRecord[];
}

/** The grafts of a place; null if there are none. */
export async function loadGrafts(store: StoreOps, place: GraftPlace): Promise<LoadedGrafts | null> {
  const set = await store.get("graftSet", place.scope, place.id);
  const header = set?.value.header ?? null;
  if (set === null || header === null) return null;
  const held = await heldGrafts(store, place);
  if (held.size === 0) return null;
  return { set, header, grafts: [...held.values()].map(({ value }) => value) };
}
