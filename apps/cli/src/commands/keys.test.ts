import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, type Ended, fixture, temporaryDirectory } from "../testing/spawn-plasm.ts";
import { startServer, type TestServer } from "../testing/start-server.ts";
import { writeProfile } from "../workspace/workspace.ts";

let dataDir = "";
const keys = (...args: readonly string[]): Promise<Ended> =>
  runHere(["keys", ...args], { cwd: dataDir, env: { PLASM_DATA: dataDir } });
const agent = (...args: readonly string[]): Promise<Ended> =>
  keys("add", "--role", "agent", "--tenant", "acme", ...args);
const idOf = ({ stdout }: Ended): string => stdout.split("_")[1] ?? "";

beforeAll(async () => {
  dataDir = await temporaryDirectory();
});
afterAll(cleanUp);

describe("plasm keys (SURF-23, SURF-24)", { timeout: 60_000 }, () => {
  it("makes keys of agents and administrators, and lists what each is for", async () => {
    const desk = await agent(
      "--subject",
      "desk",
      "--service",
      "--act-as",
      "ann",
      "--act-as",
      "bob",
    );
    const root = await keys("add", "--role", "admin", "--subject", "root");
    const tenant = "https://id.example|tenant|acme";
    const olga = await keys("add", "--subject", "olga", "--tenant", tenant);
    const { stdout } = await keys("list");
    expect(stdout).toContain(
      `${idOf(desk)} · agent desk · tenant acme · of no user · acts for ann, bob · `,
    );
    expect(stdout).toContain(`${idOf(root)} · admin root · tenant anonymous · `);
    expect(stdout).toContain(`${idOf(olga)} · operator olga · tenant ${tenant} · `);
    for (const made of [desk, root, olga]) expect(stdout).not.toContain(made.stdout.trim());
  });

  it("makes keys that end, and keys that only read, and says when each was used", async () => {
    const made = await agent("--subject", "report", "--scope", "read", "--expires", "90d");
    const line = async () =>
      (await keys("list")).stdout.split("\n").find((one) => one.startsWith(idOf(made))) ?? "";
    const at = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
    expect(await line()).toMatch(
      new RegExp(`agent report · tenant acme · scopes read · .* · expires ${at}.* · never used$`),
    );
  });

  it("rotates one: another text under the same id", async () => {
    const before = await agent("--subject", "eve");
    const after = await keys("rotate", idOf(before));
    expect(idOf(after)).toBe(idOf(before));
    expect(after.stdout).not.toBe(before.stdout);
    expect((await keys("list")).stdout).toMatch(
      new RegExp(`${idOf(before)} .*agent eve.* rotated `),
    );
    const unknown = await keys("rotate", "0".repeat(16));
    expect([unknown.code, unknown.stdout]).toEqual([1, ""]);
  });

  it.each<[string, readonly string[], string]>([
    ["an agent of no tenant", ["--role", "agent", "--subject", "ann"], "give --tenant"],
    ["a role that is none", ["--role", "king", "--subject", "ann"], "operator, agent, admin"],
    ["a day that there is not", ["--subject", "a", "--expires", "2027-02-30"], "--expires is"],
    ["an end that has passed", ["--subject", "a", "--expires", "2020-01-01"], "has passed"],
    ["no days at all", ["--subject", "a", "--expires", "0d"], "has passed"],
    ["an end that is no time", ["--subject", "a", "--expires", "soon"], "--expires is"],
    [
      "a scope that is none",
      ["--role", "agent", "--tenant", "t", "--subject", "a", "--scope", "all"],
      "read, effects",
    ],
    ["scopes of an operator", ["--subject", "a", "--scope", "read"], "--role agent"],
    ["an operator that acts", ["--subject", "ann", "--act-as", "bob"], "--role agent"],
    ["an admin of no user", ["--role", "admin", "--subject", "a", "--service"], "--role agent"],
    [
      "an anonymous tenant",
      ["--subject", "ann", "--tenant", "Anonymous"],
      "No tenant can be named",
    ],
    [
      "its connections",
      ["--subject", "a", "--tenant", "anonymous|nobody"],
      "No tenant can be named",
    ],
    ["a tenant that parts", ["--subject", "ann", "--tenant", "a|b"], "--tenant is a name"],
    [
      "a user that acts",
      ["--role", "agent", "--tenant", "t", "--subject", "a", "--act-as", "\n"],
      "--act-as is",
    ],
  ])("refuses %s", async (_, args, said) => {
    const { code, stdout, stderr } = await keys("add", ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
  });
});

describe("plasm serve --auth (SURF-23, SESS-8)", { timeout: 60_000 }, () => {
  const serve = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    temporaryDirectory().then((data) =>
      runHere(["serve", "--port=0", `--data=${data}`, `--catalogs=${fixture("quay")}`, ...args], {
        cwd: data,
        env,
      }),
    );

  it.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
    ["required without a verifier", ["--auth=required"], {}, "plasm keys add --role agent"],
    ["the same by setting", [], { PLASM_AUTH: "required" }, "plasm keys add --role agent"],
    ["a mode that is none", [], { PLASM_AUTH: "yes" }, "off, optional, required"],
    ["a guessable secret", [], { PLASM_JWT_SECRET: "guess" }, "PLASM_JWT_SECRET has 5 bytes"],
    ["other machines, nobody known", ["--host=0.0.0.0"], {}, "not a loopback address"],
    ["credentials of whom", [], { PLASM_CREDENTIALS: "mine" }, "deployment or user"],
  ])("does not start: %s", async (_, args, env, said) => {
    const { code, stdout, stderr } = await serve(args, env);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(said);
    expect(stderr).not.toMatch(/\bguess\b/);
  });

  it("is for HTTP alone", async () => {
    const { code, stderr } = await runHere(["serve", "--stdio", "--auth=required"], {
      cwd: await temporaryDirectory(),
    });
    expect(code).toBe(2);
    expect(stderr).toContain("over stdio");
  });
});

describe(
  "the command line as somebody who is known (SURF-22, SURF-23)",
  { timeout: 60_000 },
  () => {
    let server: TestServer;
    let cwd = "";
    beforeAll(async () => {
      await agent("--subject", "first");
      server = await startServer({ dataDir, auth: "required" });
      cwd = await temporaryDirectory();
    }, 60_000);
    afterAll(() => server.close());

    const as = async (api_key: string | undefined, ...args: readonly string[]): Promise<Ended> => {
      const profile = { server: server.url, ...(api_key === undefined ? {} : { api_key }) };
      await writeProfile(join(cwd, ".plasm"), profile);
      return runHere(args, { cwd });
    };

    it("works with a key, and with none or a rotated one does not", async () => {
      const made = await agent("--subject", "ci");
      const key = made.stdout.trim();
      const none = await as(undefined, "search", "boats");
      expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("X-API-Key")]);
      expect(await as(key, "context", "-i", "boats", "quay:Boat")).toMatchObject({ code: 0 });
      expect(await as(key, "run", "-e", "Boat.limit(1)", "--force")).toMatchObject({ code: 0 });
      const rotated = (await keys("rotate", idOf(made))).stdout.trim();
      const old = await as(key, "search", "boats");
      expect(old.code).toBe(1);
      expect(old.stderr).not.toContain(key);
      expect(await as(rotated, "search", "boats")).toMatchObject({ code: 0 });
    });
  },
);
