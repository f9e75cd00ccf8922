import assert from "node:assert/strict";
import type { SessionKey } from "@plasm/agent-core";

/** SESS-11 */
const LIFETIME_MS = 3_600_000;

/** What is known of an execute session. */
export interface Bound {
  readonly key: SessionKey;
  /** it lives until here, surely and at the longest: a call that broke off may have renewed it */
  readonly until: { readonly surely: number; readonly perhaps: number };
  /** exposed by calls that were answered */
  readonly exposed: ReadonlySet<string>;
  /** waves by number as answers told of them */
  readonly waves: ReadonlyMap<number, string>;
  /** what the last look showed */
  readonly seen: Look | null;
}

/** A session's symbols and text at a moment without calls. */
export interface Look {
  readonly symbols: {
    readonly e: readonly string[];
    readonly m: readonly string[];
    readonly p: readonly string[];
  };
  readonly entities: readonly string[];
  readonly prompt: string;
}

export type Alive = "yes" | "no" | "maybe";

/** What is known of a page handle. */
export interface Cursor {
  /** whose it is: others of the session do not know it */
  readonly principal: string;
  /** rows of a page, where a call does not say */
  readonly size: number;
  /** how many rows it may have given: several where calls broke off */
  readonly given: ReadonlySet<number>;
}

/** What one (scope, intent), or one reuse key of a host without intents, has come to. */
export interface Place {
  readonly name: string;
  readonly scope: string;
  /** whose it is where calls are delegated */
  readonly user: string | null;
  readonly bindsIntent: boolean;
  /** the principal that opened it, where it has neither an intent nor a user */
  readonly opener: string | null;
  uuid: string | null;
  bound: Bound | null;
  /** ids of all execute sessions there have been */
  readonly ids: Set<string>;
  /** a call that broke off may have opened another session than `bound` */
  doubtful: boolean;
  /** exposed perhaps, by calls that broke off */
  readonly perhaps: Set<string>;
  /** snapshots by number, as they were read first (P9) */
  readonly snapshots: Map<number, { readonly text: string; readonly runId: string }>;
  /** plan by commit ref: none stands for two (SESS-6) */
  readonly refs: Map<string, string>;
  /** page handles by number */
  readonly cursors: Map<number, Cursor>;
}

export const newPlace = (
  of: Pick<Place, "name" | "scope" | "user" | "bindsIntent" | "opener">,
): Place => ({
  ...of,
  uuid: null,
  bound: null,
  ids: new Set(),
  doubtful: false,
  perhaps: new Set(),
  snapshots: new Map(),
  refs: new Map(),
  cursors: new Map(),
});

/** Whether the session of a place lives at a time (SESS-11). */
export function aliveAt({ bound, doubtful }: Place, now: number): Alive {
  if (doubtful) return "maybe";
  if (bound === null || bound.until.perhaps <= now) return "no";
  return bound.until.surely > now ? "yes" : "maybe";
}

/** A call was answered in the session, or broke off there: it was renewed, surely or perhaps. */
export function renew(place: Place, now: number, surely: boolean): void {
  if (place.bound === null) return;
  const perhaps = now + LIFETIME_MS;
  const { until } = place.bound;
  place.bound = {
    ...place.bound,
    until: { surely: surely ? perhaps : until.surely, perhaps },
  };
}

/** The session that an answer names is now the place's. */
export function adopt(place: Place, key: SessionKey, now: number): void {
  const { bound } = place;
  const until = { surely: now + LIFETIME_MS, perhaps: now + LIFETIME_MS };
  place.doubtful = false;
  place.ids.add(key.sessionId);
  if (bound?.key.sessionId === key.sessionId) {
    assert.deepEqual(key, bound.key, "both halves of a binding stay (SESS-9)");
    place.bound = { ...bound, until };
    return;
  }
  place.bound = { key, until, exposed: new Set(), waves: new Map(), seen: null };
}

/** Notes waves that an answer told of: a number stands for one wave (P1, F6). */
export function noteWaves(place: Place, told: readonly { readonly n: number }[]): void {
  if (place.bound === null) return;
  const waves = new Map(place.bound.waves);
  for (const wave of told) {
    const text = JSON.stringify(wave);
    assert.equal(waves.get(wave.n) ?? text, text, "a wave never changes (P1)");
    waves.set(wave.n, text);
  }
  place.bound = { ...place.bound, waves };
}
