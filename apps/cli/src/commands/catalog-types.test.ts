import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { memoryStore, openPlasm } from "@plasm/agent-core";
import { startSampleApis } from "@plasm/sample-apis";
import ts from "typescript";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, fixture, temporaryDirectory } from "../testing/spawn-plasm.ts";

afterEach(cleanUp);

const types = (cwd: string, ...args: readonly string[]) =>
  runHere(["catalog", "types", ...args], { cwd });

const STRICT: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  allowImportingTsExtensions: true,
  types: [],
};

/** What TypeScript says of files. */
function faultsOf(...files: readonly string[]): readonly string[] {
  const program = ts.createProgram(files, STRICT);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

const HOSTILE = {
  domain: `version: 1
http_backend: http://127.0.0.1:9
values:
  text: { type: string, string_semantics: short }
  odd: { type: select, allowed_values: ['a" | never; //', "b */"] }
entities:
  Thing:
    description: "ends */ export const stolen = 1; /* here"
    id_field: id
    fields:
      id: { value_ref: text, required: true }
      kind: { value_ref: odd, description: "a */ line" }
capabilities:
  thing_get: { kind: get, entity: Thing }
`,
  mappings: `thing_get:
  method: GET
  path:
    - { type: literal, value: things }
    - { type: var, name: id }
`,
};

describe("plasm catalog types (SURF-54)", () => {
  it("declares rows, keys and arguments", async () => {
    const cwd = await temporaryDirectory();
    const { code, stdout, stderr } = await types(cwd, fixture("quay"));
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain('readonly state?: "moored" | "sailing" | "lost" | null;');
    expect(stdout).toContain('readonly owner?: Keys["Person"] | null;');
    expect(stdout).toContain("/** day of launch */\n    readonly built?: string | null;");
    expect(stdout).toMatch(
      /readonly create: \{\s+readonly name: string;\s+readonly owner: Keys\["Person"\];\s+(?:\/\*\* metres \*\/\s+)?readonly length\?: Decimal;/,
    );
    expect((await types(cwd, fixture("quay"), "--out", "quay.ts")).stdout).toBe("");
    expect(await readFile(join(cwd, "quay.ts"), "utf8")).toBe(stdout);
  });

  it("of any catalog compiles strictly", async () => {
    const cwd = await temporaryDirectory();
    const names = ["quay", "yard", "orchard", "depot"];
    for (const name of names)
      expect((await types(cwd, fixture(name), "--out", `${name}.ts`)).code).toBe(0);
    expect(faultsOf(...names.map((name) => join(cwd, `${name}.ts`)))).toEqual([]);
  });

  it("names and texts of a catalog are no code", async () => {
    const cwd = await temporaryDirectory();
    await mkdir(join(cwd, "odd"));
    await writeFile(join(cwd, "odd/domain.yaml"), HOSTILE.domain);
    await writeFile(join(cwd, "odd/mappings.yaml"), HOSTILE.mappings);
    const ran = await types(cwd, "odd", "--out", "types.ts");
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    const text = await readFile(join(cwd, "types.ts"), "utf8");
    expect(text).toContain('readonly kind?: "a\\" | never; //" | "b */" | null;');
    const program = ts.createSourceFile("types.ts", text, ts.ScriptTarget.ES2023);
    const names = program.statements.map((one) =>
      ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one) ? one.name.text : "code",
    );
    expect(names).toEqual(["Decimal", "Json", "Rows", "Keys", "Arguments"]);
    expect(faultsOf(join(cwd, "types.ts"))).toEqual([]);
  });

  it("what is not one catalog is a usage error that says what was found", async () => {
    const cwd = await temporaryDirectory();
    await mkdir(join(cwd, "empty"));
    expect(await types(cwd, "empty")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("empty has to be one catalog"),
    });
    expect(await types(cwd, "gone")).toMatchObject({ code: 2 });
  });
});

describe("rows that came back have their declared types (SURF-55)", () => {
  let close: () => Promise<unknown>;
  let session: ReturnType<Awaited<ReturnType<typeof openPlasm>>["session"]>;
  beforeAll(async () => {
    const directory = await temporaryDirectory();
    const apis = await startSampleApis({
      dataDir: join(directory, "apis"),
      ports: { quay: 0, yard: 0 },
    });
    const plasm = await openPlasm({
      catalogs: [fixture("quay")],
      store: memoryStore(),
      backends: { quay: apis.quay.url },
    });
    close = () => plasm.close().then(() => apis.close());
    session = plasm.session();
    const seeds = ["Boat", "Person", "Visit", "Log", "Paper", "Digest"].map((entity) => ({
      api: "quay",
      entity,
    }));
    await session.context({ intent: "types of rows", seeds });
  });
  afterAll(() => close());

  const PROGRAMS = [
    ["Boat", "Boat"],
    ["Boat", 'Boat("b1")'],
    ["Person", "Person"],
    ["Visit", 'Boat("b1").visits'],
    ["Log", 'Boat("b1").logs'],
    ["Paper", 'Boat("b1").papers'],
  ] as const;

  it("and no other: a column or an option that is not declared is a fault", async () => {
    const cwd = await temporaryDirectory();
    await types(cwd, fixture("quay"), "--out", "types.ts");
    const declared = async ([entity, program]: (typeof PROGRAMS)[number], at: number) => {
      const { results } = await session.run(program);
      const rows = results[0]?.rows ?? [];
      expect(rows.length).toBeGreaterThan(0);
      return `export const rows${at}: readonly Rows["${entity}"][] = ${JSON.stringify(rows)};`;
    };
    const lines = await Promise.all(PROGRAMS.map(declared));
    const file = async (name: string, own: readonly string[]) => {
      const path = join(cwd, name);
      await writeFile(path, ['import type { Rows } from "./types.ts";', ...own, ""].join("\n"));
      return path;
    };
    expect(faultsOf(await file("rows.ts", lines))).toEqual([]);
    const odd = lines.map((line) => line.replace(" = [{", ' = [{"unheard":1,'));
    const sunk = lines[0]?.replace(/"state":"\w+"/, '"state":"unheard"') ?? "";
    const faults = faultsOf(await file("odd.ts", odd), await file("sunk.ts", [sunk]));
    expect(faults).toHaveLength(PROGRAMS.length + 1);
    expect(faults).toEqual(faults.map(() => expect.stringContaining("unheard")));
  });

  it("run takes the type of its rows", async () => {
    const { results } = await session.run<{ readonly id: string; readonly length: number }>(
      "Boat.sort(length, desc).limit(1)[id, length]",
    );
    const longest: number | undefined = results[0]?.rows[0]?.length;
    expect(longest).toBeGreaterThan(0);
  });
});
