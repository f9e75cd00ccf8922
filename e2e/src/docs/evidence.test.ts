import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GUIDES, pageAt, proseOf, ROOT } from "./pages.ts";

/** A file that a page names to show a claim, with the ids in the bracket behind it. */
interface Evidence {
  readonly file: string;
  readonly ids: readonly string[];
  /** how tests of it are called, or how their names begin */
  readonly tests: readonly string[];
}

const FILE =
  /`((?:apps|bench|catalogs|e2e|packages|plugins|scripts)\/[\w./-]+\.(?:ts|mjs))`(?: \(([A-Z]+-?\d+(?:, [A-Z]+-?\d+)*)\))?((?:,?\s"[^"]+")*)/g;

const evidenceIn = (text: string): readonly Evidence[] =>
  [...text.matchAll(FILE)].map(([, file = "", ids, tests = ""]) => ({
    file,
    ids: ids?.split(", ") ?? [],
    tests: [...tests.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name.replaceAll(/\s+/g, " ")),
  }));

/** The rows of the first table below a heading, cell by cell. */
const rowsBelow = (text: string, heading: string): readonly (readonly string[])[] =>
  (text.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2)
    .map((line) => line.slice(2, -2).split(" | "));

const threats = rowsBelow(pageAt("docs/security.md").text, "Threats");

describe("docs/security.md: each threat has what holds it, and a test that shows it", () => {
  it("there are many", () => {
    expect(threats.length).toBeGreaterThanOrEqual(14);
  });

  it.each(threats)("%s", (threat, holds, shownBy = "", remains) => {
    expect(threat).not.toBe("");
    expect(holds).not.toBe("");
    expect(remains).toBeDefined();
    expect(evidenceIn(shownBy).length).toBeGreaterThan(0);
  });
});

const PAGES_WITH_EVIDENCE = ["docs/evidence.md", "docs/security.md", "docs/operating.md"];

describe.each(PAGES_WITH_EVIDENCE)("%s: what it names to show a claim is there", (path) => {
  it.each(evidenceIn(pageAt(path).text))("$file $ids $tests", ({ file, ids, tests }) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
    const text = readFileSync(join(ROOT, file), "utf8");
    for (const id of ids) expect(text).toMatch(new RegExp(`\\b${id}\\b`));
    for (const name of tests) expect(text.replaceAll(/\s+/g, " ")).toContain(name);
  });
});

describe("docs/evidence.md", () => {
  const text = proseOf(pageAt("docs/evidence.md"));
  const rows = text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:Claim|---) /.test(line));

  it.each(rows)("%s", (row) => {
    expect(evidenceIn(row).length).toBeGreaterThan(0);
  });

  it("takes the names of tests out of what users read, but for tables that are about them", () => {
    const inline = GUIDES.filter(({ path }) => /^docs\/[^/]+\.md$/.test(path))
      .filter(({ path }) => !/\/(?:evidence|security)\.md$/.test(path))
      .flatMap((page) =>
        proseOf(page)
          .split("\n")
          .map((line) => `${page.path}: ${line}`),
      )
      .filter((line) => line.includes(".test.ts`") && !line.includes(": | "));
    expect(inline).toEqual([]);
    expect(rows.length).toBeGreaterThan(90);
  });
});

const happenings = rowsBelow(pageAt("docs/operating.md").text, "What happens when");

/** What may go wrong, as the pressure harness tries it, and the line of docs/operating.md that says what happens then. */
const LINE_OF: Readonly<Record<string, string>> = {
  "api refuses": "an API refuses connections",
  "api hangs": "an API never answers",
  "api drips": "an API never answers, or begins an answer",
  "api answers 500": "an API answers an effect with 500",
  "api answers 503": "an API answers an effect with 500, 502, 503",
  "api answers 429": "an API answers 429",
  "api resets": "an API refuses connections, breaks them",
  "api cuts answers": "an API refuses connections, breaks them",
  "api has no address": "an API refuses connections, breaks them, or its name has no address",
  "database refuses": "PostgreSQL is away for some seconds",
  "database resets": "PostgreSQL is away for some seconds",
  "database is a black hole": "the network to PostgreSQL brings nothing back",
  "disk is full": "the disk of the data directory is full",
  "disk is read-only": "the data directory is read-only",
  "killed while the api hangs": "a server is killed while",
  "killed while the disk is full": "a server is killed while",
  "killed while the database refuses": "a server is killed while",
  "data directory is gone": "the data directory is deleted or replaced",
  "server is suspended": "the machine is suspended",
  "replica is suspended": "the machine is suspended",
  "clock steps": "the machine's clock is set",
  "memory is short": "rows of many runs do not fit the memory",
  "server drains": "a server is told to stop",
  "replicas drain": "replicas are restarted one after the other",
};

describe("docs/operating.md: what happens when", () => {
  const outages = readFileSync(join(ROOT, "e2e/src/pressure/outages.ts"), "utf8");
  const kinds = [...outages.matchAll(/^ {2}"([\w -]+)": \{/gm)].map(([, kind = ""]) => kind);

  it.each(happenings)("%s", (_when, answer, whatToDo, shownBy = "", ...more) => {
    expect([answer, whatToDo, more]).toEqual([
      expect.stringMatching(/\S/),
      expect.stringMatching(/\S/),
      [],
    ]);
    const named = evidenceIn(shownBy);
    expect(named.length).toBeGreaterThan(0);
    expect(named.flatMap(({ tests }) => tests).length).toBeGreaterThan(0);
  });

  it("has a line for every outage that the pressure harness tries", () => {
    expect(kinds.length).toBeGreaterThan(20);
    expect(Object.keys(LINE_OF).toSorted()).toEqual(kinds.toSorted());
    for (const line of Object.values(LINE_OF)) {
      expect(happenings.filter(([when = ""]) => when.startsWith(line))).toHaveLength(1);
    }
  });

  it("has a line for every trouble that is tested by its number", () => {
    const text = happenings.map((row) => row.join(" ")).join(" ");
    const numbers = [...text.matchAll(/\b18\.(\d+)/g)].map(([, n]) => Number(n));
    const missing = Array.from({ length: 20 }, (_none, n) => n + 1).filter(
      (n) => !numbers.includes(n),
    );
    expect(missing).toEqual([]);
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
