import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { plasmCommand, temporaryDirectory } from "./spawn-plasm.ts";

/** A `PATH` on which `plasm` is this program. */
export async function pathWithPlasm(): Promise<string> {
  const bin = await temporaryDirectory();
  const { command, args } = plasmCommand;
  const call = [command, ...args].map((part) => `'${part}'`).join(" ");
  await writeFile(join(bin, "plasm"), `#!/bin/sh\nexec ${call} "$@"\n`, { mode: 0o755 });
  return `${bin}${delimiter}${process.env["PATH"] ?? ""}`;
}
