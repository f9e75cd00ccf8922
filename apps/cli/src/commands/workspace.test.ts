import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerWith } from "../testing/answer-with.ts";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, temporaryDirectory } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";
import { workplace, workplaceWithBoats } from "../testing/workplace.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.close();
  await cleanUp();
});

const OTHERS = 0o077;

describe("plasm init (SURF-20, SURF-22)", () => {
  const init = async (cwd: string, ...args: readonly string[]) => {
    const { code, stderr } = await runHere(["init", ...args], { cwd });
    if (code !== 0) return { code, stderr };
    return JSON.parse(await readFile(join(cwd, ".plasm", "profile.json"), "utf8")) as unknown;
  };

  it("keeps server and key in files that only their owner can read", async () => {
    const cwd = await temporaryDirectory();
    const profile = { server: "http://127.0.0.1:4000", api_key: "k3y" };
    expect(await init(cwd, "--server", "http://127.0.0.1:4000/", "--api-key", "k3y")).toEqual(
      profile,
    );
    const { mode } = await stat(join(cwd, ".plasm", "profile.json"));
    expect((mode & 0o777).toString(8)).toBe("600");
    expect(await readFile(join(cwd, ".plasm", ".gitignore"), "utf8")).toBe("*\n");
  });

  it("18.19 takes the key from a file or from stdin, and says what a command line shows", async () => {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, "key.txt"), "k3y\n");
    const profile = { server: "http://127.0.0.1:3000", api_key: "k3y" };
    expect(await init(cwd, "--api-key-file", "key.txt")).toEqual(profile);
    for (const args of [
      ["--api-key-file", "-"],
      ["--api-key", "-"],
    ]) {
      const piped = await runHere(["init", ...args], { cwd, input: " an0ther\n" });
      expect([piped.code, piped.stderr]).toEqual([0, ""]);
      expect(await init(cwd)).toEqual({ ...profile, api_key: "an0ther" });
    }
    const told = await runHere(["init", "--api-key", "k3y"], { cwd });
    expect([told.code, told.stderr]).toEqual([0, expect.stringContaining("--api-key-file")]);
    expect(told.stderr).not.toContain("k3y");
  });

  it.each([
    ["nothing.txt", undefined, "cannot be read (ENOENT)"],
    ["empty.txt", "\n", "holds nothing"],
    ["two.txt", "a b", "more than one word"],
    ["long.txt", "x".repeat(10_000), "no API key"],
  ])("18.19 says what is wrong with a file of a key: %s", async (name, text, said) => {
    const cwd = await temporaryDirectory();
    if (text !== undefined) await writeFile(join(cwd, name), text);
    const { code, stderr } = await runHere(["init", "--api-key-file", name], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });

  it("changes what it is given, and never hands one server's key to another", async () => {
    const cwd = await temporaryDirectory();
    expect(await init(cwd)).toEqual({ server: "http://127.0.0.1:3000" });
    await init(cwd, "--api-key", "k3y");
    expect(await init(cwd)).toEqual({ server: "http://127.0.0.1:3000", api_key: "k3y" });
    expect(await init(cwd, "--server", "https://plasm.example/base")).toEqual({
      server: "https://plasm.example/base",
    });
  });

  it("takes the address of a server's MCP for that of the server", async () => {
    const cwd = await temporaryDirectory();
    expect(await init(cwd, "--server", "http://127.0.0.1:4000/mcp/")).toEqual({
      server: "http://127.0.0.1:4000",
    });
  });

  it.each(["localhost", "ftp://127.0.0.1", "http://a:b@127.0.0.1", "http://127.0.0.1/?x=1"])(
    "%s is no server: exit code 2",
    async (address) => {
      const cwd = await temporaryDirectory();
      expect(await init(cwd, "--server", address)).toMatchObject({ code: 2 });
      expect(await readdir(cwd)).toEqual([]);
    },
  );
});

describe("the workspace (SURF-22)", () => {
  it("holds profile, session, last search and outputs, all of its owner alone", async () => {
    const { cwd, done } = await workplaceWithBoats(server.url, "kept");
    await done("search", "boats");
    await done("run", "-e", "Boat.limit(1)[id]", "--format", "ndjson");
    await done("run", "--mode", "plan", "-e", "Boat.limit(1)[id]");
    const all = await readdir(join(cwd, ".plasm"), { recursive: true });
    expect(all.toSorted()).toEqual([
      ".gitignore",
      "outputs",
      "outputs/context.txt",
      "outputs/plan.txt",
      "outputs/run.ndjson",
      "outputs/search.txt",
      "profile.json",
      "search.json",
      "session.json",
    ]);
    const modes = all.map(async (name) => (await stat(join(cwd, ".plasm", name))).mode & OTHERS);
    expect(new Set(await Promise.all(modes))).toEqual(new Set([0]));
    const output = await readFile(join(cwd, ".plasm", "outputs", "run.ndjson"), "utf8");
    expect(output).toMatch(/^\{"result":"Boat","row":\{"id":"b1"\}\}\n/);
  });

  it("is $PLASM_WORKSPACE where that is set", async () => {
    const { cwd, plasm } = await workplace(server.url);
    const env = { PLASM_WORKSPACE: "elsewhere" };
    await plasm(["init", "--server", server.url], { env });
    expect((await plasm(["search", "boats"], { env })).code).toBe(0);
    expect(await readdir(join(cwd, "elsewhere"))).toContain("search.json");
    expect(await readdir(join(cwd, ".plasm"))).not.toContain("search.json");
  });

  it("of one server says nothing to another", async () => {
    const { done, plasm } = await workplaceWithBoats(server.url, "servers");
    await done("init", "--server", "http://127.0.0.1:9");
    const { code, stderr } = await plasm(["run", "-e", "Boat"]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("no session on http://127.0.0.1:9"),
    ]);
  });

  it("that is damaged is named", async () => {
    const { cwd, plasm } = await workplace(server.url);
    const path = join(cwd, ".plasm", "session.json");
    for (const damage of ["", "{", "[]", '{"server":1}']) {
      await writeFile(path, damage);
      const { code, stderr } = await plasm(["context", "-i", "x", "quay:Boat"]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${path} is damaged: remove it`)]);
    }
  });

  it("that cannot be written loses no answer of a run", async () => {
    const { cwd, done, plasm } = await workplaceWithBoats(server.url, "full disk");
    await done("run", "-e", "Boat.limit(1)[id]");
    await writeFile(join(cwd, "file"), "");
    const { code, stdout } = await plasm(["run", "-e", "Boat.limit(1)[id]"], {
      env: { PLASM_WORKSPACE: join(cwd, ".plasm") },
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining("b1")]);
  });
});

describe("plasm doctor", () => {
  it("says that all is well", async () => {
    const { done } = await workplaceWithBoats(server.url, "health");
    expect((await done("doctor")).trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^ok {5}profile .*profile\.json$/),
      `ok     server ${server.url}`,
      expect.stringMatching(/^ok {5}store \d+ MB of 2048 MB$/),
      "ok     catalogs quay, yard",
      'ok     session "health"',
    ]);
  });

  it("says what is wrong and what to do: exit code 1", async () => {
    const cwd = await temporaryDirectory();
    const gone = await answerWith(() => undefined);
    await gone.close();
    const doctor = () => runHere(["doctor"], { cwd });
    await runHere(["init", "--server", gone.url, "--api-key", "k3y"], { cwd });
    await chmod(join(cwd, ".plasm", "profile.json"), 0o644);
    const { code, stdout, stderr } = await doctor();
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(/^wrong {2}the API key in .* can be read by others: chmod 600 /);
    expect(stdout).toContain(
      `wrong  No server at ${gone.url} (ECONNREFUSED). Start one: plasm serve`,
    );
    expect(stdout).not.toContain("k3y");
  });
});

describe("no server", () => {
  it.each([[["search", "boats"]], [["context", "-i", "x", "quay:Boat"]]])(
    "%j: one line with what to do, exit code 1",
    async (args) => {
      const gone = await answerWith(() => undefined);
      await gone.close();
      const { code, stdout, stderr } = await (await workplace(gone.url)).plasm(args);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toBe(
        `plasm: No server at ${gone.url} (ECONNREFUSED). ` +
          "Start one: plasm serve --catalogs DIR; or name another: plasm init --server URL\n",
      );
    },
  );
});
