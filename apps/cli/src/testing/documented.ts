import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** The commands of the `sh` blocks of a document under docs/, in their order. */
export async function documentedCommands(name: string): Promise<readonly string[]> {
  const path = fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url));
  const text = await readFile(path, "utf8");
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? "");
  return blocks.flatMap((block) => block.trimEnd().split("\n"));
}
