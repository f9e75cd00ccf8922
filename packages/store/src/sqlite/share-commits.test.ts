import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as setTurn } from "node:timers";
import { setImmediate } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";
import type { Store, WaitingRecord } from "@plasm/agent-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "./open.ts";

const RECORD: WaitingRecord = { uuid: "u", expiresAt: 1 };

let dataDir: string;
let store: Store;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "plasm-store-"));
  store = await openSqliteStore({ dataDir });
});
afterEach(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

const ids = async (): Promise<readonly string[]> =>
  (await store.list("waiting", "t", "")).map(({ id }) => id);

const insert = (id: string): Promise<boolean> => store.insert("waiting", "t", id, RECORD);

describe("writes that share a commit", () => {
  it("one that throws takes back its own and no other's", async () => {
    const failing = store.transaction(async (tx) => {
      await tx.insert("waiting", "t", "b", RECORD);
      throw new Error("changed its mind");
    });
    const all = await Promise.allSettled([insert("a"), failing, insert("c"), insert("a")]);
    expect(all.map((one) => ("value" in one ? one.value : String(one.reason)))).toEqual([
      true,
      "Error: changed its mind",
      true,
      false,
    ]);
    expect(await ids()).toEqual(["a", "c"]);
  });

  it("a ping is answered before all that waits (18.7)", async () => {
    const told: string[] = [];
    const writes = Array.from({ length: 200 }, (_none, at) =>
      insert(`n${at}`).then(() => told.push("write")),
    );
    await setImmediate();
    await store.ping();
    expect(told.length).toBeLessThan(60);
    await Promise.all(writes);
    expect(await ids()).toHaveLength(200);
  });

  it("each sees what those before it have done", async () => {
    const count = (): Promise<number> =>
      store.transaction(async (tx) => {
        const { length } = await tx.list("waiting", "t", "");
        await tx.insert("waiting", "t", `n${length}`, RECORD);
        return length;
      });
    expect(await Promise.all([count(), count(), count()])).toEqual([0, 1, 2]);
  });

  it("are there for another process once they are told to be", async () => {
    const other = new DatabaseSync(join(dataDir, "plasm.db"));
    const seen = other.prepare("select count(*) as n from records where kind = 'waiting'");
    const counts = await Promise.all(
      Array.from({ length: 120 }, async (_none, index) => {
        await insert(`n${index}`);
        return Number(seen.get()?.["n"]) > index;
      }),
    );
    expect(counts.every(Boolean)).toBe(true);
    other.close();
  });

  it("all fail where the database cannot be written", async () => {
    const other = new DatabaseSync(join(dataDir, "plasm.db"));
    other.exec("drop table records");
    other.close();
    const all = await Promise.allSettled([insert("a"), insert("b")]);
    expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  it("callers whose writes reached the disk together go on one in each round of the loop", async () => {
    let round = 0;
    const rounds: number[] = [];
    const turn = (): void => {
      round += 1;
      if (rounds.length < 40) setTurn(turn);
    };
    setTurn(turn);
    await Promise.all(
      Array.from({ length: 40 }, async (_none, index) => {
        await insert(`n${index}`);
        rounds.push(round);
      }),
    );
    expect(new Set(rounds).size).toBeGreaterThan(30);
  });

  it("let others have their turn, however many there are", async () => {
    let left = 500;
    const writes = Promise.all(
      Array.from({ length: left }, async (_none, index) => {
        await insert(`n${index}`);
        await store.cas("waiting", "t", `n${index}`, 1, RECORD);
        left -= 1;
      }),
    );
    let rounds = 0;
    while (left > 0) {
      await setImmediate();
      rounds += 1;
    }
    await writes;
    expect(rounds).toBeGreaterThan(10);
  });

  it("end before the store is closed", async () => {
    const written = insert("a");
    const again = await openSqliteStore({ dataDir });
    await store.close();
    expect(await written).toBe(true);
    store = again;
    expect(await ids()).toEqual(["a"]);
  });
});

describe("foreignChanges", () => {
  it("is another number after another connection's write, and the same after own ones", async () => {
    const before = store.foreignChanges?.();
    await insert("a");
    expect(store.foreignChanges?.()).toBe(before);
    const other = await openSqliteStore({ dataDir });
    await other.insert("waiting", "t", "b", RECORD);
    await other.close();
    expect(store.foreignChanges?.()).not.toBe(before);
  });
});
