import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pageAt, ROOT } from "./pages.ts";

/** A file that a page names to show a claim, with the ids in the bracket behind it. */
interface Evidence {
  readonly file: string;
  readonly ids: readonly string[];
}

const FILE =
  /`((?:apps|bench|catalogs|e2e|packages|plugins|scripts)\/[\w./-]+\.(?:ts|mjs))`(?: \(([A-Z]+-?\d+(?:, [A-Z]+-?\d+)*)\))?/g;

const evidenceIn = (text: string): readonly Evidence[] =>
  [...text.matchAll(FILE)].map(([, file = "", ids]) => ({ file, ids: ids?.split(", ") ?? [] }));

/** The rows of the table of threats, cell by cell. */
const threats = pageAt("docs/security.md")
  .text.split("\n## Threats\n")[1]
  ?.split("\n## ")[0]
  ?.split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(2)
  .map((line) => line.slice(2, -2).split(" | "));

describe("docs/security.md: each threat has what holds it, and a test that shows it", () => {
  it("there are many", () => {
    expect(threats?.length).toBeGreaterThanOrEqual(14);
  });

  it.each(threats ?? [])("%s", (threat, holds, shownBy = "", remains) => {
    expect(threat).not.toBe("");
    expect(holds).not.toBe("");
    expect(remains).toBeDefined();
    expect(evidenceIn(shownBy).length).toBeGreaterThan(0);
  });
});

const PAGES_WITH_EVIDENCE = [
  "docs/security.md",
  "docs/identity.md",
  "docs/observability.md",
  "docs/operating.md",
];

describe.each(PAGES_WITH_EVIDENCE)("%s: what it names to show a claim is there", (path) => {
  it.each(evidenceIn(pageAt(path).text))("$file $ids", ({ file, ids }) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
    const text = readFileSync(join(ROOT, file), "utf8");
    for (const id of ids) expect(text).toMatch(new RegExp(`\\b${id}\\b`));
  });
});

describe("llms.txt", () => {
  const { text } = pageAt("llms.txt");

  it("begins with a name and what it is", () => {
    expect(text).toMatch(/^# Plasm\n\n> \S/);
  });

  it("leads to files that are there, each guide among them", () => {
    const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(targets.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
    expect(new Set(targets).size).toBe(targets.length);
    const index = [...pageAt("docs/index.md").text.matchAll(/\]\(([\w-]+\.md)\)/g)];
    const missing = index
      .map(([, name = ""]) => `docs/${name}`)
      .filter((one) => !targets.includes(one));
    expect(missing).toEqual([]);
  });
});
