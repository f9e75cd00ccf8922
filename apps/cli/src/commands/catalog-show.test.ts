import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp, fixture, temporaryDirectory } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";
import { workplace, type Workplace } from "../testing/workplace.ts";

let server: TestServer;
let place: Workplace;

const LONG = `a spare part ${"of one maker or another ".repeat(8)}`.trim();

/** The yard under another name, with a relation that nothing reads. */
async function shed(): Promise<string> {
  const directory = join(await temporaryDirectory(), "shed");
  await cp(fixture("yard"), directory, { recursive: true });
  const file = join(directory, "domain.yaml");
  const spares = "    relations:\n      spares: { target: Part, cardinality: many }\n";
  const text = await readFile(file, "utf8");
  const part = text.replace("a spare part of one maker", LONG);
  await writeFile(file, part.replace(/^ {2}Boat:\n(?: {4}.*\n)*?(?= {4}fields:)/m, `$&${spares}`));
  return directory;
}

beforeAll(async () => {
  server = await startServer({ catalogs: [await shed()] });
  place = await workplace(server.url);
});
afterAll(async () => {
  await server.close();
  await cleanUp();
});

interface Shown {
  readonly entities: readonly string[];
  readonly text: string;
  readonly parts: readonly string[];
  readonly tokens: number;
}

const shown = async (...args: readonly string[]): Promise<Shown> =>
  JSON.parse(await place.done("catalog", "show", ...args, "--json")) as Shown;

describe("plasm catalog show (SURF-20)", () => {
  it("prints what an agent is taught of a whole catalog, and what that costs", async () => {
    const text = await place.done("catalog", "show", "yard");
    expect(text).toMatch(
      /^yard · version 1 · sha256:[0-9a-f]{64}\ntaught: Boat, Part\n\nWrite Plasm/,
    );
    expect(text).toContain("\nyard: Boat, Part\n```tsv\nplasm_expr\tMeaning\n");
    expect(text).toMatch(
      /\n```\n\nuntaught: nothing\ntokens: \d+ \(o200k\), the contract's parts core, .* among them\n$/,
    );
  });

  it("is what a session of those entities is taught, word for word", async () => {
    const mine = await place.done("context", "-i", "look at parts", "yard:Part");
    const { text, tokens, parts } = await shown("yard", "Part");
    expect(mine).toContain(text.trimEnd());
    expect([parts.includes("core"), tokens > 300, tokens < 1_200]).toEqual([true, true, true]);
  });

  it("an entity alone costs less than all of them, in names or symbols", async () => {
    const all = await shown("yard");
    const one = await shown("yard", "Part", "--names");
    expect(all.entities).toEqual(["Boat", "Part"]);
    expect([one.entities, one.tokens < all.tokens]).toEqual([["Part"], true]);
    expect(one.text).toContain("\nyard: Part\n");
    expect(one.text).not.toMatch(/\be1\b/);
  });

  it("says what is untaught, and why", async () => {
    expect(await place.done("catalog", "show", "shed")).toContain(
      "\nuntaught:\n  Boat.spares: not_plannable, this server cannot run it: nothing binds what it needs",
    );
    expect(await shown("shed")).toMatchObject({
      untaught: [{ capability: "Boat.spares", reason: "not_plannable" }],
    });
  });

  it("17.17 TEACH-13: lists the descriptions that its table cuts", async () => {
    const line = `  entity Part: ${LONG.length} characters, at most 160 are shown`;
    expect(await place.done("catalog", "show", "shed")).toContain(
      `\ncut, for tables show the beginning alone:\n${line}\ntokens: `,
    );
    expect(await shown("shed")).toMatchObject({
      cut: [{ kind: "entity", of: "Part", length: LONG.length, limit: 160 }],
    });
    expect(await shown("shed", "Boat")).toMatchObject({ cut: [] });
    expect(await place.done("catalog", "show", "yard")).not.toContain("cut, for");
  });

  it.each([
    [["nowhere"], 1, "No catalog nowhere."],
    [["yard", "Bot"], 2, "yard has no entity Bot. It has: Boat, Part."],
    [[], 2, "missing required argument"],
  ])("%j ends with its exit code, and says why", async (args, code, said) => {
    const ended = await place.plasm(["catalog", "show", ...args]);
    expect([ended.code, ended.stdout]).toEqual([code, ""]);
    expect(ended.stderr).toContain(said);
  });
});
