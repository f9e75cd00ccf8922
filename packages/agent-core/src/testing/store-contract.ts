import type { CommitRecord } from "../records/commits.ts";
import type { ExecuteSession, WaveRecord } from "../records/sessions.ts";
import type { Store } from "../store-port.ts";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

/** A store under test, whose clock the test moves. */
export interface StoreUnderTest {
  readonly store: Store;
  readonly setNow: (ms: number) => void;
  /** Opens the same data again, as after a restart. */
  readonly reopen: () => Promise<Store>;
  /** How much of everything it holds: records by kind, other tables by name; none is left out. */
  readonly held: () => Promise<Readonly<Record<string, number>>>;
  readonly dispose: () => Promise<void>;
}

const T0 = 1_800_000_000_000;

function session(sessionId: string, over: Partial<ExecuteSession> = {}): ExecuteSession {
  return {
    promptHash: "ab",
    sessionId,
    scope: "t1",
    subject: null,
    logicalId: null,
    notation: "symbols",
    primary: "quay",
    reuseKey: "k1",
    createdAt: T0,
    expiresAt: T0 + 1000,
    ...over,
  };
}

function wave(n: number): WaveRecord {
  return {
    n,
    mode: "open",
    entry: { entryId: "quay", entities: [`E${n}`], digest: "sha256:1" },
    text: `wave ${n}`,
    parts: [],
    e: [n, n],
    m: null,
    p: null,
    tokens: 1,
    untaught: [],
  };
}

function commit(ref: string): CommitRecord {
  return {
    uuid: "u",
    ref,
    session: { promptHash: "ab", sessionId: "s" },
    principal: "t1/a",
    commit: "sha256:c",
    verdict: "ok",
    state: "live",
    hasEffects: false,
    mintedAt: T0,
    expiresAt: T0 + 600_000,
  };
}

/** Records, versions, numbers. */
function records(current: () => StoreUnderTest): void {
  it("keeps records by scope: a foreign scope sees nothing (SESS-38)", async () => {
    const { store } = current();
    expect(await store.insert("commit", "t1", "x/pc0", commit("pc0"))).toBe(true);
    expect(await store.insert("commit", "t1", "x/pc0", commit("pc0"))).toBe(false);
    expect((await store.get("commit", "t1", "x/pc0"))?.value.ref).toBe("pc0");
    expect(await store.get("commit", "t2", "x/pc0")).toBeNull();
    expect(await store.list("commit", "t2", "x/")).toEqual([]);
  });

  it("replaces a record once per version (compare-and-set)", async () => {
    const { store } = current();
    await store.insert("commit", "t1", "x/pc0", commit("pc0"));
    const next = { ...commit("pc0"), state: "consumed" as const };
    const races = await Promise.all(
      Array.from({ length: 10 }, () => store.cas("commit", "t1", "x/pc0", 1, next)),
    );
    expect(races.filter(Boolean)).toHaveLength(1);
    expect((await store.get("commit", "t1", "x/pc0"))?.version).toBe(2);
    expect(await store.cas("commit", "t2", "x/pc0", 2, next)).toBe(false);
  });

  it("lists by prefix in order of insertion and deletes", async () => {
    const { store } = current();
    for (const ref of ["pc0", "pc1", "pc10"]) {
      await store.insert("commit", "t1", `x/${ref}`, commit(ref));
    }
    await store.insert("commit", "t1", "x_/pc0", commit("other"));
    const refs = async () => (await store.list("commit", "t1", "x/")).map((r) => r.value.ref);
    expect(await refs()).toEqual(["pc0", "pc1", "pc10"]);
    await store.delete("commit", "t1", "x/pc1");
    expect(await refs()).toEqual(["pc0", "pc10"]);
  });

  it("lists by a prefix whatever is in ids, and reads ids that no record can have", async () => {
    const { store } = current();
    const odd = ["a%b/1", "a%b/2", "a_b/1", "aXb/1", "\u{1f6a4}/1", "\u{1f6a4}/2", "A%B/1", "ab/1"];
    for (const id of odd) await store.insert("commit", "t1", id, commit(id));
    const refs = async (prefix: string) =>
      (await store.list("commit", "t1", prefix)).map((r) => r.value.ref);
    expect(await refs("a%b/")).toEqual(["a%b/1", "a%b/2"]);
    expect(await refs("\u{1f6a4}/")).toEqual(["\u{1f6a4}/1", "\u{1f6a4}/2"]);
    expect(await refs("a_")).toEqual(["a_b/1"]);
    expect(await refs("")).toEqual(odd);
    for (const id of ["a\0b", "\ud800", "x".repeat(100_000)]) {
      expect(await store.get("commit", "t1", id)).toBeNull();
      expect(await store.list("commit", "t1", id)).toEqual([]);
    }
  });

  it("keeps any text of a record as it was", async () => {
    const { store } = current();
    const text = "\0 \ud800 \u{1f6a4} ' \" \\ \u2028 ☃";
    const written = { ...commit(text), program: text };
    await store.insert("commit", "t1", "x/pc0", written);
    expect((await store.get("commit", "t1", "x/pc0"))?.value).toEqual(written);
  });

  it("numbers densely under concurrency; pc from 0, the others from 1 (SESS-6)", async () => {
    const { store } = current();
    const taken = await Promise.all(Array.from({ length: 30 }, () => store.nextNumber("s", "r")));
    expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    expect(await store.nextNumber("s", "pc")).toBe(0);
    expect(await store.nextNumber("other", "r")).toBe(1);
  });
}

/** Long texts of records. */
function texts(current: () => StoreUnderTest): void {
  it("keeps a long text whole, and leaves it out of lists (docs/adr/0137)", async () => {
    const { store } = current();
    const program = "\0 \ud800 \u{1f6a4} ' \" \\ \u2028 ☃\ufeff\n".repeat(1_000);
    const written = { ...commit("pc0"), program };
    const { program: _program, ...listed } = written;
    await store.insert("commit", "t1", "x/pc0", written);
    const changed = { ...written, state: "waiting" as const };
    expect(await store.cas("commit", "t1", "x/pc0", 1, changed)).toBe(true);
    expect((await store.get("commit", "t1", "x/pc0"))?.value).toEqual(changed);
    const bare = { id: "x/pc0", version: 2, value: { ...listed, state: "waiting" } };
    expect(await store.peek("commit", "t1", "x/pc0")).toEqual(bare);
    expect(await store.peek("commit", "t2", "x/pc0")).toBeNull();
    expect(await store.list("commit", "t1", "x/")).toEqual([bare]);
    const [short, twin] = [commit("pc1"), { ...commit("pc2"), program }];
    await store.insert("commit", "t1", "x/pc1", short);
    await store.insert("commit", "t1", "x/pc2", twin);
    const ids = ["x/pc2", "x/none", "x/pc1", "x/pc0"];
    expect((await store.getAll("commit", "t1", ids)).map(({ value }) => value)).toEqual([
      twin,
      short,
      changed,
    ]);
    expect(await store.getAll("commit", "t2", ids)).toEqual([]);
    expect(await store.getAll("commit", "t1", [])).toEqual([]);
    for (const id of ["x/pc1", "x/pc2"]) await store.delete("commit", "t1", id);
    const aged = await store.aged("commit", T0, 9);
    expect(aged.map(({ value }) => value)).toEqual([bare.value]);
  });

  it("18.16 counts a long text once in each scope that has it, whoever has it besides", async () => {
    const { store } = current();
    const program = "x".repeat(100_000);
    const bytesOf = async () => (await store.usage(0, 1_000)).bytes;
    await store.insert("commit", "t1", "x/pc0", { ...commit("pc0"), program });
    const alone = (await bytesOf()).get("t1") ?? 0;
    expect(alone).toBeGreaterThan(100_000);
    for (const id of ["x/pc1", "x/pc2"]) {
      await store.insert("commit", "t1", id, { ...commit("pc0"), program });
    }
    await store.insert("commit", "t2", "x/pc0", { ...commit("pc0"), program });
    const bytes = await bytesOf();
    expect(bytes.get("t2")).toBe(alone);
    expect((bytes.get("t1") ?? 0) - alone).toBeLessThan(2_000);
    await store.delete("commit", "t1", "x/pc0");
    expect((await bytesOf()).get("t1")).toBeGreaterThan(100_000);
  });
}

/** Slots and lifetimes. */
function slotsAndSessions(current: () => StoreUnderTest): void {
  it("allots slots from the lowest free number, per principal (SESS-3)", async () => {
    const { store } = current();
    expect(await store.heldSlot("t1/a", "L1")).toBeNull();
    expect(await store.slotOf("t1/a", "L1")).toBe(0);
    expect(await store.heldSlot("t1/a", "L1")).toBe(0);
    expect(await store.heldSlot("t1/b", "L1")).toBeNull();
    expect(await store.slotOf("t1/a", "L2")).toBe(1);
    expect(await store.slotOf("t1/a", "L1")).toBe(0);
    expect(await store.slotOf("t1/b", "L2")).toBe(0);
    expect(await store.logicalAtSlot("t1/a", 1)).toBe("L2");
    expect(await store.logicalAtSlot("t1/b", 1)).toBeNull();
    expect(await store.slots("t1/a")).toEqual([
      { slot: 0, logicalId: "L1" },
      { slot: 1, logicalId: "L2" },
    ]);
    expect(await store.slots("t1/c")).toEqual([]);
  });

  it("gives a slot that is free again to the next one, the lowest first (SESS-3)", async () => {
    const { store } = current();
    const slots: number[] = [];
    for (const id of ["a", "b", "c", "d"]) slots.push(await store.slotOf("t1/a", id));
    for (const id of ["c", "a", "b"]) await store.freeSlots(id);
    for (const id of ["e", "f", "g", "h"]) slots.push(await store.slotOf("t1/a", id));
    expect(slots).toEqual([0, 1, 2, 3, 0, 1, 2, 4]);
  });

  it("creates one session per live reuse key (SESS-14, F23)", async () => {
    const { store, setNow } = current();
    const opens = await Promise.all(
      Array.from({ length: 10 }, (_, i) => store.findOrCreateSession("k1", () => session(`s${i}`))),
    );
    expect(opens.filter((o) => o.created)).toHaveLength(1);
    expect(new Set(opens.map((o) => o.row.sessionId)).size).toBe(1);
    setNow(T0 + 1001);
    expect(await store.liveSession("k1")).toBeNull();
    const later = await store.findOrCreateSession("k1", () => session("late"));
    expect(later).toMatchObject({ created: true, row: { sessionId: "late" } });
  });

  it("renews a live session or reports it gone, never both (SESS-11, F3)", async () => {
    const { store, setNow } = current();
    await store.findOrCreateSession("k1", () => session("s1"));
    const key = { promptHash: "ab", sessionId: "s1" };
    setNow(T0 + 999);
    expect((await store.renewSession("t1", key, 1000))?.expiresAt).toBe(T0 + 1999);
    expect(await store.renewSession("t2", key, 1000)).toBeNull();
    setNow(T0 + 1999);
    expect(await store.renewSession("t1", key, 1000)).toBeNull();
    expect((await store.session("t1", key))?.sessionId).toBe("s1");
    expect(await store.session("t2", key)).toBeNull();
  });

  it("keeps whether a session only reads, through renewals and a restart (SESS-10, SESS-35)", async () => {
    const { store, reopen } = current();
    await store.findOrCreateSession("k1", () => session("s1", { readOnly: true }));
    await store.findOrCreateSession("k2", () => session("s2", { reuseKey: "k2" }));
    const key = (sessionId: string) => ({ promptHash: "ab", sessionId });
    expect((await store.liveSession("k1"))?.readOnly).toBe(true);
    expect((await store.renewSession("t1", key("s1"), 1000))?.readOnly).toBe(true);
    const again = await reopen();
    expect((await again.session("t1", key("s1")))?.readOnly).toBe(true);
    expect(await again.session("t1", key("s2"))).not.toHaveProperty("readOnly");
  });

  it("never shortens a lifetime by renewing it (OPS-36)", async () => {
    const { store, setNow } = current();
    await store.findOrCreateSession("k1", () => session("s1"));
    const key = { promptHash: "ab", sessionId: "s1" };
    expect((await store.renewSession("t1", key, 90_000))?.expiresAt).toBe(T0 + 90_000);
    setNow(T0 + 5_000);
    expect((await store.renewSession("t1", key, 1_000))?.expiresAt).toBe(T0 + 90_000);
    expect((await store.session("t1", key))?.expiresAt).toBe(T0 + 90_000);
  });
}

/** The wave log and transactions. */
function waves(current: () => StoreUnderTest): void {
  it("appends waves at the expected length only (SESS-32, F6)", async () => {
    const { store } = current();
    const key = { promptHash: "ab", sessionId: "s1" };
    expect(await store.appendWaves(key, 0, [wave(1), wave(2)])).toBe("ok");
    expect(await store.appendWaves(key, 0, [wave(1)])).toBe("conflict");
    const races = await Promise.all([1, 2, 3].map(() => store.appendWaves(key, 2, [wave(3)])));
    expect(races.filter((r) => r === "ok")).toHaveLength(1);
    const numbers = async (after?: number) => (await store.waves(key, after)).map(({ n }) => n);
    expect(await numbers()).toEqual([1, 2, 3]);
    expect([await numbers(0), await numbers(2), await numbers(3)]).toEqual([[1, 2, 3], [3], []]);
  });

  it("rolls a failed transaction back whole (SESS-17)", async () => {
    const { store } = current();
    const key = { promptHash: "ab", sessionId: "s1" };
    await expect(
      store.transaction(async (tx) => {
        await tx.appendWaves(key, 0, [wave(1)]);
        await tx.nextNumber("s", "r");
        await tx.putBlob(createHash("sha256").update("rows").digest("hex"), Buffer.from("rows"));
        throw new Error("stop");
      }),
    ).rejects.toThrow("stop");
    expect(await store.waves(key)).toEqual([]);
    expect(await store.nextNumber("s", "r")).toBe(1);
    expect(await store.getBlob(createHash("sha256").update("rows").digest("hex"))).toBeNull();
  });

  it("runs transactions as if one came after the other: what is absent is made once", async () => {
    const { store } = current();
    const mint = () =>
      store.transaction(async (tx) => {
        const known = await tx.get("minted", "t1", "plan");
        if (known !== null) return known.value.ref;
        const ref = `pc${await tx.nextNumber("s", "pc")}`;
        await tx.insert("commit", "t1", `s/${ref}`, commit(ref));
        await tx.insert("minted", "t1", "plan", { ref });
        return ref;
      });
    const refs = await Promise.all(Array.from({ length: 12 }, mint));
    expect(new Set(refs).size).toBe(1);
    expect(await store.list("commit", "t1", "s/")).toHaveLength(1);
  });
}

/** Catalogs and blobs. */
function content(current: () => StoreUnderTest): void {
  it("keeps catalogs by digest and blobs by hash, across a restart (SESS-35, P7)", async () => {
    const { store, reopen } = current();
    const pinned = { digest: "sha256:1", entryId: "quay", domain: "d", mappings: "m" };
    await store.pinCatalog(pinned);
    await store.pinCatalog(pinned);
    const bytes = new TextEncoder().encode("rows ☃");
    const name = createHash("sha256").update(bytes).digest("hex");
    await store.putBlob(name, bytes);
    await expect(store.putBlob("00", bytes)).rejects.toThrow("SHA-256");
    const again = await reopen();
    expect(await again.pinnedCatalog("sha256:1")).toEqual(pinned);
    expect(await again.getBlob(name)).toEqual(bytes);
    expect(await again.getBlob("00")).toBeNull();
  });

  it("finds the catalogs that sessions have by entry id, and withdraws one alone (SESS-12)", async () => {
    const { store } = current();
    const pinned = (digest: string, entryId: string) => ({
      digest,
      entryId,
      domain: `${entryId} of ${digest}`,
      mappings: null,
    });
    const [first, second, other] = [pinned("1", "shed"), pinned("2", "shed"), pinned("3", "she_")];
    for (const one of [other, second, first]) await store.pinCatalog(one);
    const found = await store.pinnedCatalogs("shed");
    expect(found.toSorted((a, b) => a.digest.localeCompare(b.digest))).toEqual([first, second]);
    expect([await store.withdrawCatalog("1"), await store.withdrawCatalog("1")]).toEqual([
      true,
      false,
    ]);
    expect(await store.pinnedCatalogs("shed")).toEqual([second]);
    expect(await store.pinnedCatalogs("she_")).toEqual([other]);
    expect(await store.pinnedCatalogs("sh%")).toEqual([]);
  });
}

/** What every implementation of the storage port must do (SESS-32, SESS-33). */
export function storeContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`store contract: ${name}`, () => {
    let under: StoreUnderTest;
    const current = (): StoreUnderTest => under;
    beforeEach(async () => {
      under = await open();
      under.setNow(T0);
    });
    afterEach(() => under.dispose());
    records(current);
    texts(current);
    slotsAndSessions(current);
    waves(current);
    content(current);
  });
}
