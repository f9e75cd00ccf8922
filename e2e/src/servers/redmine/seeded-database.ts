import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ACCOUNTS_FILE } from "./accounts.ts";
import type { RedmineInstallation } from "./installation.ts";
import { makeInstanceDir } from "./instance-dir.ts";
import { runToEnd } from "./run-to-end.ts";

const SEED_FILE = join(import.meta.dirname, "seed.rb");
const CACHE_DIR = join(import.meta.dirname, "../../../node_modules/.cache/redmine");
const STEP_TIMEOUT_MS = 180_000;

async function cachePath(installation: RedmineInstallation): Promise<string> {
  const hash = createHash("sha256").update(installation.release);
  for (const file of [SEED_FILE, ACCOUNTS_FILE]) hash.update(await readFile(file));
  return join(CACHE_DIR, `${hash.digest("hex").slice(0, 16)}.sqlite3`);
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function buildInto(target: string, installation: RedmineInstallation): Promise<void> {
  await mkdir(CACHE_DIR, { recursive: true });
  const scratch = await mkdtemp(join(CACHE_DIR, "seeding-"));
  try {
    const { database, env } = await makeInstanceDir(scratch);
    const step = { cwd: installation.root, env, timeoutMs: STEP_TIMEOUT_MS };
    await runToEnd({ ...step, argv: ["bundle", "exec", "rake", "db:migrate"] });
    await runToEnd({ ...step, argv: ["bundle", "exec", "rails", "runner", SEED_FILE] });
    // A rename within one directory is atomic: another run that seeds meanwhile sees all of it or nothing.
    await rename(database, target);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Puts a seeded database at `path`.
 * It is built once for each release of Redmine and version of the seed, then kept beside the installed packages and copied.
 */
export async function placeSeededDatabase(
  path: string,
  installation: RedmineInstallation,
): Promise<void> {
  const template = await cachePath(installation);
  if (!(await exists(template))) await buildInto(template, installation);
  await copyFile(template, path);
}
