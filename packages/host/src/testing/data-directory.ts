import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const directories = new Set<string>();

/** A data directory that is gone after the test. */
export async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "plasm-host-"));
  directories.add(path);
  return path;
}

/** Removes the directories of a test. */
export async function cleanUp(): Promise<void> {
  for (const path of directories) await rm(path, { recursive: true, force: true });
  directories.clear();
}
