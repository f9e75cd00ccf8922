import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { INSTRUCTIONS, TOOLS } from "@plasm/agent-core/internal";
import { describe, expect, it } from "vitest";
import { pageAt, ROOT } from "./pages.ts";

const textOf = (path: string): string => readFileSync(join(ROOT, path), "utf8").trimEnd();
const golden = (name: string): string => textOf(`packages/core/test/golden/${name}`);
const chapter = (name: string): string => pageAt(`docs/spec/${name}.md`).text;

/** Ids such as CAT-034 that the specification defines in the families given. */
const definedIn = (name: string): ReadonlySet<string> =>
  new Set([...chapter(name).matchAll(/<a id="([A-Z]+-\d+)"><\/a>/g)].map(([, id = ""]) => id));

describe("docs/spec quotes what the code says", () => {
  it.each([
    ["teaching", "contract.txt"],
    ["teaching", "worked-example-wave-1.txt"],
    ["teaching", "worked-example-wave-2.txt"],
    ["teaching", "worked-example-wave-3.txt"],
    ["plan", "plan-worked-example.txt"],
  ])("%s.md has %s", (name, file) => {
    expect(chapter(name)).toContain(golden(file));
  });

  it("surfaces.md has the instructions of the server (SURF-2)", () => {
    expect(chapter("surfaces")).toContain(`\n${INSTRUCTIONS}\n`);
  });

  it("surfaces.md has the list of tools (SURF-3)", () => {
    const list = TOOLS.map(({ definition }) => JSON.stringify(definition)).join(",\n");
    expect(chapter("surfaces")).toContain(`[${list}]`);
  });

  it("catalog.md and mapping.md define every diagnostic of catalogs", () => {
    const defined = new Set([...definedIn("catalog"), ...definedIn("mapping")]);
    const codes = globSync("packages/core/src/catalog/messages/*.ts", { cwd: ROOT }).flatMap(
      (path) =>
        [...textOf(path).matchAll(/^ {2}((?:CAT|MAP)\d{3}): \{$/gm)].map(([, code = ""]) => code),
    );
    expect(codes.length).toBeGreaterThan(80);
    expect(codes.filter((code) => !defined.has(`${code.slice(0, 3)}-${code.slice(3)}`))).toEqual(
      [],
    );
  });
});
