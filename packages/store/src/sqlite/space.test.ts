import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "@plasm/agent-core";
import { expect, it } from "vitest";
import { openSqliteStore } from "./open.ts";

const MB = 1024 * 1024;

const fileOf = (dataDir: string): string => join(dataDir, "plasm.db");

/** Some megabytes of content that nothing names. */
async function fill(store: Store, megabytes: number): Promise<void> {
  for (let n = 0; n < megabytes; n += 1) {
    const bytes = randomBytes(MB);
    await store.putBlob(createHash("sha256").update(bytes).digest("hex"), bytes);
  }
}

const empty = async (store: Store): Promise<void> => {
  while ((await store.removeBlobs(Number.MAX_SAFE_INTEGER, 10)) > 0);
};

it("18.9 what is freed is given back to the disk, the log too, while the store is used", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "plasm-space-"));
  const store = await openSqliteStore({ dataDir });
  await fill(store, 24);
  const full = await store.size?.();
  expect(full?.used).toBeGreaterThan(24 * MB);
  expect(full?.onDisk).toBeGreaterThan(24 * MB);
  await empty(store);
  expect((await store.size?.())?.used).toBeLessThan(2 * MB);
  await store.reclaim?.();
  expect((await store.size?.())?.onDisk).toBeLessThan(4 * MB);
  expect(statSync(fileOf(dataDir)).size).toBeLessThan(4 * MB);
  expect(statSync(`${fileOf(dataDir)}-wal`).size).toBe(0);
  await store.ping();
  await store.close();
  rmSync(dataDir, { recursive: true });
});

it("18.9 a file of an earlier program gives back what is freed from its next start on", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "plasm-space-"));
  await (await openSqliteStore({ dataDir })).close();
  const raw = new DatabaseSync(fileOf(dataDir));
  raw.exec("pragma auto_vacuum = none; vacuum");
  raw.close();
  const store = await openSqliteStore({ dataDir });
  await fill(store, 8);
  await empty(store);
  await store.reclaim?.();
  expect(statSync(fileOf(dataDir)).size).toBeLessThan(4 * MB);
  await store.close();
  rmSync(dataDir, { recursive: true });
});
