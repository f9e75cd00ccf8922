import assert from "node:assert/strict";
import type { Caller, SessionKey } from "@plasm/agent-core";
import { principalOf } from "@plasm/agent-core/internal";
import { CURRENT_FEATURES, exposeSeeds, type WaveEntry, type WaveText } from "@plasm/core";
import { readSnapshot } from "./judge-programs.ts";
import { lookAt } from "./look-around.ts";
import { reaches } from "./people.ts";
import { aliveAt, type Look, type Place } from "./place.ts";
import { refName, type World } from "./world.ts";

const wavesIn = (place: Place): readonly WaveEntry[] =>
  [...(place.bound?.waves ?? [])]
    .toSorted(([a], [b]) => a - b)
    .map(([, text]) => {
      const {
        entry_id: entryId,
        entities,
        digest,
      } = JSON.parse(text) as {
        entry_id: string;
        entities: readonly string[];
        digest: string;
      };
      return { entryId, entities, digest };
    });

/** What the log alone says a session is: its texts, and its symbols as {@link Look} writes them (P7). */
function folded(world: World, log: readonly WaveEntry[]) {
  const { catalogs } = world.replicas;
  const setup = { catalogs, notation: "symbols", policy: {}, features: CURRENT_FEATURES } as const;
  let waves: readonly WaveText[] = [];
  let symbols: ReturnType<typeof exposeSeeds>["symbols"] | null = null;
  for (const [at, { entryId, entities }] of log.entries()) {
    const exposure = at === 0 ? null : { log: log.slice(0, at), sent: waves };
    const exposed = exposeSeeds({ ...setup, exposure, seeds: [{ entryId, entities }] });
    waves = [...waves, ...exposed.waves];
    ({ symbols } = exposed);
  }
  return { text: waves.map(({ text }) => text).join(""), symbols };
}

function checkFold(world: World, place: Place, look: Look): void {
  const log = wavesIn(place);
  // A wave that only a call wrote whose answer was lost is not known here.
  if (log.flatMap(({ entities }) => entities).length !== look.entities.length) return;
  const { text, symbols } = folded(world, log);
  assert.equal(look.prompt, text, "the fold of the log has the same text (P7)");
  const spelled = symbols?.methods.map(({ entryId, entity, label }) =>
    JSON.stringify({ entry_id: entryId, entity, label }),
  );
  assert.deepEqual(look.symbols.m, spelled);
  assert.deepEqual(
    look.symbols.p,
    symbols?.names.map((name) => JSON.stringify(name)),
  );
}

/** Sessions after all processes have died: the same symbols and texts, as the log alone gives them (P7). */
async function checkSessions(world: World): Promise<void> {
  for (const place of world.places.values()) {
    const { bound } = place;
    const seen = bound?.seen ?? null;
    if (bound === null || seen === null) continue;
    if (aliveAt(place, world.replicas.now) !== "yes") continue;
    const look = await lookAt(world, place, bound.key);
    assert.deepEqual(look, seen, "a restart changes nothing (P7)");
    checkFold(world, place, look);
  }
}

/** Who has a ref of a place. */
const holders = (world: World, place: Place): readonly (readonly [Caller, string])[] =>
  world.clients.flatMap((client) => {
    const ref = reaches(client, place) ? world.refs.get(refName(client, place)) : undefined;
    return ref === undefined ? [] : [[client, ref] as const];
  });

/** What a snapshot holds never changes, whoever of its session reads it and after what (P9). */
async function checkSnapshots(world: World): Promise<void> {
  for (const place of world.places.values()) {
    const [reader] = holders(world, place).slice(-1);
    for (const [n, { text }] of place.snapshots) {
      assert(reader !== undefined);
      assert.equal(await readSnapshot(world, ...reader, n), text, "a snapshot never changes (P9)");
    }
  }
}

const ANSWERED = "answered ";

/** What a call is refused with, else what it answers. */
async function refusalOf(world: World, work: () => Promise<unknown>): Promise<string> {
  const { engine } = world.replicas.at(0);
  try {
    return `${ANSWERED}${JSON.stringify(await work())}`;
  } catch (thrown) {
    const { code, text } = engine.problemOf(thrown);
    return `${code} ${text}`;
  }
}

const NOBODYS = { promptHash: "0".repeat(64), sessionId: "0".repeat(32) };
const NO_UUID = "00000000-0000-5000-8000-000000000000";

const ASKED = ["describe", "symbols", "status", "runs"] as const;

/** What a caller is told of a pair, but for the name that was asked for. */
async function toldOfPair(
  world: World,
  caller: Caller,
  what: (typeof ASKED)[number],
  key: SessionKey,
): Promise<string> {
  const { engine } = world.replicas.at(0);
  const text = await refusalOf(world, () => engine[what](caller, { kind: "pair", ...key }));
  return text.replaceAll(`${key.promptHash}/${key.sessionId}`, "");
}

/** The same of a plan in the session of a uuid. */
async function toldOfPlan(world: World, caller: Caller, uuid: string): Promise<string> {
  const { engine } = world.replicas.at(0);
  const address = { kind: "ref", ref: uuid } as const;
  const text = await refusalOf(world, () => engine.plan(caller, address, "e1"));
  return text.replaceAll(uuid, "");
}

/** Someone of another tenant or user, and what is told of what never was. */
interface Stranger {
  readonly caller: Caller;
  readonly ofPair: ReadonlyMap<(typeof ASKED)[number], string>;
  readonly ofPlan: string;
}

async function strangerOf(world: World, caller: Caller): Promise<Stranger> {
  const ofPair = new Map<(typeof ASKED)[number], string>();
  for (const what of ASKED) ofPair.set(what, await toldOfPair(world, caller, what, NOBODYS));
  return { caller, ofPair, ofPlan: await toldOfPlan(world, caller, NO_UUID) };
}

/** Pairs and uuids are to whom they are foreign what never was, byte by byte (P25, SESS-38). */
async function checkForeign(world: World, place: Place, stranger: Stranger): Promise<void> {
  const { engine } = world.replicas.at(0);
  const { caller, ofPair, ofPlan } = stranger;
  if (place.bound !== null) {
    for (const what of ASKED) {
      const told = await toldOfPair(world, caller, what, place.bound.key);
      assert.equal(told, ofPair.get(what), "a foreign pair is none");
    }
  }
  if (place.uuid !== null) assert.equal(await toldOfPlan(world, caller, place.uuid), ofPlan);
  const key = place.bound?.key ?? NOBODYS;
  for (const { runId } of place.snapshots.values()) {
    const uri = `plasm://execute/${key.promptHash}/${key.sessionId}/run/${runId}`;
    const refusal = await refusalOf(world, () => engine.readResource(caller, uri));
    assert(refusal.startsWith("plasm-unknown-"), refusal);
  }
}

/** Slots are spelled alike everywhere: what `s0` of a stranger reads is no run that is foreign to it (P25). */
async function checkSlots(world: World, place: Place, stranger: Caller): Promise<void> {
  const { engine } = world.replicas.at(1);
  const foreign = new Set(
    [...world.places.values()]
      .filter((one) => !reaches(stranger, one))
      .flatMap(({ snapshots }) => [...snapshots.values()].map(({ runId }) => runId)),
  );
  for (const [, ref] of holders(world, place).slice(0, 1)) {
    for (const n of place.snapshots.keys()) {
      const uri = `plasm://session/${ref}/r/${n}`;
      const told = await refusalOf(world, () => engine.readResource(stranger, uri));
      if (!told.startsWith(ANSWERED)) {
        assert(told.startsWith("plasm-unknown-"), told);
        continue;
      }
      // Its own, told of or not: a call that broke off may have written one.
      const { text } = JSON.parse(told.slice(ANSWERED.length)) as { text: string };
      const { run_id: runId } = JSON.parse(text) as { run_id: string };
      assert(!foreign.has(runId), `${principalOf(stranger)} read a foreign snapshot (P25)`);
    }
  }
}

/** All processes die; what is there afterwards is what was there, and each tenant's and user's alone. */
export async function lastLook(world: World): Promise<void> {
  const { replicas } = world;
  await replicas.restart();
  await checkSessions(world);
  await checkSnapshots(world);
  const uuids = [...world.places.values()].flatMap(({ uuid }) => (uuid === null ? [] : [uuid]));
  assert.equal(new Set(uuids).size, uuids.length, "no two places have one uuid (P5)");
  for (const caller of world.clients) {
    const stranger = await strangerOf(world, caller);
    for (const place of world.places.values()) {
      if (reaches(caller, place)) continue;
      await checkForeign(world, place, stranger);
      await checkSlots(world, place, caller);
    }
  }
}
