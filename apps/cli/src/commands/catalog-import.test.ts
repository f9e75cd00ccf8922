import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, fixture, temporaryDirectory } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";
import { workplace, type Workplace } from "../testing/workplace.ts";

let [server, replica]: TestServer[] = [];
let [cwd, key]: string[] = [];
let here: Workplace;
let there: Workplace;

const started = (value: TestServer | undefined): TestServer => {
  if (value === undefined) throw new Error("no server");
  return value;
};

/** The yard as another catalog, in a version, under a label. */
async function shed(version: number, label: string): Promise<void> {
  const directory = join(cwd ?? "", "shed");
  await cp(fixture("yard"), directory, { recursive: true });
  const file = join(directory, "domain.yaml");
  const text = await readFile(join(fixture("yard"), "domain.yaml"), "utf8");
  await writeFile(
    file,
    text.replace("version: 1", `version: ${version}`).replace("label: Yard", `label: ${label}`),
  );
}

/** Two servers on one data directory, and an administrator's key of them. */
beforeAll(async () => {
  cwd = await temporaryDirectory();
  const dataDir = await temporaryDirectory();
  const env = { PLASM_DATA: dataDir };
  const add = ["keys", "add", "--role", "admin", "--subject", "root"];
  key = (await runHere(add, { cwd, env })).stdout.trim();
  server = await startServer({ dataDir });
  const yards = { PLASM_BACKEND_SHED: server.apis.yard.url };
  replica = await startServer({ dataDir, env: yards });
  here = await workplace(server.url);
  there = await workplace(replica.url);
}, 60_000);
afterAll(async () => {
  await started(replica).close();
  await started(server).close();
  await cleanUp();
});

const imported = (...args: readonly string[]) =>
  here.plasm(["catalog", "import", ...args], { env: { PLASM_ADMIN_KEY: key } });

describe("plasm catalog import (SURF-20, SURF-16, RUN-180)", () => {
  it("puts a catalog on offer on every server of the data directory", async () => {
    await shed(1, "Shed");
    const { code, stdout, stderr } = await imported(join(cwd ?? "", "shed"));
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^shed · version 1 · sha256:[0-9a-f]{64}\nNew sessions on /);
    expect(await there.done("search", "parts", "--api", "shed")).toContain("shed\tPart\t");
    expect(await there.done("context", "-i", "count", "shed:Boat")).toContain("shed: Boat");
    // The catalog's own backend is nowhere; the setting of this server is used (RUN-004).
    expect(await there.done("run", "-e", "Boat.limit(1)[id]")).toMatch(/^Boat · 1 row\n/);
  });

  it("of a higher version serves new sessions; open ones keep theirs (SESS-12, RUN-173)", async () => {
    await shed(2, "Barn");
    expect((await imported(join(cwd ?? "", "shed"))).code).toBe(0);
    expect(await there.done("catalog", "show", "shed")).toMatch(/^shed · version 2 · /);
    expect(await there.done("run", "-e", "Boat.limit(1)[id]")).toMatch(/^Boat · 1 row\n/);
    await shed(1, "Shed");
    const older = await imported(join(cwd ?? "", "shed"));
    expect([older.code, older.stdout]).toEqual([2, ""]);
    expect(older.stderr).toContain("shed is on offer with version 2; this one has version 1.");
  });

  it("is still there after a restart", async () => {
    const { dataDir } = started(server);
    const again = await startServer({ dataDir });
    const { done } = await workplace(again.url);
    expect(await done("catalog", "show", "shed")).toMatch(/^shed · version 2 · /);
    await again.close();
  });

  it("SESS-12 withdrawn, it is on offer nowhere, and its sessions are kept, or lost with that reason", async () => {
    const env = { PLASM_ADMIN_KEY: key };
    const kept = await here.plasm(["catalog", "withdraw", "shed", "--keep-sessions"], { env });
    expect([kept.code, kept.stderr]).toEqual([0, ""]);
    expect(kept.stdout).toMatch(
      /^shed · version 2 · sha256:[0-9a-f]{64} is withdrawn on http.*\nSessions that have it are kept\. New sessions have no catalog of that id\.\n$/,
    );
    for (const { plasm } of [here, there]) {
      expect((await plasm(["catalog", "show", "shed"])).code).toBe(1);
    }
    expect(await there.done("run", "-e", "Boat.limit(1)[id]")).toMatch(/^Boat · 1 row\n/);
    const again = await here.plasm(["catalog", "withdraw", "shed"], { env });
    expect([again.code, again.stdout]).toEqual([1, ""]);
    expect(again.stderr).toContain("No import of shed is on offer.");
    // A lower version than the one before may be imported now.
    await shed(1, "Shed");
    expect((await imported(join(cwd ?? "", "shed"))).code).toBe(0);
    const lost = await here.plasm(["catalog", "withdraw", "shed"], { env });
    expect(lost.stdout).toContain("Sessions that have it are lost.");
    const { code, stderr } = await there.plasm(["run", "-e", "Boat.limit(1)[id]"]);
    expect([code, stderr]).toEqual([5, expect.stringContaining("(catalog_gone)")]);
  });

  it("says every fault at its place, and keeps nothing", async () => {
    const broken = join(await temporaryDirectory(), "hut");
    await cp(fixture("yard"), broken, { recursive: true });
    const file = join(broken, "domain.yaml");
    await writeFile(file, (await readFile(file, "utf8")).replace("integer", "integr"));
    const { code, stdout, stderr } = await imported(broken);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^hut is not valid\.\n\nCAT\d+ error at domain\.yaml:\d+:\d+ /);
    expect((await here.plasm(["catalog", "show", "hut"])).code).toBe(1);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[], number, string]>([
    ["no key", {}, [fixture("yard")], 2, "PLASM_ADMIN_KEY is not set, and nobody is here"],
    ["a made-up key", { PLASM_ADMIN_KEY: "x" }, [fixture("yard")], 1, "key is not known"],
    ["no directory", { PLASM_ADMIN_KEY: "x" }, ["none"], 2, "none: it does not exist."],
    ["many catalogs", { PLASM_ADMIN_KEY: "x" }, [join(fixture("yard"), "..")], 2, "is no catalog"],
    ["no argument", {}, [], 2, "Name one catalog"],
  ])("refuses %s", async (_, env, args, code, said) => {
    const ended = await here.plasm(["catalog", "import", ...args], { env });
    expect([ended.code, ended.stdout]).toEqual([code, ""]);
    expect(ended.stderr).toContain(said);
  });
});

const PETS = {
  type: "array",
  items: {
    type: "object",
    required: ["id"],
    properties: { id: { type: "string" }, name: { type: "string" } },
  },
};

it("SURF-71 brings along what a catalog was made of, from its directory and from its document", async () => {
  const pets = join(cwd ?? "", "pets.json");
  const list = { description: "all", content: { "application/json": { schema: PETS } } };
  await writeFile(
    pets,
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Pets", version: "1" },
      servers: [{ url: "http://127.0.0.1:9" }],
      paths: {
        "/pets": { get: { operationId: "listPets", responses: { 200: list } } },
        "/noise": { get: { responses: { 204: { description: "nothing" } } } },
      },
    }),
  );
  const made = await runHere(["catalog", "init", "menagerie", "--api", pets], {
    cwd: cwd ?? "",
  });
  expect([made.code, made.stderr]).toEqual([0, ""]);
  expect((await imported(join(cwd ?? "", "menagerie"))).code).toBe(0);
  const whole = await imported("--api", pets, "--id", "zoo");
  expect(whole.code, whole.stderr).toBe(0);
  for (const id of ["menagerie", "zoo"]) {
    const answer = await fetch(`${started(replica).url}/v1/registry/${id}`);
    expect(await answer.json()).toMatchObject({
      origin: {
        source: "pets.json",
        digest: expect.stringMatching(/^sha256:/),
        operations: 2,
        reached: 2,
      },
    });
  }
});
