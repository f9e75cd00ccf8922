import assert from "node:assert/strict";
import { adopt, aliveAt, noteWaves, renew, type Alive, type Place } from "./place.ts";
import { contextMetaOf, keyOf, type ContextMeta, type Told } from "./told.ts";

/** A context call of a place, and what it came to. */
export interface ContextCall {
  readonly entities: readonly string[];
  readonly told: Told;
}

/** Only a store that fails, or others that keep changing the session, keep a call from its answer. */
function checkRefusals(calls: readonly ContextCall[], alone: boolean): void {
  for (const { told } of calls) {
    if (told.ok || told.dead) continue;
    assert.equal(told.code, "plasm-busy", told.text);
    assert(!alone, "a call that is alone is never busy (SESS-34)");
  }
}

/** All answers of one moment tell of one session, and of one uuid (P5, F23). */
function checkIdentity(place: Place, first: ContextMeta, answers: readonly ContextMeta[]): void {
  for (const meta of answers) {
    assert.deepEqual(keyOf(meta), keyOf(first), "one place has one live session (SESS-5, F23)");
    const uuid = meta.logical_session_id;
    assert.equal(uuid === null, !place.bindsIntent);
    assert.equal(uuid, place.uuid ?? uuid, "equal (scope, intent) give one uuid (P5)");
    place.uuid = uuid;
  }
}

/** A session is reused if and only if its key is equal and it lives (P6). */
function checkReuse(
  place: Place,
  alive: Alive,
  answers: readonly ContextMeta[],
  dead: boolean,
): void {
  const created = answers.filter(({ reused }) => !reused);
  const [id] = answers.map(({ execute_binding: pair }) => pair.session_id);
  const isBound = id === place.bound?.key.sessionId;
  assert(created.length <= 1, "of concurrent opens one creates (SESS-14)");
  for (const { continuity } of created) assert(continuity.new_symbol_space);
  if (created.length === 1)
    assert(id !== undefined && !place.ids.has(id), "a new one has a new id");
  switch (alive) {
    case "yes":
      assert(isBound && created.length === 0, "a live session is reused (P6)");
      break;
    case "no":
      assert(!isBound, "a session that is over is not reused (P6)");
      if (!dead) assert.equal(created.length, 1, "the next open creates (P6)");
      break;
    case "maybe":
      assert(
        created.length === 1 || isBound || place.doubtful || dead,
        "what is reused was opened",
      );
  }
}

/** Judges the context calls of one place that were under way at the same time, and notes what they did. */
export function judgeContexts(
  place: Place,
  calls: readonly ContextCall[],
  { now, alone }: { readonly now: number; readonly alone: boolean },
): void {
  checkRefusals(calls, alone);
  const alive = aliveAt(place, now);
  const answered = calls.flatMap(({ told, entities }) =>
    told.ok ? [{ meta: contextMetaOf(told.meta), entities }] : [],
  );
  const broken = calls.filter(({ told }) => !told.ok && told.dead);
  for (const { entities } of broken) for (const entity of entities) place.perhaps.add(entity);
  const [first] = answered;
  if (first === undefined) {
    if (broken.length > 0 && alive !== "yes") place.doubtful = true;
    renew(place, now, false);
    return;
  }
  const metas = answered.map(({ meta }) => meta);
  checkIdentity(place, first.meta, metas);
  checkReuse(place, alive, metas, broken.length > 0);
  adopt(place, keyOf(first.meta), now);
  if (place.bound === null) return;
  const added = answered.flatMap(({ entities }) => entities);
  place.bound = { ...place.bound, exposed: new Set([...place.bound.exposed, ...added]) };
  for (const { meta } of answered) noteWaves(place, meta.waves);
}
