import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { binariesFor, dropBinaries, serverAccount } from "./binaries.ts";

/** A program, a library that it finds by a link, all in a directory of its owner's alone. */
function hidden(): string {
  const own = mkdtempSync(join(tmpdir(), "plasm-hidden-"));
  mkdirSync(join(own, "native/bin"), { recursive: true });
  mkdirSync(join(own, "native/lib"));
  writeFileSync(join(own, "native/bin/postgres"), '#!/bin/sh\ncat "$(dirname $0)/../lib/l.so"', {
    mode: 0o755,
  });
  writeFileSync(join(own, "native/lib/l.so.1"), "linked");
  symlinkSync("l.so.1", join(own, "native/lib/l.so"));
  return own;
}

test("programs that lie where an account may not look are copied to where it may", () => {
  const own = hidden();
  // Who is not root runs the server itself, from where it lies.
  const account = serverAccount();
  const binaries = binariesFor(account, join(own, "native/bin"));
  expect(binaries.copied === null).toBe(account === null);
  const run = spawnSync(join(binaries.directory, "postgres"), [], { ...account, encoding: "utf8" });
  expect([run.stdout, run.stderr, run.status]).toEqual(["linked", "", 0]);
  dropBinaries(binaries);
  expect(existsSync(binaries.directory)).toBe(account === null);
  rmSync(own, { recursive: true });
});
