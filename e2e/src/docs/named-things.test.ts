import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GUIDES, pageAt, proseOf, ROOT } from "./pages.ts";

/** What stands in backticks in the prose of a page. */
const inlineOf = (page: (typeof GUIDES)[number]): readonly string[] =>
  [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The commands that the table of docs/cli.md has, as `catalog show`. */
const commands = new Set(
  [...pageAt("docs/cli.md").text.matchAll(/`plasm ([a-z]+(?: [a-z]+(?=[ `]))?)/g)].map(
    ([, command = ""]) => command,
  ),
);

const sources = globSync(["apps/*/src/**/*.ts", "packages/*/src/**/*.ts"], { cwd: ROOT })
  .filter((path) => !path.includes(".test.") && !path.includes("/testing/"))
  .map((path) => readFileSync(join(ROOT, path), "utf8"))
  .join("\n");

describe("what pages name in passing is there", () => {
  it.each(GUIDES)("$path: scripts and commands", (page) => {
    const missing = inlineOf(page).filter((code) => {
      const [, script] = /^node (scripts\/[\w./-]+\.mjs)/.exec(code) ?? [];
      if (script !== undefined) return !existsSync(join(ROOT, script));
      const [, task] = /^p?npm (?:run )?([a-z][\w:-]*)/.exec(code) ?? [];
      if (task !== undefined)
        return !(task in scripts) && !/^(?:install|exec|pack|audit|publish)$/.test(task);
      const [, first = "", second = ""] = /^plasm ([a-z]+)(?: ([a-z]+))?(?= |$)/.exec(code) ?? [];
      return first !== "" && !commands.has(first) && !commands.has(`${first} ${second}`);
    });
    expect(missing).toEqual([]);
  });

  it.each(GUIDES)("$path: settings", ({ text }) => {
    // Some names are made of another: a catalog's, a provider's, an issuer's, a budget's, that of a secret's file. One is of a compose file.
    const made = /^PLASM_(?:OAUTH|BACKEND|JWT|BUDGET)_|_$|^PLASM_DATABASE_PASSWORD$/;
    const named = [...new Set(text.match(/\bPLASM_[A-Z_]+/g))].filter((name) => !made.test(name));
    const isThere = (name: string): boolean => sources.includes(name.replace(/_FILE$/, ""));
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });

  it("many are found", () => {
    expect(commands.size).toBeGreaterThan(12);
    expect(sources).toContain("PLASM_DATABASE_URL");
    expect(GUIDES.flatMap((page) => inlineOf(page)).length).toBeGreaterThan(500);
  });
});
