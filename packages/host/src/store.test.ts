import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keepPrivate } from "./store.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "plasm-private-"));
  chmodSync(dataDir, 0o755);
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const modeOf = (name: string): string => (statSync(join(dataDir, name)).mode & 0o777).toString(8);

function put(name: string, mode: number): void {
  writeFileSync(join(dataDir, name), "x");
  chmodSync(join(dataDir, name), mode);
}

describe("SURF-27: what others of the machine may not read", () => {
  test("an open store and open credentials are closed, and said to have been open", async () => {
    mkdirSync(join(dataDir, "credentials"));
    chmodSync(join(dataDir, "credentials"), 0o755);
    put("plasm.db", 0o644);
    put("credentials/key.json", 0o640);
    const remarks = await keepPrivate(dataDir);
    expect(["plasm.db", "credentials", "credentials/key.json"].map(modeOf)).toEqual([
      "600",
      "700",
      "600",
    ]);
    expect(remarks).toEqual([
      `${join(dataDir, "plasm.db")} could be used by other users of this machine (mode 0644); it is 0600 now. Change the credentials in it if they may be known.`,
      `${join(dataDir, "credentials")} could be used by other users of this machine (mode 0755); it is 0700 now. Change the credentials in it if they may be known.`,
      `${join(dataDir, "credentials/key.json")} could be used by other users of this machine (mode 0640); it is 0600 now. Change the credentials in it if they may be known.`,
    ]);
    expect(await keepPrivate(dataDir)).toEqual([]);
  });

  test("what is not Plasm's own stays as it is, be it reached by a link", async () => {
    put("other.txt", 0o644);
    symlinkSync(join(dataDir, "other.txt"), join(dataDir, "plasm.db"));
    expect(await keepPrivate(dataDir)).toEqual([]);
    expect(modeOf("other.txt")).toBe("644");
    expect(modeOf(".")).toBe("755");
  });

  test("in a directory that is private nothing is open", async () => {
    chmodSync(dataDir, 0o700);
    put("plasm.db", 0o644);
    expect(await keepPrivate(dataDir)).toEqual([]);
  });

  test("an empty or missing directory has nothing to say", async () => {
    expect(await keepPrivate(dataDir)).toEqual([]);
    expect(await keepPrivate(join(dataDir, "none"))).toEqual([]);
  });
});
