import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quayDocument } from "@plasm/sample-apis/quay-document";
import { afterEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, spawnPlasm, temporaryDirectory } from "../testing/spawn-plasm.ts";
import { startServer } from "../testing/start-server.ts";
import { workplace } from "../testing/workplace.ts";

afterEach(cleanUp);

const OVERLAY = `version: 1
rename:
  Boat: Vessel
  Boat.length: metres
  boat_query.state: mooring
describe:
  Boat: a vessel in the register
  boat_update: Writes a note about it.
hide: [boat_delete, Boat.note]
domain:
  label: The harbour
  entities: { Boat: { discovery: { names: [ship] } } }
`;

async function place(overlay: string) {
  const cwd = await temporaryDirectory();
  const document = { ...quayDocument(), servers: [{ url: "http://127.0.0.1:4801" }] };
  await writeFile(join(cwd, "quay.json"), JSON.stringify(document));
  await writeFile(join(cwd, "overlay.yaml"), overlay);
  const init = (...args: readonly string[]) =>
    runHere(["catalog", "init", "quay", "--api", "quay.json", ...args], { cwd });
  return { cwd, init };
}

interface Domain {
  readonly label: string;
  readonly entities: Record<string, { description: string; fields: Record<string, unknown> }>;
  readonly capabilities: Record<string, { description?: string }>;
}

describe("an overlay (ADR 0132)", () => {
  it.each([
    ["an alias of nothing", "version: 1\ndescribe: *x\n", "Unresolved alias"],
    [
      "a bomb of aliases",
      `a0: &a0 [x]\n${Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`).join("\n")}`,
      "Excessive alias count",
    ],
    ["brackets without end", "[".repeat(100_000), "the limit of depth 100"],
    ["more than people write", "a: b\n".repeat(20_000), "the limit of 10000 nodes"],
  ])("18.19 that is %s is refused, and why", async (_what, overlay, why) => {
    const { init } = await place(overlay);
    const { code, stderr } = await init("--overlay", "overlay.yaml");
    expect([code, stderr]).toEqual([2, expect.stringMatching(`^plasm: overlay.yaml: .*${why}`)]);
  });

  it("renames, hides, describes and corrects what is generated; what it makes is valid", async () => {
    const { cwd, init } = await place(OVERLAY);
    const plain = await init("--id", "plain");
    expect(plain.code).toBe(0);
    const { code, stderr } = await init("--overlay", "overlay.yaml");
    expect([code, stderr]).toEqual([0, ""]);
    const text = await readFile(join(cwd, "quay", "domain.yaml"), "utf8");
    const { label, entities, capabilities } = parse(text) as Domain;
    expect(label).toBe("The harbour");
    expect(entities["Boat"]).toBeUndefined();
    expect(entities["Vessel"]).toMatchObject({
      description: "a vessel in the register",
      discovery: { names: ["ship"] },
    });
    const fields = Object.keys(entities["Vessel"]?.fields ?? {});
    expect(fields).toContain("metres");
    expect(fields).not.toContain("length");
    expect(fields).not.toContain("note");
    expect(capabilities).not.toHaveProperty("vessel_delete");
    expect(capabilities).not.toHaveProperty("boat_delete");
    expect(capabilities["vessel_update"]?.description).toBe("Writes a note about it.");
    const valid = await runHere(["catalog", "validate", "--strict", "quay"], { cwd });
    expect([valid.code, valid.stdout]).toEqual([0, "quay: valid\n"]);
    const refreshed = await runHere(["catalog", "refresh", "quay"], { cwd });
    expect(refreshed.stdout).toBe("quay: the same document\nNothing changed.\n");
  });

  it("21 what JSON a field was is not said of what an overlay makes of it", async () => {
    const { cwd, init } = await place(
      "version: 1\ndomain: { entities: { Boat: { fields: { meta: { value_ref: text, path: [meta, note] } } } } }\n",
    );
    const document = quayDocument() as unknown as {
      components: { schemas: Record<string, { properties: Record<string, object> }> };
    };
    const meta = { type: "object", properties: { note: { type: "string" } } };
    const { Boat } = document.components.schemas;
    if (Boat === undefined) throw new Error("no Boat");
    Boat.properties["meta"] = meta;
    const served = { ...document, servers: [{ url: "http://127.0.0.1:4801" }] };
    await writeFile(join(cwd, "quay.json"), JSON.stringify(served));
    const fieldOf = async (catalog: string): Promise<unknown> => {
      const domain = parse(await readFile(join(cwd, catalog, "domain.yaml"), "utf8")) as Domain;
      return domain.entities["Boat"]?.fields["meta"];
    };
    await init("--id", "plain");
    await init("--overlay", "overlay.yaml");
    expect(await fieldOf("quay/plain")).toMatchObject({ description: "{note}" });
    expect(await fieldOf("quay")).toEqual({ value_ref: "text", path: ["meta", "note"] });
  });

  it("makes an effect of a POST that was taken for a search, and a search of an effect", async () => {
    const page = await readFile(new URL("../../../../docs/connect.md", import.meta.url), "utf8");
    const { cwd, init } = await place(/```yaml searches\.yaml\n([^]*?)```/.exec(page)?.[1] ?? "");
    const row = { type: "object", properties: { id: { type: "string" } } };
    const cranes = { type: "object", properties: { cranes: { type: "array", items: row } } };
    const json = (schema: object) => ({ content: { "application/json": { schema } } });
    const post = {
      requestBody: json({
        type: "object",
        properties: { q: { type: "string" }, page: { type: "integer" } },
      }),
      responses: { "200": { description: "", ...json(cranes) } },
    };
    const get = { responses: { "200": { description: "", ...json(row) } } };
    const document = {
      openapi: "3.1.0",
      info: { title: "Cranes", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths: {
        "/cranes": { get: { responses: post.responses } },
        "/cranes/{id}": { get },
        "/cranes/search": { post },
        "/cranes/selection": { post },
      },
    };
    await writeFile(join(cwd, "quay.json"), JSON.stringify(document));
    await init("--id", "plain");
    const kinds = async (of: string) => {
      const { capabilities } = parse(await readFile(join(cwd, of, "domain.yaml"), "utf8")) as {
        capabilities: Record<string, { kind: string }>;
      };
      return [capabilities["crane_search"]?.kind, capabilities["crane_selection"]?.kind];
    };
    expect(await kinds("quay/plain")).toEqual(["query", "action"]);
    const { code, stderr } = await init("--overlay", "overlay.yaml");
    expect([code, stderr]).toEqual([0, ""]);
    expect(await kinds("quay")).toEqual(["action", "query"]);
  });

  it("marks arguments that are rarely given, which tables leave out (ADR 0142)", async () => {
    const { cwd, init } = await place("version: 1\nrare: [boat_query.state, boat_update.note]\n");
    const { code, stderr } = await init("--overlay", "overlay.yaml");
    expect([code, stderr]).toEqual([0, ""]);
    const { capabilities } = parse(await readFile(join(cwd, "quay", "domain.yaml"), "utf8")) as {
      capabilities: Record<string, { parameters: { name: string; detail?: true }[] }>;
    };
    const rareOf = (name: string) =>
      capabilities[name]?.parameters.filter(({ detail }) => detail === true).map((one) => one.name);
    expect([rareOf("boat_query"), rareOf("boat_update")]).toEqual([["state"], ["note"]]);
  });

  it("marks fields that are rarely read and methods that are rarely called (TEACH-57)", async () => {
    const { cwd, init } = await place("version: 1\nrare: [Boat.length, boat_delete]\n");
    const { code, stderr } = await init("--overlay", "overlay.yaml");
    expect([code, stderr]).toEqual([0, ""]);
    const { entities, capabilities } = parse(
      await readFile(join(cwd, "quay", "domain.yaml"), "utf8"),
    ) as {
      entities: Record<string, { fields: Record<string, { detail?: true }> }>;
      capabilities: Record<string, { detail?: true }>;
    };
    expect(entities["Boat"]?.fields["length"]?.detail).toBe(true);
    expect(capabilities["boat_delete"]?.detail).toBe(true);
    expect(capabilities["boat_update"]?.detail).toBeUndefined();
  });

  it("leaves in tables what says whose rows a list has", async () => {
    const cwd = await temporaryDirectory();
    const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
    const row = { type: "object", properties: { id: { type: "string" } } };
    const answer = (schema: object) => ({
      "200": { description: "", content: { "application/json": { schema } } },
    });
    const of = { name: "boat_id", in: "query", schema: { type: "string" } };
    const rows = answer({ type: "array", items: row });
    const document = {
      openapi: "3.1.0",
      info: { title: "Harbour", version: "1" },
      servers: [{ url: "https://harbour.example" }],
      paths: {
        "/boats": { get: { responses: rows } },
        "/boats/{id}": { get: { parameters: [id], responses: answer(row) } },
        "/ropes": { get: { parameters: [of], responses: rows } },
        "/ropes/{id}": { get: { parameters: [id], responses: answer(row) } },
      },
    };
    await writeFile(join(cwd, "harbour.json"), JSON.stringify(document));
    const read = "{ kind: query_scoped, capability: rope_query, param: boat_id }";
    const ropes = `{ target: Rope, cardinality: many, materialize: ${read} }`;
    const overlay = `version: 1\nrare: [rope_query.boat_id]\ndomain: { entities: { Boat: { relations: { ropes: ${ropes} } } } }\n`;
    await writeFile(join(cwd, "overlay.yaml"), overlay);
    const args = ["catalog", "init", "harbour", "--api", "harbour.json"];
    const { code, stderr } = await runHere([...args, "--overlay", "overlay.yaml"], { cwd });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("rope_query.boat_id is what Boat.ropes reads its rows by"),
    ]);
  });

  it("serves rows under the new names", async () => {
    const { cwd } = await place(OVERLAY);
    const server = await startServer();
    const source = ["--api", "quay.json", "--server", server.apis.quay.url];
    const args = ["serve", "--port=0", "--data=data", ...source, "--overlay", "overlay.yaml"];
    const plasm = spawnPlasm(args, cwd);
    const url = /HTTP (http:\/\/\S+)/.exec(await plasm.said("Ctrl-C ends it."))?.[1] ?? "";
    const { done } = await workplace(url);
    await done("context", "-i", "look at vessels", "quay:Vessel");
    const program = "Vessel{mooring=moored}.limit(1)[id, metres]";
    expect(await done("run", "-e", program)).toMatch(/id\tmetres\nb\d+\t[\d.]+\n/);
    expect(await done("run", "-e", 'Vessel("b1")[id, metres]')).toMatch(/b1\t[\d.]+\n/);
    plasm.stop("SIGTERM");
    await plasm.ended;
    await server.close();
  });

  it.each<[string, string]>([
    ["version: 2", "version has to be 1."],
    ["version: 1\nremove: []", "remove is not a key of an overlay. Allowed: version, rename,"],
    [
      "version: 1\nhide: [boat_destroy]",
      "hide: the document makes nothing of the name boat_destroy.",
    ],
    ["version: 1\nhide: [Baot.length]", "the name Baot.length. There is Boat.length."],
    ["version: 1\nhide: [Boat.id]", "hide: Boat.id is the key of its rows, and stays."],
    [
      "version: 1\nrare: boat_query.state",
      "rare is a list of names, as in rare: [CAPABILITY.PARAM",
    ],
    ["version: 1\nrare: [Boat]", "rare: Boat is no parameter, field or capability."],
    [
      "version: 1\nrare: [Boat.id]",
      "rare: Boat.id is a part of the key of its rows, and is taught.",
    ],
    ["version: 1\nrare: [boat_create.name]", "rare: boat_create.name is required, and is taught."],
    ["version: 1\nrename: { Boat: Person }", "rename: Boat to Person: Person is there already."],
    ["version: 1\nrename: { Boat: 'a b' }", "a name is letters, digits and _."],
    [
      "version: 1\ndomain: { entities: { Boat: { id_field: nothing } } }",
      "not all of the catalog loads",
    ],
    ["a: [", "overlay.yaml: "],
  ])("%j is refused, with what is allowed", async (overlay, said) => {
    const { init } = await place(overlay);
    const { code, stdout, stderr } = await init("--overlay", "overlay.yaml");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
  });
});
