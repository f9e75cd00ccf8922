import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { depot } from "../../testing/depot-catalog.ts";
import {
  credentialDirectory,
  type CredentialFiles,
  openCredentialFiles,
} from "./credential-files.ts";
import { fileSecrets } from "./secret-provider.ts";
import { defaultHostedKey } from "./credential-help.ts";
import { credentialIsPresent } from "./secret-sources.ts";

const NOW = Date.UTC(2026, 0, 5, 12);
const SECRET = "st0red-secret";
const KEY = "plasm:outbound:v1:catalog:depot";
const everyone = { key: KEY, tenant: null, principal: null };

let dataDir: string;
let files: CredentialFiles;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plasm-credentials-"));
  files = openCredentialFiles(dataDir, () => NOW, {});
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const inDirectory = (): Promise<string[]> => readdir(credentialDirectory(dataDir));

describe("stored credentials", () => {
  test("are found by another process at once, and gone when removed", async () => {
    const other = openCredentialFiles(dataDir, () => NOW, {});
    expect(other.find(KEY, { tenant: "t" })).toBeUndefined();
    await files.set(everyone, SECRET, "set", "ann");
    expect(other.find(KEY, { tenant: "t" })).toBe(SECRET);
    expect(other.list()).toEqual([{ ...everyone, changedAt: NOW }]);
    expect(await files.remove(everyone, "ann")).toBe(true);
    expect(await files.remove(everyone, "ann")).toBe(false);
    expect(other.find(KEY, { tenant: "t" })).toBeUndefined();
  });

  test("two envelopes that were pasted have an id each, and one of a sign-in keeps its own (RUN-129)", async () => {
    const envelope = { version: 1, entry_id: "quay", access_token: "at-1" };
    const stored = async (value: string): Promise<Readonly<Record<string, unknown>>> => {
      await files.set(everyone, value, "set", "ann");
      return JSON.parse(files.find(KEY, { tenant: "acme" }) ?? "") as Record<string, unknown>;
    };
    const [one, two] = [
      await stored(JSON.stringify(envelope)),
      await stored(JSON.stringify(envelope)),
    ];
    expect(one).toEqual({ ...envelope, sign_in: expect.any(String) });
    expect(two["sign_in"]).not.toBe(one["sign_in"]);
    expect((await stored(JSON.stringify(one)))["sign_in"]).toBe(one["sign_in"]);
    await files.set(everyone, "{not json", "set", "ann");
    expect(files.find(KEY, { tenant: "acme" })).toBe("{not json");
  });

  test("are their owner's alone on disk", async () => {
    await files.set(everyone, SECRET, "set", "ann");
    const names = await inDirectory();
    expect(names.toSorted()).toEqual([
      expect.stringMatching(/^[0-9a-f]{40}\.json$/),
      "audit.jsonl",
      "locks",
    ]);
    for (const name of [".", ...names]) {
      const { mode } = await stat(join(credentialDirectory(dataDir), name));
      expect(mode & 0o077, name).toBe(0);
    }
  });

  test("the audit says who changed which and when, and no value", async () => {
    await files.set(everyone, SECRET, "set", "ann");
    await files.remove(everyone, "bob");
    const text = await readFile(join(credentialDirectory(dataDir), "audit.jsonl"), "utf8");
    const at = "2026-01-05T12:00:00.000Z";
    expect(
      text
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line)),
    ).toEqual([
      { at, change: "set", ...everyone, by: "ann" },
      { at, change: "removed", ...everyone, by: "bob" },
    ]);
  });

  test("a tenant's own comes before the deployment's, and a principal has its own alone (RUN-120)", async () => {
    await files.set(everyone, "of-all", "set", "ann");
    await files.set({ ...everyone, tenant: "t" }, "of-t", "set", "ann");
    await files.set({ key: KEY, tenant: "t", principal: "eve" }, "of-eve", "set", "ann");
    expect(files.find(KEY, { tenant: "t" })).toBe("of-t");
    expect(files.find(KEY, { tenant: "u" })).toBe("of-all");
    expect(files.find(KEY, { tenant: "t", principal: "eve" })).toBe("of-eve");
    expect(files.find(KEY, { tenant: "t", principal: "bob" })).toBeUndefined();
    expect(files.find(KEY, { tenant: "u", principal: "eve" })).toBeUndefined();
  });

  test("keys are data: none leads out of the directory", async () => {
    const owner = { ...everyone, key: "plasm:outbound:../../../evil" };
    await files.set(owner, SECRET, "set", "ann");
    expect(files.find(owner.key, { tenant: "t" })).toBe(SECRET);
    expect(await readdir(dataDir)).toEqual(["credentials"]);
    expect(await inDirectory()).toHaveLength(3);
  });

  test("a damaged file is an error that shows nothing of it", async () => {
    await files.set(everyone, SECRET, "set", "ann");
    const name = (await inDirectory()).find((one) => one.endsWith(".json")) ?? "";
    await writeFile(join(credentialDirectory(dataDir), name), `{"value":"${SECRET}`);
    expect(() => files.find(KEY, { tenant: "t" })).toThrow("is damaged; plasm auth set");
    expect(() => files.find(KEY, { tenant: "t" })).not.toThrow(SECRET);
  });

  test("a damaged file keeps no other credential from being refreshed (RUN-123)", async () => {
    await files.set({ ...everyone, tenant: "other" }, SECRET, "set", "ann");
    const name = (await inDirectory()).find((one) => one.endsWith(".json")) ?? "";
    await writeFile(join(credentialDirectory(dataDir), name), "{");
    await files.set({ ...everyone, tenant: "t" }, "first", "set", "ann");
    await fileSecrets({}, files).keepHosted?.(KEY, { tenant: "t" }, "first", "second");
    expect(files.find(KEY, { tenant: "t" })).toBe("second");
  });

  test("a refreshed envelope stays with its owner, unless another was set meanwhile (RUN-123)", async () => {
    const secrets = fileSecrets({}, files);
    await files.set({ ...everyone, tenant: "t" }, "first", "set", "ann");
    await secrets.keepHosted?.(KEY, { tenant: "t" }, "first", "second");
    await secrets.keepHosted?.(KEY, { tenant: "t" }, "first", "late");
    expect(files.find(KEY, { tenant: "t" })).toBe("second");
    expect(files.find(KEY, { tenant: "u" })).toBeUndefined();
  });

  test("what is set while a refresh is being kept stands, whoever comes first", async () => {
    const secrets = fileSecrets(
      {},
      openCredentialFiles(dataDir, () => NOW, {}),
    );
    for (let n = 0; n < 5; n++) {
      await files.set(everyone, "first", "set", "ann");
      await Promise.all([
        secrets.keepHosted?.(KEY, { tenant: "t" }, "first", "refreshed"),
        files.set(everyone, "by-hand", "set", "ann"),
      ]);
      expect(files.find(KEY, { tenant: "t" })).toBe("by-hand");
    }
  });
});

describe("RUN-183: whether a credential is present", () => {
  const client = `auth: { scheme: oauth2_client_credentials, token_url: "https://id.example/t", client_id_env: A, client_secret_env: B }`;
  const envelope = (entry: string) =>
    JSON.stringify({ version: 1, entry_id: entry, access_token: "a" });
  const ended = (more = {}) =>
    JSON.stringify({ ...JSON.parse(envelope("depot")), expires_at_unix: 1_000, ...more });
  const bearer = "auth: { scheme: bearer_token, env: A }";
  const own = defaultHostedKey("depot");
  test.each<[string, string, Record<string, string>, Record<string, string>, boolean]>([
    ["none is needed", "auth: { scheme: none }", {}, {}, true],
    ["it is optional", "auth: { scheme: bearer_token, env: A, optional_env: true }", {}, {}, true],
    ["no source has one", bearer, {}, {}, false],
    ["the environment has one", bearer, { A: "x" }, {}, true],
    ["a blank one is none", bearer, { A: " " }, {}, false],
    ["plasm auth has one", bearer, {}, { [own]: "x" }, true],
    ["an envelope of another catalog", bearer, {}, { [own]: envelope("yard") }, false],
    ["an envelope of this one", bearer, {}, { [own]: envelope("depot") }, true],
    ["one that has ended", bearer, {}, { [own]: ended() }, false],
    ["one that is refreshed", bearer, {}, { [own]: ended({ refresh_token: "r" }) }, true],
    ["half of a client", client, { A: "x" }, {}, false],
    ["a client of two sources", client, { A: "x" }, { [`${own}:client_secret`]: "y" }, true],
  ])("%s", (_name, top, env, hosted, expected) => {
    const catalog = depot({ backend: "http://127.0.0.1:1", top, list: "response: {}" });
    const secrets = {
      env: (name: string) => env[name],
      hosted: (key: string) => hosted[key],
      now: () => 2_000_000,
    };
    expect(credentialIsPresent(catalog, { tenant: "t" }, secrets)).toBe(expected);
  });
});
