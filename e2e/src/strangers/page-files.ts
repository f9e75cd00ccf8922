import { readFile } from "node:fs/promises";

const BLOCK = /^```ts\n\/\/ (?<name>[\w.-]+\.ts)\n(?<text>[\s\S]*?)^```$/gm;

/** The TypeScript files of a page: its code blocks whose first line is a comment with a name. */
export async function pageFiles(page: URL): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(page, "utf8");
  const files = [...text.matchAll(BLOCK)].map(({ groups }): [string, string] => [
    groups?.["name"] ?? "",
    groups?.["text"] ?? "",
  ]);
  if (files.length === 0) throw new Error(`${page.pathname} has no files`);
  return new Map(files);
}
