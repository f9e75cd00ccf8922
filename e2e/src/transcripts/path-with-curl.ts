import { spawnSync } from "node:child_process";
import { chmod, copyFile } from "node:fs/promises";
import { delimiter, join } from "node:path";

const SHIM = join(import.meta.dirname, "../../../scripts/start/curl-shim.mjs");

/** PATH with a curl on it: ours, put into `directory`, where the machine has none. */
export async function pathWithCurl(directory: string): Promise<string> {
  const path = process.env["PATH"] ?? "";
  if (spawnSync("curl", ["--version"]).status === 0) return path;
  await copyFile(SHIM, join(directory, "curl"));
  await chmod(join(directory, "curl"), 0o755);
  return [directory, path].join(delimiter);
}
