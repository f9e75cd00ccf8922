import assert from "node:assert/strict";
import { lookAt } from "./look-around.ts";
import { aliveAt, type Bound, type Place } from "./place.ts";
import type { World } from "./world.ts";

/** Digests of the catalogs that a session is known to have, by entry id. */
const digestsOf = ({ waves }: Bound): ReadonlyMap<string, string> =>
  new Map(
    [...waves.values()].map((text) => {
      const wave = JSON.parse(text) as { readonly entry_id: string; readonly digest: string };
      return [wave.entry_id, wave.digest];
    }),
  );

/** A live session that has lost a catalog is lost to everyone at once (SESS-12). */
async function checkLost(world: World, place: Place, { key }: Bound): Promise<void> {
  const { engine } = world.replicas.at(world.calls);
  const thrown: unknown = await lookAt(world, place, key).catch((error: unknown) => error);
  const { code, meta } = engine.problemOf(thrown);
  assert.deepEqual([code, meta["reason"]], ["plasm-session-lost", "catalog_gone"], place.name);
}

/**
 * An administrator withdraws a catalog's content. Sessions that have it are lost; those that nobody asks for
 * before another one pins the same content are not: from here on each may be either.
 */
export async function withdraw(world: World, api: string): Promise<void> {
  const { store } = world.replicas.at(0);
  const holding = [...world.places.values()].flatMap((place) => {
    const digest = place.bound === null ? undefined : digestsOf(place.bound).get(api);
    return place.bound === null || digest === undefined
      ? []
      : [{ place, bound: place.bound, digest }];
  });
  for (const digest of new Set(holding.map((one) => one.digest)))
    await store.withdrawCatalog(digest);
  for (const { place, bound } of holding) {
    if (aliveAt(place, world.replicas.now) === "yes") await checkLost(world, place, bound);
    place.bound = { ...bound, until: { ...bound.until, surely: 0 } };
  }
  // Waves of calls that broke off are not known, nor are their catalogs.
  for (const place of world.places.values()) {
    const { bound, perhaps } = place;
    if (bound === null || ![...perhaps].some((entity) => entity.startsWith(`${api}.`))) continue;
    place.bound = { ...bound, until: { ...bound.until, surely: 0 } };
  }
}
