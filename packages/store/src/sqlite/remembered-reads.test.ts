import { mkdtempSync, rmSync } from "node:fs";
import { setImmediate as roundOfLoop } from "node:timers/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecuteSession, Store, StoreOps, WaveRecord } from "@plasm/agent-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "./open.ts";
import { RememberedReads } from "./remembered-reads.ts";

const HOUR = 3_600_000;
const KEY = { promptHash: "p", sessionId: "e1" };

let dataDir: string;
let here: Store;
let there: Store;
let now: number;

beforeEach(async () => {
  now = 1_000_000;
  dataDir = mkdtempSync(join(tmpdir(), "plasm-reads-"));
  here = await openSqliteStore({ dataDir, now: () => now });
  there = await openSqliteStore({ dataDir, now: () => now });
});
afterEach(async () => {
  await here.close();
  await there.close();
  rmSync(dataDir, { recursive: true });
});

const session: ExecuteSession = {
  ...KEY,
  scope: "t1",
  subject: null,
  logicalId: "l1",
  notation: "names",
  primary: "quay",
  reuseKey: "k1",
  createdAt: 0,
  expiresAt: 1_000_000 + HOUR,
};
const wave = (n: number) => ({ n, entry: { entryId: "quay", digest: "d1" } }) as WaveRecord;
const pin = { digest: "d1", entryId: "quay", domain: "", mappings: null };
const mark = (n: number) => ({ n }) as never;

/** All that is remembered of a store's look-ups. */
const lookUp = (store: StoreOps) =>
  Promise.all([
    store.get("mark", "t1", "a"),
    store.get("mark", "t", "1a"),
    store.list("offer", "", ""),
    store.logicalAtSlot("me", 0),
    store.logicalAtSlot("me", 1),
    store.heldSlot("me", "l1"),
    store.heldSlot("me", "l2"),
    store.session("t1", KEY),
    store.session("t2", KEY),
    store.session("t1", { ...KEY, promptHash: "q" }),
    store.waves(KEY),
    store.waves(KEY, 1),
    store.isPinned("d1"),
  ]);

/** Each kind of write, in an order in which each changes something. */
const WRITES: readonly (readonly [name: string, write: (tx: StoreOps) => Promise<unknown>])[] = [
  ["insert", (tx) => tx.insert("mark", "t1", "a", mark(1))],
  ["insert in another scope", (tx) => tx.insert("mark", "t", "1a", mark(2))],
  ["cas", (tx) => tx.cas("mark", "t1", "a", 1, mark(3))],
  ["offer", (tx) => tx.insert("offer", "", "quay", { entryId: "quay", digest: "d1" })],
  ["slotOf", (tx) => tx.slotOf("me", "l1")],
  ["slotOf another", (tx) => tx.slotOf("me", "l2")],
  ["findOrCreateSession", (tx) => tx.findOrCreateSession("k1", () => session)],
  ["appendWaves", (tx) => tx.appendWaves(KEY, 0, [wave(1)])],
  ["appendWaves again", (tx) => tx.appendWaves(KEY, 1, [wave(2)])],
  ["pinCatalog", (tx) => tx.pinCatalog(pin)],
  ["renewSession", (tx) => tx.renewSession("t1", KEY, 2 * HOUR)],
  ["withdrawCatalog", (tx) => tx.withdrawCatalog("d1")],
  ["freeSlots", (tx) => tx.freeSlots("l1")],
  ["remove", (tx) => tx.remove("mark", "t1", "a", 2)],
  ["delete", (tx) => tx.delete("mark", "t", "1a")],
  ["removeAll", (tx) => tx.removeAll("offer", "", "")],
  [
    "endSession",
    async (tx) => {
      now += 3 * HOUR;
      return tx.endSession(KEY);
    },
  ],
  ["removeSession", (tx) => tx.removeSession(KEY)],
];

describe("26.1 what is remembered is what the store has", () => {
  it.each([
    ["by itself", (store: Store) => (write: (tx: StoreOps) => Promise<unknown>) => write(store)],
    [
      "in a transaction",
      (store: Store) => (write: (tx: StoreOps) => Promise<unknown>) => store.transaction(write),
    ],
  ])("after each write of this process and of another, %s", async (_how, doing) => {
    let before = await lookUp(here);
    for (const [at, [name, write]] of WRITES.entries()) {
      await lookUp(there);
      const writer = at % 2 === 0 ? here : there;
      await doing(writer)(write);
      await writer.durable?.();
      // A transaction of its own reads the database itself.
      const truth = await there.transaction(lookUp);
      expect(truth, name).not.toEqual(before);
      expect([await lookUp(here), await lookUp(there)], name).toEqual([truth, truth]);
      await roundOfLoop();
      expect([await lookUp(here), await lookUp(there)], name).toEqual([truth, truth]);
      before = truth;
    }
  });

  it("what a transaction wrote that was taken back was never there", async () => {
    await here.insert("mark", "t1", "a", mark(1));
    const before = await lookUp(here);
    const failing = here.transaction(async (tx) => {
      await tx.cas("mark", "t1", "a", 1, mark(9));
      await tx.slotOf("me", "l1");
      throw new Error("stop");
    });
    await Promise.all([expect(failing).rejects.toThrow("stop"), lookUp(here)]);
    expect(await lookUp(here)).toEqual(before);
  });

  it("a read that a write overtakes is not remembered", async () => {
    await here.insert("mark", "t1", "a", mark(0));
    for (let n = 1; n <= 50; n += 1) {
      const reads: Promise<unknown>[] = [here.get("mark", "t1", "a"), roundOfLoop()];
      const write = here.cas("mark", "t1", "a", n, mark(n));
      for (let more = 0; more < n % 7; more += 1)
        reads.push(Promise.resolve().then(() => here.get("mark", "t1", "a")));
      await Promise.all([...reads, write]);
      expect((await here.get("mark", "t1", "a"))?.version).toBe(n + 1);
    }
  });

  it("nobody changes what others are given", async () => {
    await here.insert("mark", "t1", "a", mark(1));
    const found = (await here.get("mark", "t1", "a"))?.value as unknown as { n: number };
    expect(() => (found.n = 2)).toThrow(TypeError);
  });
});

describe("26.1 what is remembered", () => {
  it("is looked up once, and is bounded in number and in size", async () => {
    const reads = new RememberedReads(() => 0);
    let asked = 0;
    const read = (key: string, text = "x") =>
      reads.read(key, async () => {
        asked += 1;
        return text;
      });
    await read("a");
    await read("a");
    expect(asked).toBe(1);
    for (let n = 0; n < 4_000; n += 1) await read(`b${n}`);
    await read("a");
    expect(asked).toBe(4_002);
    for (let n = 0; n < 200; n += 1) await read(`long${n}`, "x".repeat(60_000));
    await read("b3999");
    await read("longest", "x".repeat(64_000));
    await read("longest", "x".repeat(64_000));
    expect(asked).toBe(4_205);
  });
});

describe("SESS-11 a session that is used again and again", () => {
  it("lives its lifetime from its last use, and is written once a minute", async () => {
    await here.findOrCreateSession("k1", () => session);
    const uses = 600;
    const changed: number[] = [];
    for (let n = 0; n < uses; n += 1) {
      now += 1_000;
      expect((await here.renewSession("t1", KEY, HOUR))?.expiresAt).toBeGreaterThanOrEqual(
        now + HOUR,
      );
      await here.durable?.();
      changed.push((await there.transaction((tx) => tx.session("t1", KEY)))?.expiresAt ?? 0);
    }
    expect(new Set(changed).size).toBeLessThanOrEqual(11);
    expect(changed.at(-1)).toBeGreaterThanOrEqual(now + HOUR);
    now += HOUR - 1;
    expect(await there.session("t1", KEY)).toMatchObject({ sessionId: "e1" });
    now += HOUR / 60 + 1;
    expect(await here.renewSession("t1", KEY, HOUR)).toBeNull();
  });
});
