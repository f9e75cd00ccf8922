import type { JsonObject } from "@plasm/core";
import { afterEach, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import { LOCAL } from "../identity/caller.ts";
import type { Store } from "../store-port.ts";
import type { SessionKey, WaveRecord } from "../records/sessions.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { engineOn } from "../../test/engine-on.ts";
import { testStore } from "../../test/test-store.ts";
import type { MemoryStore } from "../memory-store/memory-store.ts";

const engines: Engine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

/** The same store; `read` has the numbers of all waves that it gave. */
function watched(store: MemoryStore): { readonly on: Store; readonly read: number[] } {
  const read: number[] = [];
  const on: Store = {
    ...store,
    waves: async (key, after) => {
      const waves = await store.waves(key, after);
      read.push(...waves.map(({ n }) => n));
      return waves;
    },
  };
  return { on, read };
}

function start(store: Store): Engine {
  const engine = engineOn({ store, api: boatsApi() });
  engines.push(engine);
  return engine;
}

const asked = (...entities: readonly string[]) => ({
  intent: "boats",
  seeds: entities.map((entity) => ({ api: "quay", entity })),
});
const S0 = { kind: "ref", ref: "s0" } as const;

test("a process reads each wave of a session once, whoever wrote it (SESS-33, TEACH-30)", async () => {
  const store = testStore();
  const { on, read } = watched(store);
  const [here, there] = [start(on), start(store)];
  await here.context(LOCAL, asked("Boat"));
  await here.plan(LOCAL, S0, "Boat");
  await here.context(LOCAL, asked("Person"));
  expect(read).toEqual([1]);
  await there.context(LOCAL, asked("Visit", "Office"));
  await here.plan(LOCAL, S0, "e1");
  await here.plan(LOCAL, S0, "e1");
  expect(read).toEqual([1, 2, 3]);
});

test("symbols of a log read in pieces are those of one read whole (TEACH-4, P7)", async () => {
  const store = testStore();
  const pieces = start(store);
  for (const entity of ["Boat", "Person", "Visit", "Office"]) {
    await pieces.context(LOCAL, asked(entity));
    await pieces.plan(LOCAL, S0, "e1");
  }
  const whole = start(store);
  const symbols = (engine: Engine) => engine.symbols(LOCAL, S0);
  expect(await symbols(pieces)).toEqual(await symbols(whole));
});

/** Both halves of the session that an answer names. */
function keyOf(meta: JsonObject): SessionKey {
  const pair = meta["execute_binding"] as { readonly session_id: string; prompt_hash: string };
  return { promptHash: pair.prompt_hash, sessionId: pair.session_id };
}

/** The second wave of a session like the one under test, which that never had. */
async function strangeWave(): Promise<readonly WaveRecord[]> {
  const store = testStore();
  const engine = start(store);
  await engine.context(LOCAL, asked("Boat"));
  const { meta } = await engine.context(LOCAL, asked("Person"));
  return store.waves(keyOf(meta), 1);
}

test("what was read and is not there later is read anew after a conflict (SESS-34)", async () => {
  const store = testStore();
  await start(store).context(LOCAL, asked("Boat"));
  const strange = await strangeWave();
  let reads = 0;
  const on: Store = {
    ...store,
    waves: async (key, after = 0) => {
      reads += 1;
      const waves = await store.waves(key, after);
      return reads === 1 ? [...waves, ...strange] : waves;
    },
  };
  const { meta } = await start(on).context(LOCAL, asked("Visit"));
  expect(meta["domain_revision"]).toBe(2);
  expect((await store.waves(keyOf(meta))).map(({ entry }) => entry.entities)).toEqual([
    ["Boat"],
    ["Visit"],
  ]);
});
