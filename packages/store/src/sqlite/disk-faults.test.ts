import type { WaitingRecord } from "@plasm/agent-core";
import { Kysely } from "kysely";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrateToLatest } from "../migrations/migrate.ts";
import type { Tables } from "../schema/tables.ts";
import { StoreUnavailableError } from "../store-unavailable-error.ts";
import { nodeSqlite, sqliteDialect } from "./dialect.ts";
import { openSqliteStore, sqliteTypes } from "./open.ts";
import { shareCommits } from "./share-commits.ts";
import { shareSync } from "./shared-sync.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "plasm-store-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const file = (): string => join(dataDir, "plasm.db");
const faultOfThrown = (thrown: unknown): string =>
  thrown instanceof StoreUnavailableError ? thrown.fault : String(thrown);

/** The store's own connection, with SQLite's own limit on the size of its file in place of a disk's. */
async function openLimited() {
  const raw = new DatabaseSync(file());
  raw.exec("pragma journal_mode = wal");
  const db = new Kysely<Tables>({ dialect: sqliteDialect(nodeSqlite(raw)) });
  await migrateToLatest(db, { types: sqliteTypes });
  const pages = Number(raw.prepare("pragma page_count").get()?.["page_count"]);
  const commits = shareCommits(
    db,
    shareSync(async () => undefined),
  );
  const put = (id: string, size: number): Promise<unknown> =>
    commits.alone((tx) =>
      tx
        .insertInto("blobs")
        .values({ sha256: id, bytes: new Uint8Array(size) })
        .execute(),
    );
  const ids = async (): Promise<readonly string[]> =>
    (await db.selectFrom("blobs").select("sha256").orderBy("sha256").execute()).map(
      (row) => row.sha256,
    );
  return { raw, db, pages, put, ids };
}

describe("18.2 a full disk", () => {
  it("is told as such, not as the rollback that SQLite has made already", async () => {
    const { raw, db, pages, put, ids } = await openLimited();
    await put("kept", 10);
    raw.exec(`pragma max_page_count = ${pages + 4}`);
    const thrown = await put("large", 1_000_000).catch((error: unknown) => error);
    expect(faultOfThrown(thrown)).toBe("full");
    expect(String(thrown)).toContain("database or disk is full");
    raw.exec("pragma max_page_count = 1000000");
    await put("later", 1_000_000);
    expect(await ids()).toEqual(["kept", "later"]);
    await db.destroy();
  });

  it("fails all that share the transaction, and leaves nothing of any", async () => {
    const { raw, db, pages, put, ids } = await openLimited();
    raw.exec(`pragma max_page_count = ${pages + 4}`);
    const all = await Promise.allSettled([put("a", 10), put("b", 1_000_000), put("c", 10)]);
    const faults = all.map((one) =>
      one.status === "rejected" ? faultOfThrown(one.reason) : "done",
    );
    expect(faults).toEqual(["full", "full", "full"]);
    expect(await ids()).toEqual([]);
    await put("small", 10);
    expect(await ids()).toEqual(["small"]);
    await db.destroy();
  });
});

describe("18.2 a read-only database", () => {
  it("is told as such", async () => {
    const { raw, db, put } = await openLimited();
    raw.exec("pragma query_only = on");
    expect(faultOfThrown(await put("a", 10).catch((error: unknown) => error))).toBe("read_only");
    raw.exec("pragma query_only = off");
    await put("a", 10);
    await db.destroy();
  });
});

const RECORD: WaitingRecord = { uuid: "u", expiresAt: 1 };

/** A data directory whose store holds some records. */
async function filled(): Promise<void> {
  const store = await openSqliteStore({ dataDir });
  for (let n = 0; n < 200; n += 1) await store.insert("waiting", "t", `n${n}`, RECORD);
  await store.close();
}

/** Overwrites a stretch of the file. */
function damage(from: number, length: number): void {
  const handle = openSync(file(), "r+");
  writeSync(handle, new Uint8Array(length).fill(0xab), 0, length, from);
  closeSync(handle);
}

describe("18.2 a damaged file", () => {
  it.each([
    ["its header", 0, 100],
    ["its schema", 100, 3_900],
  ])("is called that when it is opened, with what to do: %s", async (_what, from, length) => {
    await filled();
    damage(from, length);
    const thrown = await openSqliteStore({ dataDir }).catch((error: unknown) => error);
    expect(faultOfThrown(thrown)).toBe("damaged");
    expect(String(thrown)).toContain(`${file()} is damaged`);
    expect(String(thrown)).toMatch(/restore it from a backup.*\.recover/s);
  });

  it("is called that when a page is read later", async () => {
    await filled();
    damage(4_096 * 2, readFileSync(file()).length - 4_096 * 2);
    const listed = async (): Promise<unknown> => {
      const store = await openSqliteStore({ dataDir });
      try {
        return await store.list("waiting", "t", "");
      } finally {
        await store.close();
      }
    };
    const thrown = await listed().catch((error: unknown) => error);
    expect(faultOfThrown(thrown)).toBe("damaged");
    expect((thrown as StoreUnavailableError).passes).toBe(false);
    expect((thrown as StoreUnavailableError).forCallers).not.toContain(dataDir);
  });
});

describe("18.2 a data directory that is gone", () => {
  it("refuses each write from then on, where its answer would be lost", async () => {
    const store = await openSqliteStore({ dataDir });
    await store.insert("waiting", "t", "before", RECORD);
    renameSync(dataDir, `${dataDir}-moved`);
    mkdirSync(dataDir);
    writeFileSync(file(), "");
    const writes = [
      store.insert("waiting", "t", "a", RECORD),
      store.transaction((tx) => tx.nextNumber("s", "r")),
      store.ping(),
    ];
    const all = await Promise.allSettled(writes);
    const faults = all.map((one) =>
      one.status === "rejected" ? faultOfThrown(one.reason) : "done",
    );
    expect(faults).toEqual(["removed", "removed", "removed"]);
    await store.close();
    rmSync(`${dataDir}-moved`, { recursive: true });
  });
});
