import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { prepareDataDirectory } from "./data-directory.mjs";

let directory = "";
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), "plasm-start-"))));
afterEach(() => rmSync(directory, { recursive: true }));

test("a data directory is made with all above it, and used as it is", () => {
  const path = join(directory, "a", "b");
  prepareDataDirectory(path);
  prepareDataDirectory(path);
  expect(existsSync(path)).toBe(true);
});

test("one that cannot be is named, with what to do", () => {
  const file = join(directory, "file");
  writeFileSync(file, "");
  for (const path of [file, join(file, "below")]) {
    expect(() => prepareDataDirectory(path)).toThrow(`The data directory ${path} cannot be used`);
    expect(() => prepareDataDirectory(path)).toThrow("--data DIR");
  }
});
