import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { actingIn, halfPairsIn } from "@plasm/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { HOSTILE_DOMAINS } from "../testing/hostile/hostile-catalogs.ts";
import { HOSTILE_DOCUMENTS } from "../testing/hostile/hostile-documents.ts";
import type { HostileInput } from "../testing/hostile/hostile-input.ts";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, type Ended, temporaryDirectory } from "../testing/spawn-plasm.ts";

afterAll(cleanUp);

const MAPPINGS = "thing_query: { method: GET, path: [{ type: literal, value: things }] }\n";

/** Milliseconds of CPU that a file may take: a second, and four for each million bytes of it. */
const allowedMs = ({ content }: HostileInput): number => 1_000 + (4 * content.length) / 1_000;

/** What a command ends with, and that within its time; what is above it is tried once more. */
async function inTime(input: HostileInput, command: () => Promise<Ended>): Promise<Ended> {
  const once = async () => {
    const before = process.cpuUsage();
    const ended = await command();
    const { user, system } = process.cpuUsage(before);
    return { ended, ms: (user + system) / 1_000 };
  };
  const first = await once();
  const { ended, ms } = first.ms > allowedMs(input) ? await once() : first;
  expect(ms).toBeLessThan(allowedMs(input));
  return ended;
}

/** Says something that a person can read, however long what it speaks of is; is no defect of plasm's own. */
function isClear({ code, stdout, stderr }: Ended): void {
  const said = stdout + stderr;
  expect([0, 1, 2]).toContain(code);
  expect(said).not.toMatch(/a defect of plasm|TypeError|RangeError|\[object Object\]|call stack/);
  expect(actingIn(said.replaceAll("\n", ""))).toEqual([]);
  expect(halfPairsIn(said)).toBe(0);
  expect(said.length).toBeLessThan(100_000);
}

describe("18.19 hostile catalogs end in time in plasm catalog validate", () => {
  it.each(HOSTILE_DOMAINS)("$name", async (input) => {
    const cwd = await temporaryDirectory();
    await mkdir(join(cwd, "c"));
    await writeFile(join(cwd, "c/domain.yaml"), input.content);
    await writeFile(join(cwd, "c/mappings.yaml"), MAPPINGS);
    const ended = await inTime(input, () => runHere(["catalog", "validate", "c"], { cwd }));
    isClear(ended);
    expect(ended.stdout).toMatch(input.said ?? /^c: valid\n$/);
  });
});

/** What `plasm catalog init` makes of a document, or says of it. */
async function initiated(input: HostileInput) {
  const cwd = await temporaryDirectory();
  await writeFile(join(cwd, "document"), input.content);
  let [directory, tries] = ["", 0];
  const ended = await inTime(input, () => {
    tries += 1;
    directory = `c${tries}`;
    return runHere(["catalog", "init", directory, "--api", "document"], { cwd });
  });
  isClear(ended);
  return { cwd, directory, ended };
}

const isRefused = ({ said }: HostileInput): boolean => said !== undefined;

describe("18.19 hostile documents end in time in plasm catalog init", () => {
  it.each(HOSTILE_DOCUMENTS.filter(isRefused))("with a reason: $name", async (input) => {
    const { ended } = await initiated(input);
    expect([ended.code === 0, ended.stdout]).toEqual([false, ""]);
    expect(ended.stderr).toMatch(input.said ?? "");
  });

  it.each(HOSTILE_DOCUMENTS.filter((one) => !isRefused(one)))(
    "with a catalog: $name",
    async (input) => {
      const { cwd, directory, ended } = await initiated(input);
      expect([ended.code, ended.stderr]).toEqual([0, ""]);
      const validated = await runHere(["catalog", "validate", directory], { cwd });
      isClear(validated);
      expect([validated.code, validated.stdout]).toEqual([0, expect.stringContaining(": valid")]);
    },
  );
});
