import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDatabase } from "@plasm/testkit/postgres";
import { describe, expect, inject, it } from "vitest";

const PROGRAM = fileURLToPath(new URL("./dying-process.ts", import.meta.url));

interface End {
  readonly signal: string | null;
  readonly said: string;
}

/** Runs a process on a store until it ends, of itself or not. */
async function live(address: string, does: "accept" | "recover"): Promise<End> {
  const args = ["--conditions=@plasm/source", PROGRAM, address, does];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  return { signal, said: Buffer.concat(chunks).toString("utf8") };
}

/** A third process survives what two have died of, and goes on with other work. */
async function dieTwice(address: string): Promise<readonly (string | null)[]> {
  const first = await live(address, "accept");
  const second = await live(address, "recover");
  const { signal, said } = await live(address, "recover");
  const { told, beside, listed } = JSON.parse(said) as {
    readonly told: string;
    readonly beside: string;
    readonly listed: readonly { readonly reason: string; readonly deaths: number }[];
  };
  expect(told).toContain("Set aside: was under way when two processes ended.");
  expect(beside).toContain("b2");
  expect(listed).toMatchObject([
    { reason: "set aside: was under way when two processes ended", deaths: 2 },
  ]);
  return [first.signal, second.signal, signal];
}

const ENDS = ["SIGKILL", "SIGKILL", null];

describe("18.6 an operation that ends each process that runs it", { timeout: 240_000 }, () => {
  it("18.6 ends its process and one restart, and no third, on a data directory", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "plasm-set-aside-"));
    expect(await dieTwice(dataDir)).toEqual(ENDS);
    rmSync(dataDir, { recursive: true });
  });

  it("18.6 ends its process and one replica, and no third, on PostgreSQL", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    expect(await dieTwice(database.url)).toEqual(ENDS);
    await database.drop();
  });
});
