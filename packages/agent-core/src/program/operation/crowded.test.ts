import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("../../../test/crowded-process.ts", import.meta.url));

test("18.6 32 operations of one tenant whose rows do not fit at once end well while others answer", async () => {
  const args = ["--max-old-space-size=1024", "--conditions=@plasm/source", PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e7 });
  const { ends, beside } = JSON.parse(stdout) as {
    readonly ends: readonly string[];
    readonly beside: number;
  };
  expect(ends).toHaveLength(32);
  expect(ends.filter((end) => !end.startsWith("Boat · 1500 rows"))).toEqual([]);
  expect(beside).toBeGreaterThan(0);
}, 300_000);
