import { memoryStore, openPlasm } from "@plasm/agent-core";
import { startSampleApis } from "@plasm/sample-apis";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, fixture, temporaryDirectory } from "../testing/spawn-plasm.ts";

afterEach(cleanUp);

type Change = readonly ["domain" | "mappings", string, string];

/** A directory with copies of catalogs, `broken` being quay with these texts replaced. */
async function catalogs(...changes: readonly Change[]): Promise<string> {
  const directory = await temporaryDirectory();
  await cp(fixture("yard"), join(directory, "all", "yard"), { recursive: true });
  await cp(fixture("quay"), join(directory, "all", "broken"), { recursive: true });
  for (const [name, from, to] of changes) {
    const file = join(directory, "all", "broken", `${name}.yaml`);
    await writeFile(file, (await readFile(file, "utf8")).replace(from, to));
  }
  return directory;
}

const validate = (cwd: string, ...args: readonly string[]) =>
  runHere(["catalog", "validate", ...args], { cwd });

const TWO_FAULTS: readonly Change[] = [
  ["mappings", "response: items_list", "response: item_list"],
  ["domain", "length: { value_ref: metres }", "length: { value_ref: meters }"],
];
const WARNING: Change = ["domain", "\nversion: 1\n", "\nversion: 0\n"];

describe("plasm catalog validate (SURF-20)", () => {
  it("is silent about faults where there are none: exit code 0", async () => {
    const cwd = await catalogs();
    const { code, stdout, stderr } = await validate(cwd, "--strict", "all/yard", "all");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe("all/yard: valid\nall/broken: valid\nall/yard: valid\n");
  });

  it("17.13: a faulty part is a warning that says what is not loaded, and strictly a fault", async () => {
    const cwd = await catalogs(["mappings", "response: items_list", "response: item_list"]);
    const lenient = await validate(cwd, "all/broken");
    expect(lenient.code).toBe(0);
    expect(lenient.stdout).toMatch(
      /^MAP030 warning at [^]* Not loaded because of this: capability /,
    );
    expect(lenient.stdout).toMatch(
      /\n\nall\/broken: valid in part, 1 warning; loads without .+\n$/,
    );
    const { stdout } = await validate(cwd, "all/broken", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      valid: true,
      catalogs: [{ valid: true, not_loaded: expect.arrayContaining([expect.any(String)]) }],
    });
    const strict = await validate(cwd, "all/broken", "--strict");
    expect([strict.code, strict.stdout]).toEqual([
      1,
      expect.stringMatching(/^MAP030 error at [^]*\n\nall\/broken: not valid, 1 error\n$/),
    ]);
  });

  it("shows every fault at its place, in the order of the files: exit code 1", async () => {
    const cwd = await catalogs(...TWO_FAULTS);
    const { code, stdout, stderr } = await validate(cwd, "all", "--strict");
    expect([code, stderr]).toEqual([1, ""]);
    const heads = stdout.match(/^\w+\d+ (error|warning) at .*$/gm) ?? [];
    expect(heads[0]).toMatch(/^CAT005 error at all\/broken\/domain\.yaml:\d+:28 \(/);
    expect(heads.at(-1)).toMatch(/^MAP\d+ error at all\/broken\/mappings\.yaml:\d+:13 \(/);
    expect(stdout).toContain(
      "      length: { value_ref: meters }\n                           ^^^^^^\n",
    );
    expect(stdout).toMatch(/\n\nall\/broken: not valid, \d+ errors\nall\/yard: valid\n$/);
  });

  it("tells warnings, which count as errors with --strict only", async () => {
    const cwd = await catalogs(WARNING);
    const lenient = await validate(cwd, "all/broken");
    expect([lenient.code, lenient.stdout]).toEqual([
      0,
      expect.stringMatching(/^CAT022 warning at [^]*\n\nall\/broken: valid, 1 warning\n$/),
    ]);
    const strict = await validate(cwd, "all/broken", "--strict");
    expect([strict.code, strict.stdout]).toEqual([
      1,
      expect.stringMatching(/^CAT022 error at [^]*\n\nall\/broken: not valid, 1 error\n$/),
    ]);
  });

  it("17.17 TEACH-13: reports with --strict what tables cut, which is no error", async () => {
    const long = `the boats ${"of the harbour ".repeat(12)}and their owners`;
    const cwd = await catalogs(["domain", "a boat in the harbour's register", long]);
    const strict = await validate(cwd, "all/broken", "--strict");
    expect([strict.code, strict.stdout]).toEqual([
      0,
      [
        "all/broken: agents are shown the beginning of these descriptions:",
        `  entity Boat: ${long.length} characters, at most 160 are shown`,
        "",
        "all/broken: valid, 1 description cut in tables",
        "",
      ].join("\n"),
    ]);
    const { stdout } = await validate(cwd, "all/broken", "--strict", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      valid: true,
      catalogs: [{ cut: [{ kind: "entity", of: "Boat", length: long.length, limit: 160 }] }],
    });
    const lenient = await validate(cwd, "all/broken");
    expect(lenient.stdout).toBe("all/broken: valid\n");
  });

  it("says the same as data with --json", async () => {
    const cwd = await catalogs(...TWO_FAULTS);
    const { code, stdout } = await validate(cwd, "all", "--json", "--strict");
    expect(code).toBe(1);
    const told = JSON.parse(stdout) as { readonly catalogs: readonly object[] };
    expect(told).toMatchObject({
      valid: false,
      catalogs: [
        { entry_id: "broken", path: "all/broken", valid: false, omitted: 0 },
        { entry_id: "yard", path: "all/yard", valid: true, diagnostics: [], omitted: 0 },
      ],
    });
    expect(told.catalogs[0]).toHaveProperty("diagnostics.0", {
      code: "CAT005",
      severity: "error",
      file: "all/broken/domain.yaml",
      line: expect.any(Number),
      column: 28,
      start: expect.any(Number),
      end: expect.any(Number),
      key_path: "entities.Boat.fields.length.value_ref",
      message: expect.stringContaining("meters"),
    });
  });

  it("answers as docs/cli.md shows", async () => {
    const cwd = await temporaryDirectory();
    await cp(fixture("depot"), join(cwd, "catalogs", "depot"), { recursive: true });
    const file = join(cwd, "catalogs", "depot", "domain.yaml");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("label: { value_ref: text }", "label: { value_ref: txt }"));
    const { code, stdout } = await validate(cwd, "--strict", "catalogs/depot");
    const guide = await readFile(new URL("../../../../docs/cli.md", import.meta.url), "utf8");
    expect(code).toBe(1);
    expect(guide).toContain(`$ plasm catalog validate --strict catalogs/depot\n${stdout}\`\`\``);
  });

  it("finds the catalogs of an installed package (RUN-180)", async () => {
    const cwd = await catalogs(WARNING);
    const installed = join(cwd, "node_modules/@acme/apis");
    await cp(join(cwd, "all"), installed, { recursive: true });
    await writeFile(join(installed, "package.json"), JSON.stringify({ name: "@acme/apis" }));
    const all = await validate(cwd, "@acme/apis");
    expect([all.code, all.stdout.split("\n").slice(-3)]).toEqual([
      0,
      ["@acme/apis/broken: valid, 1 warning", "@acme/apis/yard: valid", ""],
    ]);
    const one = await validate(cwd, "@acme/apis/yard", "--strict");
    expect([one.code, one.stdout]).toEqual([0, "@acme/apis/yard: valid\n"]);
  });

  it("of a file that is no text says which", async () => {
    const cwd = await catalogs();
    await writeFile(join(cwd, "all", "broken", "domain.yaml"), new Uint8Array([0xff]));
    const { code, stdout } = await validate(cwd, "all/broken");
    expect(code).toBe(1);
    expect(stdout).toContain("CAT011 error at all/broken/domain.yaml:1:1");
  });

  it.each([
    [[], "Name a catalog"],
    [["none"], "none does not exist."],
    [["all/yard", "empty"], "There is no catalog in empty"],
  ])("%j is misuse: exit code 2, nothing checked", async (args, said) => {
    const cwd = await catalogs();
    await cp(fixture("yard"), join(cwd, "empty", "deeper", "yard"), { recursive: true });
    const { code, stdout, stderr } = await validate(cwd, ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
  });
});

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

const guide = await readFile(new URL("../../../../docs/authoring.md", import.meta.url), "utf8");

const schema = (...args: readonly string[]) =>
  runHere(["catalog", "schema", ...args], { cwd: "/" });

it.each(["domain", "mappings"])(
  "plasm catalog schema %s prints what @plasm/core ships",
  async (file) => {
    const shipped = import.meta.resolve(`@plasm/core/schemas/${file}.schema.json`);
    const { code, stdout, stderr } = await schema(file);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(await readFile(fileURLToPath(shipped), "utf8"));
  },
);

it("another file is misuse, and the two are named", async () => {
  const { code, stdout, stderr } = await schema("readme");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("Allowed choices are domain, mappings");
});

it("the settings of docs/authoring.md give each file its own schema, as the page prints them", () => {
  const [, settings = "{}"] = /```json\n([^]*?)```/.exec(guide) ?? [];
  expect(JSON.parse(settings)).toEqual({
    "yaml.schemas": {
      "./domain.schema.json": "catalogs/*/domain.yaml",
      "./mappings.schema.json": "catalogs/*/mappings.yaml",
    },
  });
  const [, line] = /```yaml\n([^]*?)```/.exec(guide) ?? [];
  expect(line).toBe("# yaml-language-server: $schema=../domain.schema.json\n");
  expect(guide).toContain("`plasm catalog schema domain > domain.schema.json`");
});
