import { chmod, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, temporaryDirectory } from "../testing/spawn-plasm.ts";

afterEach(cleanUp);

type Schema = Readonly<Record<string, unknown>>;

const lantern: Record<string, Schema> = {
  id: { type: "string" },
  colour: { type: "string", enum: ["green", "red"] },
  weight: { type: "number" },
  lit: { type: "boolean" },
};

const colours = { name: "colour", in: "query", schema: { type: "string" } };

const answer = (schema: Schema) => ({
  responses: { "200": { description: "ok", content: { "application/json": { schema } } } },
});

interface Made {
  readonly properties?: Record<string, Schema>;
  readonly parameters?: readonly unknown[];
  readonly paths?: Record<string, unknown>;
}

/** A document of lanterns. */
const documentOf = ({ properties = lantern, parameters = [colours], paths = {} }: Made = {}) => ({
  openapi: "3.0.3",
  info: { title: "Lanterns", version: "1" },
  servers: [{ url: "https://lanterns.example/v1" }],
  paths: {
    "/lanterns": {
      get: {
        parameters,
        ...answer({ type: "array", items: { $ref: "#/components/schemas/Lantern" } }),
      },
    },
    "/lanterns/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      get: answer({ $ref: "#/components/schemas/Lantern" }),
      delete: { responses: { "204": { description: "gone" } } },
    },
    ...paths,
  },
  components: { schemas: { Lantern: { type: "object", required: ["id"], properties } } },
});

/** A catalog that was made of the first document, the document beside it. */
async function place() {
  const cwd = await temporaryDirectory();
  const write = (value: unknown) => writeFile(join(cwd, "lanterns.json"), JSON.stringify(value));
  await write(documentOf());
  const { code, stderr } = await runHere(["catalog", "init", "lamps", "--api", "lanterns.json"], {
    cwd,
  });
  expect([code, stderr]).toEqual([0, ""]);
  const read = (name: string) => readFile(join(cwd, "lamps", name), "utf8");
  const edit = async (name: string, change: (text: string) => string) => {
    const before = await read(name);
    const after = change(before);
    expect(after).not.toBe(before);
    await writeFile(join(cwd, "lamps", name), after);
  };
  const refresh = (...args: readonly string[]) =>
    runHere(["catalog", "refresh", "lamps", ...args], { cwd });
  const valid = async () =>
    (await runHere(["catalog", "validate", "--strict", "lamps"], { cwd })).stdout;
  return { cwd, write, read, edit, refresh, valid };
}

const newer = documentOf({
  properties: { ...lantern, weight: { type: "string" }, height: { type: "number" } },
  parameters: [colours, { name: "depot", in: "query", required: true, schema: { type: "string" } }],
  paths: {
    "/buoys": {
      get: answer({
        type: "array",
        items: { type: "object", properties: { id: { type: "string" } }, title: "Buoy" },
      }),
    },
  },
});

describe("plasm catalog refresh (SURF-20)", () => {
  it("changes no byte where the document is the same, whatever was edited", async () => {
    const { edit, read, refresh } = await place();
    await edit("domain.yaml", (text) => `# mine\n${text.replace("version: 1", "version:   2")}`);
    const before = await read("domain.yaml");
    const { code, stdout } = await refresh();
    expect([code, stdout]).toEqual([0, "lamps: the same document\nNothing changed.\n"]);
    expect(await read("domain.yaml")).toBe(before);
  });

  it("brings in what changed, and keeps what people wrote: words, comments, order", async () => {
    const { cwd, edit, read, refresh, valid, write } = await place();
    await edit("domain.yaml", (text) =>
      text
        .replace("entities:", "# what there is to light\nentities:")
        .replace(
          "  Lantern:\n",
          "  Lantern:\n    # one of ours\n    description: a light at the quay\n",
        ),
    );
    await chmod(join(cwd, "lamps", "domain.yaml"), 0o644);
    await write(newer);
    const { code, stdout, stderr } = await refresh();
    expect([code, stderr]).toEqual([0, ""]);
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(/^lamps: sha256:[0-9a-f]{64} → sha256:[0-9a-f]{64}$/);
    expect(lines).toContain("  + entity Buoy");
    expect(lines).toContain("  + entity Lantern: field height");
    expect(lines).toContain("  ~ entity Lantern: field weight: number → string (breaking)");
    expect(lines).toContain("  + capability lantern_query: parameter depot, required (breaking)");
    const text = await read("domain.yaml");
    expect(text).toContain("# what there is to light\n");
    expect(text).toContain("    # one of ours\n    description: a light at the quay\n");
    expect(text.indexOf("  Lantern:")).toBeGreaterThan(0);
    const domain = parse(text) as { entities: Record<string, { fields: object }> };
    expect(Object.keys(domain.entities["Lantern"]?.fields ?? {})).toContain("height");
    expect(await valid()).toBe("lamps: valid\n");
    expect((await stat(join(cwd, "lamps", "domain.yaml"))).mode & 0o777).toBe(0o644);
    // What was merged is where the next merge starts.
    expect((await refresh()).stdout).toBe("lamps: the same document\nNothing changed.\n");
  });

  it("keeps what both changed, and what was taken out stays out; exit code 4", async () => {
    const { edit, read, refresh, valid, write } = await place();
    await edit("domain.yaml", (text) => text.replace(/^ {2}lantern_delete:\n(?: {4}.*\n)*/m, ""));
    await edit("mappings.yaml", (text) => text.replace(/^lantern_delete:\n(?: {2}.*\n)*/m, ""));
    await edit("domain.yaml", (text) =>
      text.replace(/^( {6}colour: )\{[^}]*\}/m, "$1{ value_ref: mine }"),
    );
    await edit("domain.yaml", (text) =>
      text.replace("values:\n", "values:\n  mine: { type: string, string_semantics: short }\n"),
    );
    const changed: Record<string, Schema> = { ...lantern, colour: { type: "integer" } };
    const { id: _, ...properties } = changed;
    await write(
      documentOf({
        properties: { id: { type: "string" }, ...properties },
        paths: {
          "/lanterns/{id}/spare": { delete: { responses: { "204": { description: "" } } } },
        },
      }),
    );
    const { code, stdout } = await refresh();
    expect(code).toBe(4);
    expect(stdout).toContain(
      "domain.yaml entities.Lantern.fields.colour.value_ref: you and the document changed it\n",
    );
    const text = await read("domain.yaml");
    expect(text).toContain("colour: { value_ref: mine }");
    expect(text).not.toContain("lantern_delete:");
    expect(await valid()).toContain("lamps: valid");
  });

  it("--dry-run writes nothing and answers a pipeline: 0, 4, 3", async () => {
    const { read, refresh, write } = await place();
    const before = await Promise.all(["domain.yaml", "mappings.yaml", "import.json"].map(read));
    expect((await refresh("--dry-run")).code).toBe(0);
    await write(documentOf({ properties: { ...lantern, height: { type: "number" } } }));
    expect((await refresh("--dry-run")).code).toBe(4);
    await write(newer);
    const { code, stdout } = await refresh("--dry-run", "--json");
    expect(code).toBe(3);
    const found = JSON.parse(stdout) as Record<string, unknown>;
    expect(found).toMatchObject({ entry_id: "lamps", breaking: true, written: false, kept: [] });
    expect(found["changes"]).toContainEqual({
      change: "added",
      breaking: true,
      part: "capability lantern_query",
      what: "parameter depot, required",
    });
    const after = await Promise.all(["domain.yaml", "mappings.yaml", "import.json"].map(read));
    expect(after).toEqual(before);
  });

  it("what the document has no more goes, unless it was edited", async () => {
    const { edit, read, refresh, valid, write } = await place();
    await edit("domain.yaml", (text) =>
      text.replace(/weight: \{/, "weight: { description: in kilos,"),
    );
    const { weight: _, lit: __, ...properties } = lantern;
    await write(documentOf({ properties }));
    const { code, stdout } = await refresh();
    expect(code).toBe(4);
    expect(stdout).toContain("  - entity Lantern: field lit (breaking)\n");
    expect(stdout).toContain("fields.weight: you changed it, and the document has it no more\n");
    const text = await read("domain.yaml");
    expect(text).toContain("weight:");
    expect(text).not.toContain("lit:");
    expect(await valid()).toContain("lamps: valid");
  });

  it.each<[readonly string[], string]>([
    [["none"], "none is no catalog of two files"],
    [["lamps", "--api", "none.json"], "none.json cannot be read (ENOENT)."],
  ])("%j is misuse", async (args, said) => {
    const { cwd } = await place();
    const { code, stdout, stderr } = await runHere(["catalog", "refresh", ...args], { cwd });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
  });

  it("a catalog without record is refused, and told how to get one", async () => {
    const { cwd, refresh } = await place();
    await rm(join(cwd, "lamps", "import.json"));
    const { code, stderr } = await refresh();
    expect([code, stderr]).toEqual([2, expect.stringContaining("has no import.json")]);
  });
});
