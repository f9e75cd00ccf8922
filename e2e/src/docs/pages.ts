import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** A page that people read, by its path from the root. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

export const pageAt = (path: string): Page => ({
  path,
  text: readFileSync(join(ROOT, path), "utf8"),
});

/** Every Markdown page of the repository; what is made for a release or of others' packages is none. */
export const PAGES: readonly Page[] = globSync(
  [
    "*.md",
    "docs/**/*.md",
    "catalogs/*.md",
    "{apps,catalogs,packages,plugins}/*/README.md",
    ".github/**/*.md",
  ],
  { cwd: ROOT },
)
  .filter((path) => !path.includes("node_modules"))
  .toSorted()
  .map(pageAt);

/** A fenced block: what stands behind its fence, and what is in it. */
interface Block {
  readonly line: number;
  /** as it stands; empty if nothing does */
  readonly kind: string;
  readonly body: string;
}

/**
 * Pages whose code is to be run: decisions are records of their day, docs/api is made of the source, a plug-in
 * shows parts of a host that is not there, and what docs/spec shows is held by the tests that cite its ids.
 */
export const GUIDES: readonly Page[] = PAGES.filter(
  ({ path }) => !/^(?:docs\/(?:adr|api|spec)|plugins)\//.test(path),
);

/** The fenced blocks of a page. Throws for a fence without an end. */
export function blocksOf({ path, text }: Page): readonly Block[] {
  const blocks: Block[] = [];
  let open: { fence: string; kind: string; line: number; body: string[] } | null = null;
  for (const [at, line] of text.split("\n").entries()) {
    const [, fence = "", kind = ""] = /^ {0,3}(`{3,}|~{3,})\s*(.*)$/.exec(line) ?? [];
    if (open === null) {
      if (fence !== "") open = { fence, kind: kind.trim(), line: at + 1, body: [] };
    } else if (fence.startsWith(open.fence) && kind === "") {
      blocks.push({ line: open.line, kind: open.kind, body: open.body.join("\n") });
      open = null;
    } else open.body.push(line);
  }
  if (open !== null) throw new Error(`${path}:${open.line} opens a fence that nothing closes`);
  return blocks;
}

/** A page without its fenced blocks, line by line as it was. */
export function proseOf(page: Page): string {
  const lines = page.text.split("\n");
  for (const { line, body } of blocksOf(page)) {
    const length =
      body === "" && lines[line]?.startsWith("`") === true ? 0 : body.split("\n").length;
    for (let at = line - 1; at < line + length + 1; at += 1) lines[at] = "";
  }
  return lines.join("\n");
}
