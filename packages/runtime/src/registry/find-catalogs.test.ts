import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalogPath } from "./find-catalogs.ts";

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "plasm-packages-")));
  for (const name of ["@acme/apis", "shared-apis", "@acme/local"]) {
    const directory = join(root, "node_modules", name);
    await mkdir(join(directory, "quay"), { recursive: true });
    // As packages that name what they export do; their other files cannot be imported.
    const exports = { "./package.json": "./package.json" };
    await writeFile(join(directory, "package.json"), JSON.stringify({ name, exports }));
  }
  await mkdir(join(root, "work", "@acme", "local"), { recursive: true });
});
afterAll(() => rm(root, { recursive: true, force: true }));

test.each([
  ["@acme/apis", "node_modules/@acme/apis"],
  ["@acme/apis/quay", "node_modules/@acme/apis/quay"],
  ["shared-apis", "node_modules/shared-apis"],
  ["@acme/local", "work/@acme/local"],
  ["./shared-apis", "work/shared-apis"],
  ["../shared-apis", "shared-apis"],
  ["@acme/apis/../local", "work/@acme/local"],
  ["@acme/none", "work/@acme/none"],
  ["none", "work/none"],
  ["/none", "/none"],
])("%s is at %s (RUN-180)", (given, expected) => {
  expect(catalogPath(given, join(root, "work"))).toBe(
    expected.startsWith("/") ? expected : join(root, expected),
  );
});
