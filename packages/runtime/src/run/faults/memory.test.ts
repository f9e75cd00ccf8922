import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("../../testing/peak-memory.ts", import.meta.url));
const MIB = 1024 * 1024;

test("RUN-028 a bomb of 1 GiB and a body of 100 MB do not fill the memory", async () => {
  const args = ["--conditions=@plasm/source", PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { grown, ends } = JSON.parse(stdout) as { grown: number; ends: readonly string[] };
  expect(ends).toEqual(["too_large", "too_large", "too_large", "too_large"]);
  // Twice what an answer may have, what is on its way, and the server, which is in the same process.
  expect(grown).toBeLessThan(96 * MIB);
});
