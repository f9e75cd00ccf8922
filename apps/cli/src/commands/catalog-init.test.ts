import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { quayDocument } from "@plasm/sample-apis/quay-document";
import { afterEach, describe, expect, it } from "vitest";
import { runHere } from "../testing/run-here.ts";
import { startServer } from "../testing/start-server.ts";
import { cleanUp, spawnPlasm, temporaryDirectory } from "../testing/spawn-plasm.ts";

afterEach(cleanUp);

const SERVED = { ...quayDocument(), servers: [{ url: "http://127.0.0.1:4801" }] };

/** A directory with some documents in it. */
async function place(): Promise<string> {
  const cwd = await temporaryDirectory();
  await writeFile(join(cwd, "quay.json"), JSON.stringify(SERVED));
  await writeFile(
    join(cwd, "small.yaml"),
    `openapi: 3.1.0
info: { title: Small, version: "1" }
servers: [{ url: https://api.example.com/v1 }]
paths:
  /boats/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        "200":
          description: a boat
          content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } }
  /report:
    get:
      responses: { "200": { description: a page, content: { text/html: {} } } }
`,
  );
  await writeFile(join(cwd, "old.json"), JSON.stringify({ swagger: "1.2", apis: [] }));
  await writeFile(join(cwd, "broken.yaml"), "openapi: 3.1.0\npaths: {{\n");
  await writeFile(join(cwd, "bytes.json"), new Uint8Array([0xff]));
  return cwd;
}

const BOAT = "type: object\nproperties: { id: { type: string }, note: { type: string } }\n";

/** A directory with a document of two files. */
async function filesPlace(): Promise<string> {
  const cwd = await temporaryDirectory();
  await mkdir(join(cwd, "api/schemas"), { recursive: true });
  await writeFile(
    join(cwd, "api/openapi.yaml"),
    `openapi: 3.1.0
info: { title: Harbour, version: "1" }
servers: [{ url: https://api.example.com/v1 }]
paths:
  /boats:
    get:
      responses:
        "200":
          description: boats
          content: { application/json: { schema: { type: array, items: { $ref: schemas/boat.yaml } } } }
`,
  );
  await writeFile(join(cwd, "api/schemas/boat.yaml"), BOAT);
  return cwd;
}

const init = (cwd: string, ...args: readonly string[]) =>
  runHere(["catalog", "init", ...args], { cwd });

it("SURF-47 what it made a catalog of is told by a server that has it", async () => {
  const cwd = await place();
  await init(cwd, "small", "--api", "small.yaml");
  const server = await startServer({ catalogs: [join(cwd, "small")] });
  try {
    const answer = await fetch(`${server.url}/v1/registry/small`);
    expect(await answer.json()).toMatchObject({
      origin: {
        source: "small.yaml",
        digest: expect.stringMatching(/^[\w:]+$/) as string,
        operations: 2,
        reached: 1,
        left_out: ["GET /report: it answers text/html"],
        omitted: 0,
      },
    });
  } finally {
    await server.close();
  }
});

describe("plasm catalog init (SURF-20)", () => {
  it("makes a catalog that is valid, in strict mode", async () => {
    const cwd = await place();
    const { code, stdout, stderr } = await init(cwd, "all/harbour", "--api", "quay.json");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(
      "harbour: 17 of 17 operations, in all/harbour/domain.yaml and all/harbour/mappings.yaml\nNext: plasm catalog validate all/harbour\n",
    );
    const checked = await runHere(["catalog", "validate", "--strict", "all"], { cwd });
    expect([checked.code, checked.stdout]).toEqual([0, "all/harbour: valid\n"]);
  });

  it("takes the name that --api had before, and tells of it no more", async () => {
    const cwd = await place();
    expect((await init(cwd, "small", "--openapi", "small.yaml")).code).toBe(0);
    const { stdout } = await init(cwd, "--help");
    expect(stdout).toContain("--api <document>");
    expect(stdout).not.toContain("--openapi");
  });

  it("takes YAML, and says what it left out and why", async () => {
    const cwd = await place();
    const { stdout } = await init(cwd, "small", "--api", "small.yaml");
    expect(stdout).toBe(
      "small: 1 of 2 operations, in small/domain.yaml and small/mappings.yaml\nleft out:\n  GET /report: it answers text/html\nNext: plasm catalog validate small\n",
    );
  });

  it("says what calls need, of a key beside another as well", async () => {
    const cwd = await place();
    const securitySchemes = {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      app: { type: "apiKey", in: "header", name: "X-App" },
    };
    const security = [{ key: [], app: [] }];
    const document = { ...SERVED, components: { securitySchemes }, security };
    await writeFile(join(cwd, "keys.json"), JSON.stringify({ ...quayDocument(), ...document }));
    const { stdout } = await init(cwd, "keys", "--api", "keys.json");
    expect(stdout).toMatch(/\nCalls need a credential: .*plasm auth set keys\b.* and .*--key /);
  });

  it("takes what --only names, into the directory that --id names (CAT-016)", async () => {
    const cwd = await place();
    const only = ["--only", "/people", "--only", "records"];
    const { stdout } = await init(cwd, "all", "--id", "port", "--api", "quay.json", ...only);
    expect(stdout).toMatch(/^port: 5 of 5 operations, in all\/port\/domain\.yaml and /);
    const domain = await readFile(join(cwd, "all/port/domain.yaml"), "utf8");
    expect(domain.match(/^ {2}[A-Z]\w+(?=:)/gm)).toEqual([
      "  Log",
      "  Office",
      "  Paper",
      "  Person",
    ]);
  });

  it("takes the address of the API from --server, and refuses what is none (CAT-020)", async () => {
    const cwd = await place();
    const address = "https://quay.example.com/v3";
    await init(cwd, "harbour", "--api", "quay.json", "--server", address);
    expect(await readFile(join(cwd, "harbour", "domain.yaml"), "utf8")).toContain(
      `http_backend: ${address}\n`,
    );
    const refused = await init(cwd, "other", "--api", "quay.json", "--server", "quay");
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain('"quay" is not the address of an API');
  });

  it("reads the files that a document refers to, and refresh sees a change in any of them", async () => {
    const cwd = await filesPlace();
    const { code, stdout, stderr } = await init(cwd, "mine", "--api", "api/openapi.yaml");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("mine: 1 of 1 operations");
    expect(await readFile(join(cwd, "mine/domain.yaml"), "utf8")).toMatch(/^ {2}Boat:/m);
    const refresh = () => runHere(["catalog", "refresh", "mine", "--dry-run"], { cwd });
    expect((await refresh()).stdout).toContain("mine: the same document");
    await writeFile(join(cwd, "api/schemas/boat.yaml"), BOAT.replace("note", "name"));
    const changed = await refresh();
    expect(changed.stdout).toMatch(/entity Boat: .*name/);
    expect(changed.code).toBe(3);
  });

  it("follows no link out of the document's directory, and names no file that is missing without its place", async () => {
    const cwd = await filesPlace();
    await writeFile(join(cwd, "secret.yaml"), BOAT);
    await rm(join(cwd, "api/schemas/boat.yaml"));
    const missing = await init(cwd, "mine", "--api", "api/openapi.yaml");
    expect(missing.stderr).toMatch(
      /api\/openapi\.yaml: openapi\.yaml#\/paths\/\S+ refers to "schemas\/boat\.yaml": there is no such file \(ENOENT\)/,
    );
    await symlink("../../secret.yaml", join(cwd, "api/schemas/boat.yaml"));
    const linked = await init(cwd, "mine", "--api", "api/openapi.yaml");
    expect([linked.code, linked.stdout]).toEqual([2, ""]);
    expect(linked.stderr).toContain("it is a link that leads out of the directory");
    await expect(readFile(join(cwd, "mine/domain.yaml"))).rejects.toThrow("ENOENT");
  });

  it("--help has an example, which works", async () => {
    const cwd = await place();
    const { stdout } = await init(cwd, "--help");
    const [, line = ""] = /^ {2}\$ plasm (.*)$/m.exec(stdout) ?? [];
    await writeFile(join(cwd, "shop.json"), JSON.stringify(SERVED));
    const ended = await runHere(line.split(" "), { cwd });
    expect(ended.stdout).toMatch(/^shop: [1-9]\d* of \d+ operations/);
  });

  it.each(["domain.yaml", "mappings.yaml"])("overwrites nothing: %s is there", async (name) => {
    const cwd = await place();
    await mkdir(join(cwd, "shop"));
    await writeFile(join(cwd, "shop", name), "mine");
    const { code, stdout, stderr } = await init(cwd, "shop", "--api", "quay.json");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`shop/${name} is there already, and stays.`);
    expect(await readFile(join(cwd, "shop", name), "utf8")).toBe("mine");
  });

  it.each<[readonly string[], string]>([
    [["x"], "Name what it is made of: --api DOCUMENT, or --mcp SERVER."],
    [["x", "--mcp", "a", "--api", "quay.json"], "Name what it is made of"],
    [["x", "--api", "quay.json", "--pass-env", "A"], "--pass-env goes with --mcp."],
    [["x", "--mcp", "a", "--server", "https://x.example"], "--server goes with --api"],
    [["--api", "quay.json"], "missing required argument"],
    [["x", "--api", "none.json"], "none.json cannot be read (ENOENT)."],
    [["x", "--api", "bytes.json"], "bytes.json is not UTF-8 text."],
    [
      ["x", "--api", "old.json"],
      "old.json: This is not an OpenAPI document that can be read: it is Swagger 1.",
    ],
    [["x", "--api", "broken.yaml"], "broken.yaml: The document is neither JSON nor YAML: "],
    [["My Shop", "--api", "quay.json"], '"My Shop" is no id of a catalog'],
    [["x", "--api", "quay.json", "--only", "/nowhere"], "has no operations of /nowhere."],
  ])("%j is misuse: exit code 2, nothing made", async (args, said) => {
    const cwd = await place();
    const { code, stdout, stderr } = await init(cwd, ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
    await expect(readFile(join(cwd, "x", "domain.yaml"))).rejects.toThrow("ENOENT");
  });
});

describe("plasm catalog init --mcp (SURF-20, ADR 0136)", () => {
  const script = fileURLToPath(
    new URL("../../../../packages/transport-mcp/src/testing/odd-server.mjs", import.meta.url),
  );

  it("writes what serve --mcp makes, without its command, and serve offers it as it is edited", async () => {
    const cwd = await temporaryDirectory();
    const server = `"${process.execPath}" "${script}" "${join(cwd, "calls")}"`;
    const { code, stdout, stderr } = await init(cwd, "all", "--id", "odd", "--mcp", server);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^odd: \d+ of \d+ tools, in all\/odd\/domain\.yaml/);
    const files = ["domain.yaml", "mappings.yaml", "import.json"] as const;
    const texts = await Promise.all(
      files.map((name) => readFile(join(cwd, "all/odd", name), "utf8")),
    );
    for (const text of texts) expect(text).not.toContain("odd-server");
    const args = ["serve", "--port=0", "--data=data", "--mcp", server, "--id", "odd"];
    const plain = spawnPlasm(args, cwd);
    await plain.said("Ctrl-C ends it.");
    plain.stop("SIGTERM");
    await plain.ended;
    const served = await readFile(join(cwd, "data/sources/odd/domain.yaml"), "utf8");
    expect(served).toBe(texts[0]);
    const same = await runHere(["catalog", "refresh", "all/odd", "--mcp", server], { cwd });
    expect(same.stdout).toContain("odd: the same document\nNothing changed.");
    const unnamed = await runHere(["catalog", "refresh", "all/odd"], { cwd });
    expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining("with --mcp")]);
    const edited = spawnPlasm([...args, "--catalogs", "all"], cwd);
    const message = await edited.said("Ctrl-C ends it.");
    expect(message).toContain("Catalogs: odd\n");
    expect(message).toContain(`odd: as it is edited in ${join(cwd, "all/odd")}`);
    edited.stop("SIGTERM");
    await edited.ended;
  });
});
