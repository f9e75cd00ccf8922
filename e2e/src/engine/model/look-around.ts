import assert from "node:assert/strict";
import type { SessionKey } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import { reaches } from "./people.ts";
import { aliveAt, type Look, type Place } from "./place.ts";
import { refName, type World } from "./world.ts";

/** Symbols of a letter in order; there is none between 1 and the last that is not given (P2). */
function inOrder(letter: string, map: JsonObject): readonly string[] {
  const keys = Object.keys(map);
  assert.deepEqual(
    keys,
    keys.map((_, at) => `${letter}${at + 1}`),
  );
  const all = Object.values(map).map((one) => JSON.stringify(one));
  assert.equal(new Set(all).size, all.length, "no two symbols of one thing (P2, F6)");
  return all;
}

/** A session as it is now; nothing is renewed by that. */
export async function lookAt(world: World, place: Place, key: SessionKey): Promise<Look> {
  // Where calls are not delegated, an address leads to those alone who have said the intent (SESS-38).
  const able = world.clients.filter(
    (one) =>
      reaches(one, place) &&
      (place.user !== null || !place.bindsIntent || world.refs.has(refName(one, place))),
  );
  const { engine } = world.replicas.at((world.calls += 1));
  // All of them see the same, whatever connection they come by (SESS-4).
  const client = able[world.calls % able.length];
  assert(client !== undefined);
  const address = { kind: "pair", ...key } as const;
  const { e, m, p } = await engine.symbols(client, address);
  const { prompt } = await engine.describe(client, address);
  const entities = Object.values(e).map((one) => {
    const { entry_id: entryId, entity } = one as { entry_id: string; entity: string };
    return `${entryId}.${entity}`;
  });
  const symbols = { e: inOrder("e", e), m: inOrder("m", m), p: inOrder("p", p) };
  return { symbols, entities, prompt };
}

const startsWith = (all: readonly string[], some: readonly string[]): boolean =>
  some.every((one, at) => all[at] === one);

/** What is there now extends what was there, and is the same where nothing was added (P1, P4, P7). */
function checkGrowth(before: Look, now: Look): void {
  for (const family of ["e", "m", "p"] as const) {
    assert(startsWith(now.symbols[family], before.symbols[family]), "no symbol changes (P1)");
  }
  assert(now.prompt.startsWith(before.prompt), "no text that was sent changes (P1)");
  if (now.entities.length === before.entities.length) assert.deepEqual(now, before);
}

/** Exposed is what was asked for, and nothing else (SESS-17, F6). */
function checkExposed(place: Place, exposed: ReadonlySet<string>, { entities }: Look): void {
  for (const entity of exposed) assert(entities.includes(entity), `${entity} was lost (F6)`);
  for (const entity of entities) {
    assert(exposed.has(entity) || place.perhaps.has(entity), `${entity} was never asked for`);
  }
}

/** Looks at those of the sessions that surely live. */
export async function lookAround(world: World, places: Iterable<Place>): Promise<void> {
  for (const place of places) {
    const { bound } = place;
    if (bound === null || aliveAt(place, world.replicas.now) !== "yes") continue;
    const look = await lookAt(world, place, bound.key);
    checkExposed(place, bound.exposed, look);
    if (bound.seen !== null) checkGrowth(bound.seen, look);
    place.bound = { ...bound, seen: look };
  }
}
