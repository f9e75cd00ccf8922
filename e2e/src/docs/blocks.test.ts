import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Claim, CLAIMS, FREE } from "./claimed-blocks.ts";
import { blocksOf, GUIDES, pageAt, proseOf, ROOT } from "./pages.ts";

const isOf = (claimed: string, kind: string): boolean =>
  claimed.endsWith(" *") ? kind.split(" ")[0] === claimed.slice(0, -2) : kind === claimed;

const claims = ({ kinds }: Claim, kind: string): boolean => kinds.some((one) => isOf(one, kind));

describe("every block of code on a page is run by a test, or says that it is text", () => {
  it.each(GUIDES)("$path", (page) => {
    const claimed = CLAIMS.filter((claim) => claim.page === page.path);
    const unclaimed = blocksOf(page)
      .filter(({ kind }) => kind !== FREE && !claimed.some((claim) => claims(claim, kind)))
      .map(({ line, kind }) => `${page.path}:${line} ${kind === "" ? "(no kind)" : kind}`);
    expect(unclaimed).toEqual([]);
  });

  // Indented programs of catalogs are those of e2e/src/servers/catalog-readmes.test.ts.
  const others = GUIDES.filter(({ path }) => !/^catalogs\/[^/]+\/README\.md$/.test(path));

  it.each(others)("$path: no code without a fence, which nobody would look for", (page) => {
    const indented = proseOf(page)
      .split("\n")
      .filter((line, at, lines) => /^ {4,}\S/.test(line) && lines[at - 1] === "")
      .filter((line) => !/^ {4,}(?:[-*]|\d+\.) /.test(line));
    expect(indented).toEqual([]);
  });

  it.each(CLAIMS)("$page $kinds: are there, and $by reads that page", ({ page, kinds, by }) => {
    const present = blocksOf(pageAt(page));
    const stale = kinds.filter((one) => !present.some(({ kind }) => isOf(one, kind)));
    expect(stale).toEqual([]);
    expect(existsSync(join(ROOT, by))).toBe(true);
    // Transcripts are named by their clients.
    const name = basename(page, page.includes("/transcripts/") ? "" : ".md");
    const reads = page.includes("/transcripts/") ? "docs/transcripts/" : name;
    expect(readFileSync(join(ROOT, by), "utf8")).toContain(reads);
  });

  const importsInternal = (body: string): boolean =>
    /["'`]@plasm\/[a-z-]+\/internal["'`]/.test(body);

  it("no example imports what only our own packages may", () => {
    const found = GUIDES.flatMap((page) =>
      blocksOf(page)
        .filter(({ body }) => importsInternal(body))
        .map(({ line }) => `${page.path}:${line}`),
    );
    expect(found).toEqual([]);
    expect(importsInternal('import { sortKey } from "@plasm/core/internal";')).toBe(true);
  });

  it("nothing is claimed twice", () => {
    const all = CLAIMS.flatMap(({ page, kinds }) => kinds.map((kind) => `${page} ${kind}`));
    expect(new Set(all).size).toBe(all.length);
  });

  it("many are found", () => {
    expect(GUIDES.flatMap((page) => blocksOf(page)).length).toBeGreaterThan(120);
  });

  it("a block that nobody claims is found, in a longer fence, too", () => {
    const page = { path: "x.md", text: "a\n\n````rust\n```text\nx\n```\n````\n\n```\ny\n```\n" };
    expect(blocksOf(page)).toEqual([
      { line: 3, kind: "rust", body: "```text\nx\n```" },
      { line: 9, kind: "", body: "y" },
    ]);
    expect(proseOf(page).trim()).toBe("a");
  });
});
