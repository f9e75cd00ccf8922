import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RegistryApi } from "./registry-api.ts";

const CACHE_DIR = join(import.meta.dirname, "../../../node_modules/.cache/docker-registry");
const MADE_BY = ["fill-registry.ts", "registry-api.ts"] as const;

async function cachePath(): Promise<string> {
  const hash = createHash("sha256");
  for (const file of MADE_BY) hash.update(await readFile(join(import.meta.dirname, file)));
  return join(CACHE_DIR, hash.digest("hex").slice(0, 16));
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Puts the files of a filled registry at `path`. They are uploaded once to a registry that `serve` starts
 * on a directory and ends, kept beside the installed packages, and copied.
 */
export async function placeFilledData(
  path: string,
  serve: (directory: string, work: (api: RegistryApi) => Promise<void>) => Promise<void>,
  fill: (api: RegistryApi) => Promise<void>,
): Promise<void> {
  const template = await cachePath();
  if (!(await exists(template))) {
    await mkdir(CACHE_DIR, { recursive: true });
    const scratch = await mkdtemp(join(CACHE_DIR, "filling-"));
    try {
      await serve(join(scratch, "data"), fill);
      // A rename within one directory is atomic: another run that fills meanwhile sees all of it or nothing.
      await rename(join(scratch, "data"), template);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
  await cp(template, path, { recursive: true });
}
