import { afterEach, describe, expect, it } from "vitest";
import { boatsApi } from "../../test/boats-api.ts";
import { engineOn } from "../../test/engine-on.ts";
import { testStore } from "../../test/test-store.ts";
import type { Engine } from "../engine.ts";
import { type Caller, LOCAL } from "../identity/caller.ts";
import type { ConnectionRecord } from "../records/sessions.ts";
import type { Store } from "../store-port.ts";
import {
  connectionState,
  isOpenedOn,
  noteCancelled,
  noteRestored,
  noteSent,
  sessionsOf,
} from "./connections.ts";

const ID = "c".repeat(32);
const KEY = { sessionId: "e1", promptHash: "p" };

describe("what a connection knows of a session", () => {
  it("is nothing before it was opened or restored on it (SESS-3)", async () => {
    const store = testStore();
    expect(await connectionState(store, ID, "l1", "e1", 1)).toEqual({
      seen: "unseen",
      stale: null,
      isKnown: false,
    });
    await noteRestored(store, ID, "l1");
    expect(await connectionState(store, ID, "l1", "e1", 1)).toMatchObject({ isKnown: true });
    expect(await isOpenedOn(store, ID, "l1")).toBe(false);
    await noteSent(store, ID, "l1", KEY, { from: 1, to: 2 });
    expect(await connectionState(store, ID, "l1", "e1", 2)).toMatchObject({ seen: "seen" });
    expect(await connectionState(store, ID, "l1", "e2", 1)).toMatchObject({ stale: KEY });
    expect(await isOpenedOn(store, ID, "l1")).toBe(true);
    expect(await isOpenedOn(store, ID, "l2")).toBe(false);
  });

  it("keeps a gap of waves as a gap, and waves that were sent when nothing more is", async () => {
    const store = testStore();
    await noteSent(store, ID, "l1", KEY, { from: 2, to: 3 });
    expect(await connectionState(store, ID, "l1", "e1", 1)).toMatchObject({ seen: "unseen" });
    await noteSent(store, ID, "l1", KEY, { from: 1, to: 3 });
    await noteSent(store, ID, "l1", KEY, { from: 1, to: 0 });
    expect(await connectionState(store, ID, "l1", "e1", 3)).toMatchObject({ seen: "seen" });
  });

  it("18.11 is read from the record of an earlier program, and kept when that goes", async () => {
    const store = testStore();
    const record: ConnectionRecord = {
      id: ID,
      sent: { l1: { ...KEY, waves: 2 } },
      opened: ["l2"],
      restored: ["l3"],
      lastUsedAt: 0,
    };
    await store.insert("connection", "connections", ID, record);
    expect(await sessionsOf(store, ID)).toEqual(new Set(["l1", "l2", "l3"]));
    expect([await isOpenedOn(store, ID, "l2"), await isOpenedOn(store, ID, "l3")]).toEqual([
      true,
      false,
    ]);
    const states = () =>
      Promise.all(["l1", "l2", "l3", "l4"].map((id) => connectionState(store, ID, id, "e1", 2)));
    const before = await states();
    expect(before.map(({ seen, isKnown }) => [seen, isKnown])).toEqual([
      ["seen", true],
      ["unseen", true],
      ["unseen", true],
      ["unseen", false],
    ]);
    await noteCancelled(store, ID, "7");
    expect(await states()).toEqual(before);
    await store.delete("connection", "connections", ID);
    expect(await states()).toEqual(before);
    expect(await sessionsOf(store, ID)).toEqual(new Set(["l1", "l2", "l3"]));
  });
});

const engines: Engine[] = [];
afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close())));

/** A store that counts the characters of the records that are read and written. */
function measured(store: Store): { readonly store: Store; characters: number } {
  const use = { store, characters: 0 };
  const note = <T>(value: T): T => {
    use.characters += JSON.stringify(value ?? null).length;
    return value;
  };
  use.store = {
    ...store,
    get: async (...asked) => note(await store.get(...asked)),
    insert: (...given) => store.insert(...note(given)),
    cas: (...given) => store.cas(...note(given)),
  };
  return use;
}

it("26.8 a call costs the same however many sessions were opened on its connection", async () => {
  const use = measured(testStore());
  const engine = engineOn({ store: use.store, api: boatsApi() });
  engines.push(engine);
  const caller: Caller = { ...LOCAL, connection: ID };
  const open = (intent: string) =>
    engine.context(caller, { intent, seeds: [{ api: "quay", entity: "Boat" }] });
  const costs = async (): Promise<number> => {
    use.characters = 0;
    await engine.plan(caller, { kind: "ref", ref: "s0" }, "e1.limit(1)");
    return use.characters;
  };
  await open("boats");
  await costs();
  const few = await costs();
  for (let at = 0; at < 50; at += 1) await open(`boats ${at}`);
  expect(Math.abs((await costs()) - few)).toBeLessThan(50);
});
