import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withDepot } from "../../testing/guarded-depot.ts";
import { quickClock } from "../../testing/fixture-run.ts";
import { credentialDirectory, openCredentialFiles } from "./credential-files.ts";
import { StoredSecretError } from "./secret-keys.ts";
import { fileSecrets } from "./secret-provider.ts";

const NOW = Date.UTC(2026, 0, 5, 12);
const SECRET = "st0red-secret-of-depot";
const KEY = "plasm:outbound:v1:catalog:depot";
const owner = { key: KEY, tenant: null, principal: null };
const scope = { tenant: "t" };
const BYTES = { one: Buffer.alloc(32, 1), two: Buffer.alloc(32, 2) };
const hex = (key: keyof typeof BYTES): string => BYTES[key].toString("hex");
const base64 = (key: keyof typeof BYTES): string => BYTES[key].toString("base64");

type Environment = Readonly<Record<string, string>>;

let top: string;
let dataDir: string;
let keyFile: string;
let inFile: Environment;

beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), "plasm-keys-"));
  dataDir = join(top, "data");
  keyFile = join(top, "configuration", "secrets.key");
  inFile = { PLASM_SECRETS_KEY_FILE: keyFile };
});
afterEach(() => rm(top, { recursive: true, force: true }));

/** As another process opens them. */
const files = (env: Environment = inFile) => openCredentialFiles(dataDir, () => NOW, env);

const recordPath = async (): Promise<string> => {
  const names = await readdir(credentialDirectory(dataDir));
  return join(
    credentialDirectory(dataDir),
    names.find((name) => /^[0-9a-f]+\.json$/.test(name)) ?? "",
  );
};

/** Every byte under a directory, with what base64 and hex hide. */
async function holds(directory: string, secret: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const written = [
    secret,
    Buffer.from(secret).toString("hex"),
    Buffer.from(secret).toString("base64url"),
  ];
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const text = await readFile(join(entry.parentPath, entry.name), "latin1");
    if (written.some((way) => text.includes(way))) found.push(entry.name);
  }
  return found;
}

/** The record as it was written before secrets were encrypted. */
async function writePlain(secret: string): Promise<string> {
  await files().set(owner, secret, "set", "ann");
  const path = await recordPath();
  const record = { version: 1, ...owner, changedAt: NOW, value: secret };
  await writeFile(path, `${JSON.stringify(record)}\n`);
  return path;
}

describe("RUN-125: stored secrets are encrypted with a key that is kept elsewhere", () => {
  test("neither the data directory nor a copy of it holds the secret or the key", async () => {
    await files().set(owner, SECRET, "set", "ann");
    expect(files().find(KEY, scope)).toBe(SECRET);
    const copy = join(top, "backup");
    await cp(dataDir, copy, { recursive: true });
    const key = (await readFile(keyFile, "utf8")).trim();
    const searched = [dataDir, copy].flatMap((directory) =>
      [SECRET, key].map((secret) => holds(directory, secret)),
    );
    expect((await Promise.all(searched)).flat()).toEqual([]);
    expect((await stat(keyFile)).mode & 0o077).toBe(0);
    // The copy alone is of no use.
    const elsewhere = { PLASM_SECRETS_KEY_FILE: join(top, "other", "secrets.key") };
    const stolen = openCredentialFiles(copy, () => NOW, elsewhere);
    expect(() => stolen.find(KEY, scope)).toThrow(
      /encrypted with key [0-9a-f]{12}, which is not in/,
    );
  });

  test("a changed byte is told, or changes nothing", async () => {
    await files().set(owner, SECRET, "set", "ann");
    const path = await recordPath();
    const whole = await readFile(path);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const changed = Buffer.from(whole);
          changed[at] = (changed[at] ?? 0) ^ by;
          await writeFile(path, changed);
          const asked = Promise.resolve().then(() => files().find(KEY, scope));
          const [read] = await Promise.allSettled([asked]);
          // Only space around the record may differ.
          const same = changed.toString("utf8").trim() === whole.toString("utf8").trim();
          const told = read.status === "rejected" && read.reason instanceof StoredSecretError;
          expect(told || (same && read.status === "fulfilled" && read.value === SECRET)).toBe(true);
          expect(told && String(read.reason).includes(SECRET)).toBe(false);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  test("one secret cannot be put in the place of another", async () => {
    const ann = { key: KEY, tenant: "t", principal: "ann" };
    await files().set(ann, SECRET, "set", "op");
    const stolen = await readFile(await recordPath(), "utf8");
    await files().remove(ann, "op");
    await files().set({ ...ann, principal: "eve" }, "of-eve", "set", "op");
    const path = await recordPath();
    for (const text of [stolen, stolen.replace('"ann"', '"eve"')]) {
      await writeFile(path, text);
      expect(() => files().find(KEY, { tenant: "t", principal: "eve" })).toThrow(StoredSecretError);
    }
  });

  test("a file of before is read, and encrypted when it is next written", async () => {
    const path = await writePlain("first");
    await fileSecrets({}, files()).keepHosted?.(KEY, scope, "first", SECRET);
    expect(files().find(KEY, scope)).toBe(SECRET);
    expect(await readFile(path, "utf8")).toMatch(/"version":2.*"encrypted":"plasm1\./);
  });

  test.each<[string, () => Environment]>([
    ["a variable, as base64", () => ({ PLASM_SECRETS_KEY: base64("one") })],
    ["a variable, as hex", () => ({ PLASM_SECRETS_KEY: hex("one") })],
    ["a command", () => ({ PLASM_SECRETS_KEY_COMMAND: `echo ${base64("one")}` })],
  ])("the key may be given by %s", async (_name, env) => {
    await files(env()).set(owner, SECRET, "set", "ann");
    expect(files({ PLASM_SECRETS_KEY: `${hex("two")},${hex("one")}` }).find(KEY, scope)).toBe(
      SECRET,
    );
    expect(await readdir(top)).toEqual(["data"]);
  });

  test.each<[string, () => Environment | Promise<Environment>, RegExp]>([
    ["another key", () => ({ PLASM_SECRETS_KEY: hex("two") }), /which is not in PLASM_SECRETS_KEY/],
    ["no key", () => ({ PLASM_SECRETS_KEY: "# none" }), /PLASM_SECRETS_KEY holds no key/],
    ["a short key", () => ({ PLASM_SECRETS_KEY: "c2hvcnQ=" }), /must hold keys of 32 bytes/],
    [
      "a failing command",
      () => ({ PLASM_SECRETS_KEY_COMMAND: "exit 3" }),
      /gave no key \(it ended with 3\)/,
    ],
    ["a file that is not there", () => inFile, /which is not in .*secrets\.key/],
    [
      "a file that others can read",
      async () => {
        await mkdir(join(top, "configuration"));
        await writeFile(keyFile, base64("one"));
        await chmod(keyFile, 0o644);
        return inFile;
      },
      /Others can read the key file/,
    ],
    [
      "a file beside the secrets",
      () => ({ PLASM_SECRETS_KEY_FILE: join(dataDir, "credentials", "k") }),
      /inside of the data directory/,
    ],
  ])("%s is told: nothing is read, kept or made", async (_name, broken, words) => {
    await files({ PLASM_SECRETS_KEY: hex("one") }).set(owner, SECRET, "set", "ann");
    const env = await broken();
    const before = await readdir(top);
    expect(() => files(env).find(KEY, scope)).toThrow(words);
    expect(files(env).fault()).toMatchObject({ message: expect.stringMatching(words) });
    const [kept] = await Promise.allSettled([files(env).set(owner, "other", "set", "ann")]);
    // With a key of its own something new may be kept, for whoever has that.
    expect(kept.status).toBe(words.source.includes("in PLASM") ? "fulfilled" : "rejected");
    const first = files({ PLASM_SECRETS_KEY: `${hex("one")} ${hex("two")}` }).find(KEY, scope);
    expect(first).toBe(kept.status === "fulfilled" ? "other" : SECRET);
    expect(await readdir(top)).toEqual(before);
  });

  test("a run says so in words for its caller, and never uses another credential instead", () =>
    withDepot({ api: () => ({ json: { items: [] } }) }, async (place) => {
      await files({ PLASM_SECRETS_KEY: hex("one") }).set(owner, SECRET, "set", "ann");
      const secrets = fileSecrets(
        { DEPOT_TOKEN: "of-all" },
        files({ PLASM_SECRETS_KEY: hex("two") }),
      );
      const top = "auth: { scheme: bearer_token, env: DEPOT_TOKEN }";
      const outcome = await place.list(top, { secrets });
      expect(outcome.nodes[0]?.error).toMatchObject({
        code: "auth_missing",
        message:
          "The stored credential of depot cannot be used: the key that it is encrypted with is missing.",
        correction: expect.stringContaining("plasm auth list"),
      });
      expect(place.server.log).toEqual([]);
    }));

  test("a refresh token is not spent where what comes for it could not be kept", () =>
    withDepot(
      { token: () => ({ json: { access_token: "a-2", refresh_token: "r-2" } }) },
      async (place) => {
        const key = "plasm:outbound:v1:depot-envelope";
        const envelope = {
          version: 1,
          entry_id: "depot",
          access_token: "a-1",
          refresh_token: "r-1",
          expires_at_unix: 1,
        };
        await writePlain(JSON.stringify(envelope));
        await files().set({ ...owner, key }, JSON.stringify(envelope), "set", "ann");
        const path = join(top, "configuration");
        const env = {
          PLASM_OAUTH_DEPOT_ID_TOKEN_URL: `${place.server.url}/oauth/token`,
          PLASM_OAUTH_DEPOT_ID_CLIENT_ID: "plasm",
        };
        const held = files();
        expect(held.find(key, scope)).toContain("r-1");
        await rm(path, { recursive: true });
        const top_ = `auth: { scheme: oauth_bearer, hosted_kv: "${key}" }\noauth: { provider: depot-id }`;
        const outcome = await place.list(top_, {
          secrets: fileSecrets(env, held),
          clock: quickClock(NOW),
        });
        expect(outcome.nodes[0]?.error).toMatchObject({ code: "auth_missing" });
        expect(place.tokens()).toEqual([]);
      },
    ));
});

describe("RUN-126: a new key for what is stored", () => {
  test("everything is encrypted with it, files of before too; a server that runs reads on", async () => {
    await writePlain("first");
    const running = files();
    await running.set({ ...owner, tenant: "t" }, SECRET, "set", "ann");
    const rotation = await files().rotateKey("op");
    expect(rotation).toMatchObject({ made: true, count: 2, place: keyFile });
    expect(running.find(KEY, scope)).toBe(SECRET);
    expect(running.find(KEY, { tenant: "u" })).toBe("first");
    const [newest = "", ...earlier] = (await readFile(keyFile, "utf8")).trim().split("\n");
    expect(earlier).toHaveLength(1);
    await writeFile(keyFile, newest);
    expect(files().find(KEY, scope)).toBe(SECRET);
    expect(files().fault()).toBeNull();
  });

  test("RUN-123 one that takes long lets a refresh keep its token meanwhile", async () => {
    const other = { ...owner, key: "plasm:outbound:v1:catalog:other" };
    await files().set(owner, "before", "set", "ann");
    for (let n = 0; n < 60; n++) await files().set({ ...other, tenant: `t${n}` }, "x", "set", "op");
    // Each record takes long: the audit asks for the time.
    const sleep = new Int32Array(new SharedArrayBuffer(4));
    const slow = openCredentialFiles(
      dataDir,
      () => {
        Atomics.wait(sleep, 0, 0, 30);
        return NOW;
      },
      inFile,
    );
    let isOver = false;
    const rotation = slow.rotateKey("op").finally(() => (isOver = true));
    while (!(await readFile(keyFile, "utf8")).trim().includes("\n"))
      await new Promise((done) => setTimeout(done, 1));
    await files().refresh(KEY, scope, "before", SECRET);
    expect(isOver).toBe(false);
    await rotation;
    const [newest = ""] = (await readFile(keyFile, "utf8")).split("\n");
    await writeFile(keyFile, newest);
    expect(files().find(KEY, scope)).toBe(SECRET);
    expect(files().fault()).toBeNull();
  });

  test("two at once end with all under the newest key", async () => {
    for (let n = 0; n < 20; n++)
      await files().set({ ...owner, tenant: `t${n}` }, SECRET, "set", "ann");
    const both = await Promise.all([files().rotateKey("op"), files().rotateKey("op")]);
    expect(both.map(({ count }) => count)).toEqual([20, 20]);
    const [newest = "", ...earlier] = (await readFile(keyFile, "utf8")).trim().split("\n");
    expect(earlier).toHaveLength(2);
    await writeFile(keyFile, newest);
    expect(files().fault()).toBeNull();
  });

  test("what a variable gives is a person's to change", async () => {
    await files({ PLASM_SECRETS_KEY: hex("one") }).set(owner, SECRET, "set", "ann");
    const both = { PLASM_SECRETS_KEY: `${hex("two")} ${hex("one")}` };
    expect(await files(both).rotateKey("op")).toMatchObject({ made: false, count: 1 });
    expect(await files(both).rotateKey("op")).toMatchObject({ made: false, count: 0 });
    expect(files({ PLASM_SECRETS_KEY: hex("two") }).find(KEY, scope)).toBe(SECRET);
  });

  test("one that cannot be read keeps all as they are", async () => {
    await files().set(owner, SECRET, "set", "ann");
    await writeFile(join(credentialDirectory(dataDir), `${"0".repeat(40)}.json`), "{");
    const before = await readFile(keyFile, "utf8");
    await expect(files().rotateKey("op")).rejects.toThrow(StoredSecretError);
    expect(await readFile(keyFile, "utf8")).toBe(before);
    expect(files().find(KEY, scope)).toBe(SECRET);
  });
});
