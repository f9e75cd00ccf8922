import type { Store } from "@plasm/agent-core";
import { type StoreUnderTest, storeContract } from "@plasm/agent-core/testing";
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { someOfEverything } from "../../../agent-core/test/some-of-everything.ts";
import { approvalsContract } from "../../test/approvals-contract.ts";
import { auditContract } from "../../test/audit-contract.ts";
import { boundContract } from "../../test/bound-contract.ts";
import { HELD, heldIn } from "../../test/held.ts";
import { quotasContract } from "../../test/quotas-contract.ts";
import { schedulesContract } from "../../test/schedules-contract.ts";
import { sweepContract } from "../../test/sweep-contract.ts";
import { expectDamagedText, textsContract } from "../../test/texts-contract.ts";
import { StoreUnavailableError } from "../store-unavailable-error.ts";
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

async function open(): Promise<StoreUnderTest> {
  const dataDir = mkdtempSync(join(tmpdir(), "plasm-store-"));
  let now = 0;
  const opened: Store[] = [];
  const openOne = async (): Promise<Store> => {
    const store = await openSqliteStore({ dataDir, now: () => now });
    opened.push(store);
    return store;
  };
  const store = await openOne();
  return {
    store,
    setNow: (ms) => {
      now = ms;
    },
    reopen: openOne,
    held: async () => {
      const raw = new DatabaseSync(join(dataDir, "plasm.db"));
      const rows = raw.prepare(HELD).all();
      raw.close();
      return heldIn(rows);
    },
    dispose: async () => {
      for (const one of opened) await one.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

storeContract("sqlite", open);
sweepContract("sqlite", open, someOfEverything);
boundContract("sqlite", open);
approvalsContract("sqlite", open);
quotasContract("sqlite", open);
schedulesContract("sqlite", open);
auditContract("sqlite", open);
textsContract("sqlite", open);

describe("openSqliteStore", () => {
  it("makes a directory and a file that no other user can look into", async () => {
    const parent = mkdtempSync(join(tmpdir(), "plasm-store-"));
    const dataDir = join(parent, "data");
    const store = await openSqliteStore({ dataDir });
    await store.close();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, "plasm.db")).mode & 0o777).toBe(0o600);
    rmSync(parent, { recursive: true });
  });

  it("lets two processes write to one directory without losing a number", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "plasm-store-"));
    const script = `
      const { openSqliteStore } = await import(${JSON.stringify(new URL("./open.ts", import.meta.url).href)});
      const store = await openSqliteStore({ dataDir: ${JSON.stringify(dataDir)} });
      const numbers = [];
      for (let i = 0; i < 50; i += 1) {
        numbers.push(await store.transaction((tx) => tx.nextNumber("s", "r")));
      }
      console.log(JSON.stringify(numbers));
      await store.close();`;
    const run = promisify(execFile);
    const outputs = await Promise.all(
      [1, 2].map(() => run(process.execPath, ["--input-type=module", "-e", script])),
    );
    const numbers = outputs.flatMap((o) => JSON.parse(o.stdout) as number[]);
    expect(new Set(numbers).size).toBe(100);
    rmSync(dataDir, { recursive: true });
  });

  it("waits for another process that makes the same database, and says so when that takes too long (SESS-33)", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "plasm-store-"));
    const other = new DatabaseSync(join(dataDir, "plasm.db"));
    other.exec("create table t (a); begin exclusive");
    await expect(openSqliteStore({ dataDir })).rejects.toThrow(
      /locked by another process.*end that/,
    );
    const opening = openSqliteStore({ dataDir });
    await setTimeout(100);
    other.exec("rollback; drop table t");
    other.close();
    const store = await opening;
    expect(await store.nextNumber("s", "r")).toBe(1);
    await store.close();
    rmSync(dataDir, { recursive: true });
  });

  it("names the directory and the way out when it cannot be used", async () => {
    const dir = mkdtempSync(join(tmpdir(), "plasm-store-"));
    const file = join(dir, "file");
    writeFileSync(file, "");
    const attempt = openSqliteStore({ dataDir: join(file, "data") });
    await expect(attempt).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(attempt).rejects.toThrow(/cannot be used.*--data DIR/);
    rmSync(dir, { recursive: true });
  });

  it("is not well after its directory was deleted or replaced", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "plasm-store-"));
    const store = await openSqliteStore({ dataDir });
    await store.ping();
    rmSync(dataDir, { recursive: true });
    await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailableError);
    const other = await openSqliteStore({ dataDir });
    await other.ping();
    await expect(store.ping()).rejects.toThrow("was deleted or replaced");
    await store.close();
    await other.close();
    rmSync(dataDir, { recursive: true });
  });

  it("is unavailable, not defective, while another holds the lock for too long", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "plasm-store-"));
    const store = await openSqliteStore({ dataDir });
    const raw = new DatabaseSync(join(dataDir, "plasm.db"));
    raw.exec("begin immediate");
    await expect(store.nextNumber("s", "r")).rejects.toBeInstanceOf(StoreUnavailableError);
    raw.exec("rollback");
    expect(await store.nextNumber("s", "r")).toBe(1);
    raw.close();
    await store.close();
    rmSync(dataDir, { recursive: true });
  });

  it("reports a damaged blob and never serves it (SESS-29, P10)", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "plasm-store-"));
    const store = await openSqliteStore({ dataDir });
    const raw = new DatabaseSync(join(dataDir, "plasm.db"));
    raw.exec("insert into blobs (sha256, bytes) values ('aa', x'00')");
    raw.close();
    await expect(store.getBlob("aa")).rejects.toThrow("damaged");
    await expectDamagedText(store, (statement) => {
      const again = new DatabaseSync(join(dataDir, "plasm.db"));
      again.exec(`${statement.replace("BYTES", "x'00'")}`);
      again.close();
    });
    await store.close();
    rmSync(dataDir, { recursive: true });
  });
});
