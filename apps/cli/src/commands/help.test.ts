import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../testing/run-here.ts";
import { shellWords } from "../testing/shell-words.ts";
import { cleanUp, fixture } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";
import { workplaceWithBoats } from "../testing/workplace.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.close();
  await cleanUp();
});

/** What a line that begins with `plasm` prints, in a directory. */
async function said(text: string, cwd: string): Promise<string> {
  const [, ...args] = shellWords(text);
  return (await runHere(args, { cwd })).stdout;
}

/** What stands in capitals is the reader's to fill in. */
const filled = (example: string): string =>
  example
    .replace("GOAL", "which boats are moored")
    .replaceAll(/API:ENTITY/g, "quay:Boat")
    .replace("CATALOG", "quay")
    .replace("ENTITY", "Boat")
    .replace('"ID"', '"b1"')
    .replace("METHOD", "update")
    .replace('ARGUMENT="VALUE"', 'note="painted"');

const helpOf = (cwd: string, command: string) => said(`plasm ${command} --help`, cwd);

const examplesIn = (help: string): readonly string[] =>
  [...help.matchAll(/^ {2}\$ (plasm .*)$/gm)].map(([, line]) => line ?? "");

describe("--help teaches by examples that work (SURF-20)", () => {
  it.each([
    ["doctor", /^ok/],
    ["search", /^```tsv\n/],
    ["context", /Boat/],
    ["run", /^plan ok|^plan review pc\d+ .* 1 effect|^\{"result":"Boat"|^Boat · 1 row\n/],
    ["catalog validate", /^catalogs\/quay: valid\n$/],
    ["catalog show", /^quay · version 1 · sha256:/],
    ["init", /profile\.json: http/],
  ])("plasm %s", async (command, expected) => {
    const { cwd } = await workplaceWithBoats(server.url, "which boats are moored");
    await symlink(join(fixture("quay"), ".."), join(cwd, "catalogs"));
    const examples = examplesIn(await helpOf(cwd, command));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(await said(filled(example), cwd)).toMatch(expected);
  });

  it("plasm serve has some, too", async () => {
    expect(examplesIn(await helpOf("/", "serve"))).toHaveLength(3);
  });

  it("plasm: the three steps, one after the other", async () => {
    const { cwd } = await workplaceWithBoats(server.url, "before");
    const steps = [...(await helpOf(cwd, "")).matchAll(/^ {2}\d\. (plasm .*?) {3,}/gm)];
    const answers: string[] = [];
    for (const [, line = ""] of steps) answers.push(await said(filled(line), cwd));
    expect(answers).toEqual([
      expect.stringContaining("\nquay\tBoat\t"),
      expect.stringContaining("Boat"),
      expect.stringMatching(/^Boat · \d+ rows\n/),
    ]);
  });

  it("docs/cli.md: its steps, one after the other", async () => {
    const { cwd } = await workplaceWithBoats(server.url, "before the guide");
    const guide = await readFile(new URL("../../../../docs/cli.md", import.meta.url), "utf8");
    const [, steps = ""] = /^```sh\n(plasm .*?)```$/ms.exec(guide) ?? [];
    const answers: string[] = [];
    for (const line of steps.trimEnd().split("\n")) answers.push(await said(line, cwd));
    expect(answers).toEqual([
      expect.stringContaining("\nquay\tBoat\t"),
      expect.stringContaining("Boat"),
      expect.stringMatching(/^plan ok pc\d+ /),
      expect.stringMatching(/^Boat · 3 rows\n/),
    ]);
  });
});
