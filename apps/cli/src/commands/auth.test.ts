import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { askSecret } from "./typed-key.ts";
import { nameOfKey } from "./stored-credentials.ts";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, temporaryDirectory } from "../testing/spawn-plasm.ts";

afterAll(cleanUp);

const SECRET = "s3cret/of+quay";

let cwd: string;
beforeEach(async () => {
  cwd = await temporaryDirectory();
});

const plasm = (args: readonly string[], input = "") =>
  runHere(args, { cwd, input, env: { PLASM_DATA: join(cwd, "data") } });

describe("plasm auth", () => {
  it("stores, lists and forgets; no answer and no audit has the secret", async () => {
    const set = await plasm(["auth", "set", "quay"], `${SECRET}\n`);
    expect(set).toMatchObject({ code: 0, stderr: "" });
    const listed = await plasm(["auth", "list"]);
    expect(listed.stdout).toMatch(/^quay · all callers · \d{4}-/m);
    const directory = join(cwd, "data/credentials");
    const stored = (await readdir(directory)).find((name) => name !== "audit.jsonl") ?? "";
    const text = await readFile(join(directory, stored), "utf8");
    const record: unknown = JSON.parse(text);
    expect(record).toMatchObject({ version: 2, key: "plasm:outbound:v1:catalog:quay" });
    expect(text).not.toContain(SECRET);
    expect((await plasm(["auth", "remove", "quay"])).code).toBe(0);
    expect((await plasm(["auth", "remove", "quay"])).stderr).toContain("No credential for quay");
    expect((await plasm(["auth", "list"])).stdout).toContain("plasm auth set ID stores one");
    const audit = await readFile(join(directory, "audit.jsonl"), "utf8");
    for (const told of [set.stdout, listed.stdout, audit]) expect(told).not.toContain(SECRET);
  });

  it("stores each of several keys, and forgets all of a catalog", async () => {
    await plasm(["auth", "set", "quay"], SECRET);
    const set = await plasm(["auth", "set", "quay", "--key", "application_key"], "other-secret");
    expect(set.stdout).toMatch(/^The application_key for quay is stored in /);
    const listed = await plasm(["auth", "list"]);
    expect(listed.stdout).toMatch(/^quay application_key · all callers · /m);
    expect(listed.stdout).not.toContain("other-secret");
    await plasm(["auth", "set", "yard", "--key", "application_key"], SECRET);
    expect((await plasm(["auth", "remove", "quay"])).code).toBe(0);
    const after = (await plasm(["auth", "list"])).stdout;
    expect(after).not.toContain("quay");
    expect(after).toContain("yard application_key");
  });

  it("RUN-129 what is removed says which account calls without a name use from then on", async () => {
    for (const account of ["home", "work", "yard"])
      await plasm(["auth", "set", "quay", "--account", account], SECRET);
    await plasm(["auth", "set", "quay"], SECRET);
    const removed = async (...args: readonly string[]) =>
      (await plasm(["auth", "remove", "quay", ...args])).stdout.trimEnd().split("\n").slice(1);
    expect(await removed("--account", "yard")).toEqual([]);
    expect(await removed()).toEqual([
      "Calls of quay that name no account are asked which is meant from now on, unless the server has one in a variable: home, work.",
    ]);
    expect(await removed("--account", "work")).toEqual([
      "Calls of quay that name no account use home from now on, unless the server has one in a variable.",
    ]);
    expect(await removed("--account", "home")).toEqual([]);
  });

  it("RUN-129 stores, lists and forgets accounts one by one", async () => {
    for (const account of ["home", "work"])
      await plasm(["auth", "set", "quay", "--account", account], SECRET);
    const set = await plasm(["auth", "set", "quay"], SECRET);
    expect(set.stdout).toMatch(/^The credential for quay is stored in /);
    const names = async () =>
      [...(await plasm(["auth", "list"])).stdout.matchAll(/^(quay.*?) · all callers/gm)].map(
        ([, name]) => name,
      );
    expect(await names()).toEqual(["quay", "quay account home", "quay account work"]);
    const removed = await plasm(["auth", "remove", "quay", "--account", "home"]);
    expect(removed.stdout).toMatch(/^The credential for quay account home is removed from /);
    expect(await names()).toEqual(["quay", "quay account work"]);
    expect((await plasm(["auth", "remove", "quay"])).code).toBe(0);
    expect(await names()).toEqual(["quay account work"]);
  });

  it("RUN-184 shares an account with users of a tenant, its further keys included, and takes them from it", async () => {
    const of = ["--tenant", "acme", "--principal", "ann"];
    const work = ["quay", "--account", "work"];
    await plasm(["auth", "set", ...work, ...of], SECRET);
    await plasm(["auth", "set", ...work, ...of, "--key", "application_key"], SECRET);
    const shared = await plasm(["auth", "share", ...work, ...of, "--with", "bob", "--with", "cat"]);
    expect([shared.code, shared.stdout]).toEqual([
      0,
      "quay account shared/work of tenant acme is shared with ann, bob, cat, and used by nobody else.\n",
    ]);
    const lines = async () =>
      [...(await plasm(["auth", "list"])).stdout.matchAll(/^(quay.*) · /gm)].map(
        ([, line]) => line,
      );
    const listed = (who: string) => [
      `quay account shared/work · tenant acme, shared by ann with ${who}`,
      `quay account shared/work application_key · tenant acme, shared by ann with ${who}`,
    ];
    expect(await lines()).toEqual(listed("ann, bob, cat"));
    const tenant = ["--tenant", "acme"];
    await plasm(["auth", "unshare", ...work, ...tenant, "--from", "cat"]);
    await plasm(["auth", "share", ...work, ...tenant, "--with", "dan"]);
    expect(await lines()).toEqual(listed("ann, bob, dan"));
    const set = await plasm(["auth", "set", "quay", "--account", "shared/home", ...tenant], SECRET);
    expect([set.code, set.stderr]).toEqual([1, expect.stringContaining("then share it")]);
    const gone = await plasm([
      "auth",
      "share",
      "quay",
      "--account",
      "home",
      ...tenant,
      "--with",
      "x",
    ]);
    expect([gone.code, gone.stderr]).toEqual([
      1,
      expect.stringContaining("No credential for quay account home"),
    ]);
    await plasm(["auth", "remove", "quay", "--account", "shared/work", ...tenant]);
    expect(await lines()).toEqual([]);
  });

  it("RUN-129 an account has further keys of its own, which go with it", async () => {
    const key = ["--key", "application_key"];
    for (const account of [[], ["--account", "home"], ["--account", "work"]])
      for (const part of [[], key])
        await plasm(["auth", "set", "quay", ...account, ...part], SECRET);
    const names = async () =>
      [...(await plasm(["auth", "list"])).stdout.matchAll(/^(quay.*?) · all callers/gm)].map(
        ([, name]) => name,
      );
    const work = ["quay account work", "quay account work application_key"];
    const own = ["quay", "quay application_key"];
    const all = [...own, "quay account home", "quay account home application_key", ...work];
    expect(new Set(await names())).toEqual(new Set(all));
    await plasm(["auth", "remove", "quay", "--account", "home"]);
    expect(new Set(await names())).toEqual(new Set([...own, ...work]));
    await plasm(["auth", "remove", "quay"]);
    expect(new Set(await names())).toEqual(new Set(work));
  });

  it.each<[string, readonly string[], string, string]>([
    ["a label that is none", ["quay", "--account", "My Account"], SECRET, "is no label"],
    [
      "an account of a hosted key",
      ["plasm:outbound:x", "--account", "a"],
      SECRET,
      "--account goes with",
    ],
    [
      "an account with an application",
      ["quay", "--account", "a", "--client-id", "app"],
      SECRET,
      "--account goes with",
    ],
    ["a key without a name", ["quay", "--key", "App Key"], SECRET, "is no name of a further key"],
    ["a key of a hosted key", ["plasm:outbound:x", "--key", "app"], SECRET, "--key goes with"],
    ["an empty secret", ["quay"], " \n", "No secret was given"],
    ["two lines", ["quay"], "a\nb", "What was given for quay is no secret: it has line breaks"],
    ["a foreign envelope", ["quay"], '{"version":1,"entry_id":"yard"}', "its entry_id is not of"],
    ["a path", ["../quay"], SECRET, "is neither the id of a catalog nor a key"],
    ["a secret as an argument", ["quay", SECRET], "", "too many arguments"],
    ["a user without a tenant", ["quay", "--principal", "ann"], SECRET, "give --tenant, too"],
    [
      "a client of a hosted key",
      ["plasm:outbound:x", "--client-id", "c"],
      SECRET,
      "--client-id goes",
    ],
  ])("refuses %s", async (_name, args, input, words) => {
    const { code, stderr } = await plasm(["auth", "set", ...args], input);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(await readdir(cwd)).toEqual([]);
  });

  it("RUN-126 encrypts everything anew; a missing key is told with what to do, and no secret", async () => {
    const keyFile = join(cwd, "secrets.key");
    const env = { PLASM_DATA: join(cwd, "data"), PLASM_SECRETS_KEY_FILE: keyFile };
    const auth = (...args: readonly string[]) =>
      runHere(["auth", ...args], { cwd, env, input: SECRET });
    await auth("set", "quay");
    const before = await readFile(keyFile, "utf8");
    const rotated = await auth("rotate-key");
    expect(rotated).toMatchObject({ code: 0, stderr: "" });
    expect(rotated.stdout).toContain("1 credential is encrypted anew");
    const after = await readFile(keyFile, "utf8");
    expect(after.endsWith(before) && after.length > before.length).toBe(true);
    expect((await auth("list")).code).toBe(0);
    await writeFile(keyFile, before);
    const lost = [await auth("list"), await auth("set", "yard"), await auth("rotate-key")];
    expect(lost.map(({ code }) => code)).toEqual([1, 0, 1]);
    expect(lost[0]?.stderr).toMatch(
      /is encrypted with key [0-9a-f]{12}, which is not in .*put that key back/,
    );
    for (const { stdout, stderr } of lost) expect(stdout + stderr).not.toContain(SECRET);
    expect((await auth("remove", "quay")).code).toBe(0);
    expect((await auth("list")).code).toBe(0);
  });

  it("RUN-125 keeps no key inside of the data directory", async () => {
    const env = { PLASM_DATA: join(cwd, "data"), PLASM_SECRETS_KEY_FILE: join(cwd, "data/k") };
    const set = await runHere(["auth", "set", "quay"], { cwd, env, input: SECRET });
    expect(set.code).toBe(1);
    expect(set.stderr).toContain("is inside of the data directory");
  });

  it("names stored credentials by their catalogs", () => {
    expect(nameOfKey("plasm:outbound:v1:catalog:quay")).toBe("quay");
    expect(nameOfKey("plasm:outbound:v1:catalog:quay:client_id")).toBe("quay client_id");
    expect(nameOfKey("plasm:outbound:shared")).toBe("plasm:outbound:shared");
  });
});

describe("a secret that is typed", () => {
  it.each([
    ["shows nowhere", `${SECRET}\r`, SECRET],
    ["is none after Ctrl-D", "\u0004", null],
    ["is none after Ctrl-C", "abc\u0003", null],
  ])("%s", async (_name, typed, expected) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const shown = text(output);
    const asked = askSecret("Secret for quay: ", { input, output });
    input.write(typed);
    expect(await asked).toBe(expected);
    output.end();
    expect((await shown).trim()).toBe("Secret for quay:");
  });
});

describe("plasm serve", () => {
  it("takes at most one of --record, --replay and --hybrid", async () => {
    const serve = (...args: readonly string[]) => runHere(["serve", ...args], { cwd });
    expect(await serve("--record", "a", "--replay", "b")).toMatchObject({ code: 2 });
    expect(await serve("--allow-effects")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--allow-effects goes with --hybrid"),
    });
    expect(await serve("--data", join(cwd, "data"), "--replay", join(cwd, "none"))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("plasm serve --record DIR makes a recording"),
    });
  });
});
