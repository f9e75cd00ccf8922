import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CATALOG_DIRECTORY } from "./catalog.ts";
import { useGithubProjects } from "./use-github-projects.ts";

const github = useGithubProjects();

/** The programs of the README: its indented blocks, by the heading above them. */
function programs(): readonly (readonly [heading: string, program: string])[] {
  const text = readFileSync(join(CATALOG_DIRECTORY, "README.md"), "utf8");
  return text.split(/^## /m).flatMap((part) => {
    const [heading = "", ...lines] = part.split("\n");
    const code = lines.filter((line) => line.startsWith("    ")).map((line) => line.trim());
    return code.length === 0 ? [] : [[heading, code.join("\n")] as const];
  });
}

test("the README shows how to ask and how to change", () => {
  expect(programs().map(([heading]) => heading)).toEqual(["Asking", "Changing"]);
});

test.each(programs())("%s: every example of the README is a plan", async (_, program) => {
  const text = await github().plan(program);
  expect(text).toMatch(/^plan (?:ok|review)/);
  expect(github().server.asked).toEqual([]);
});
