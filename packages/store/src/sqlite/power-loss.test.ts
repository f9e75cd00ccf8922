import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { CounterKind } from "@plasm/agent-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "./open.ts";
import { bootNumber } from "./power-loss.ts";

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), "plasm-power-"))));
afterEach(() => rmSync(dataDir, { recursive: true }));

/** The next number of a counter of a session, of a store that is opened for it alone. */
async function next(kind: CounterKind): Promise<number> {
  const store = await openSqliteStore({ dataDir });
  try {
    return await store.nextNumber("s", kind);
  } finally {
    await store.close();
  }
}

/** Makes the directory one that was used before the machine was started. */
function startAgain(): void {
  const database = new DatabaseSync(join(dataDir, "plasm.db"));
  database.exec(`pragma user_version = ${bootNumber() - 1}`);
  database.close();
}

describe("SESS-30 numbers that a loss of power may have taken", () => {
  it.each(["r", "pg", "pc"] as const)("%s: none is given twice", async (kind) => {
    const first = await next(kind);
    expect(await next(kind)).toBe(first + 1);
    startAgain();
    expect(await next(kind)).toBe(first + 102);
    expect(await next(kind)).toBe(first + 103);
  });

  it("operations are on the disk before they are told: none of theirs is skipped", async () => {
    expect(await next("o")).toBe(1);
    startAgain();
    expect(await next("o")).toBe(2);
  });

  it("a start of the machine has one number", () => {
    expect(bootNumber()).toBe(bootNumber());
    expect(Number.isSafeInteger(bootNumber())).toBe(true);
  });
});
