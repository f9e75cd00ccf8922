import { spawnSync } from "node:child_process";
import { chmod, copyFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { plasmCommand, temporaryDirectory } from "./spawn-plasm.ts";

const CURL = fileURLToPath(new URL("../../../../scripts/start/curl-shim.mjs", import.meta.url));

/** A `PATH` on which `plasm` is this program, and `curl` one of ours where the machine has none. */
export async function pathWithPlasm(): Promise<string> {
  const bin = await temporaryDirectory();
  const { command, args } = plasmCommand;
  const call = [command, ...args].map((part) => `'${part}'`).join(" ");
  await writeFile(join(bin, "plasm"), `#!/bin/sh\nexec ${call} "$@"\n`, { mode: 0o755 });
  if (spawnSync("curl", ["--version"]).status !== 0) {
    await copyFile(CURL, join(bin, "curl"));
    await chmod(join(bin, "curl"), 0o755);
  }
  return `${bin}${delimiter}${process.env["PATH"] ?? ""}`;
}
