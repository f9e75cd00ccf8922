import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./boot/versions.mjs";

const suite = (counts) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...counts,
});
const unloaded = {
  name: "a.test.ts",
  status: "failed",
  message: "no import",
  assertionResults: [],
};

const run = (files) => {
  const directory = mkdtempSync(join(tmpdir(), "plasm-totals-"));
  try {
    for (const [name, value] of Object.entries(files)) {
      writeFileSync(join(directory, name), JSON.stringify(value));
    }
    const script = join(root, "scripts/ci-totals.mjs");
    const { status, stdout } = spawnSync(process.execPath, [script, directory], {
      encoding: "utf8",
    });
    return { lines: stdout.trimEnd().split("\n"), status };
  } finally {
    rmSync(directory, { recursive: true });
  }
};

const totals = (files) => {
  const { lines, status } = run(files);
  return [lines.at(-1), status];
};

test.each([
  ["no phase at all", {}, "0 passed, 1 failed", 1],
  ["a phase that counts nothing", { "a.rc": 0 }, "0 passed, 0 failed", 0],
  ["a phase that failed without saying why", { "a.rc": 2 }, "0 passed, 1 failed", 1],
  ["gates", { "a.rc": 0, "a.json": { passed: 12, failed: 0 } }, "12 passed, 0 failed", 0],
  ["a failed gate", { "a.rc": 1, "a.json": { passed: 11, failed: 1 } }, "11 passed, 1 failed", 1],
  [
    "two suites",
    {
      "a.rc": 0,
      "a.json": suite({ numPassedTests: 5 }),
      "b.rc": 0,
      "b.json": suite({ numPassedTests: 2 }),
    },
    "7 passed, 0 failed",
    0,
  ],
  [
    "a skipped test",
    { "a.rc": 0, "a.json": suite({ numPendingTests: 1 }) },
    "0 passed, 1 failed",
    1,
  ],
  [
    "a file that did not load",
    { "a.rc": 1, "a.json": suite({ testResults: [unloaded] }) },
    "0 passed, 1 failed",
    1,
  ],
  [
    "an error outside tests",
    { "a.rc": 1, "a.json": suite({ numPassedTests: 4 }) },
    "4 passed, 1 failed",
    1,
  ],
])("%s", (_, files, line, status) => {
  expect(totals(files)).toEqual([line, status]);
});

test("a failed test is told again with its file, its name and how it failed", () => {
  const failed = {
    name: join(process.cwd(), "packages/a.test.ts"),
    status: "failed",
    assertionResults: [
      { status: "passed", fullName: "fine", failureMessages: [] },
      { status: "failed", fullName: "adds", failureMessages: ["expected 2\n    at a.test.ts:3"] },
    ],
  };
  const { lines } = run({
    "a.rc": 1,
    "a.json": suite({ numFailedTests: 1, testResults: [failed] }),
  });
  expect(lines.slice(0, 3)).toEqual([
    "failed: packages/a.test.ts: adds",
    "    expected 2",
    "        at a.test.ts:3",
  ]);
});
