import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Received, Reply } from "@plasm/testkit/servers";
import { quickClock } from "../../testing/fixture-run.ts";
import { type GuardedDepot, withDepot } from "../../testing/guarded-depot.ts";
import { type CredentialFiles, openCredentialFiles } from "./credential-files.ts";
import { withFileLock } from "./file-lock.ts";
import { fileSecrets } from "./secret-provider.ts";
import { createTokenCache } from "./token-credential.ts";

const KEY = "plasm:outbound:v1:depot-envelope";
const TOP = `auth: { scheme: oauth_bearer, hosted_kv: "${KEY}" }
oauth: { provider: depot-id }`;
const START = Date.UTC(2026, 0, 5, 12);
const owner = { key: KEY, tenant: null, principal: null };

let dataDir: string;
let files: CredentialFiles;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plasm-refresh-"));
  files = openCredentialFiles(dataDir, () => START, {});
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const envelope = (expiresIn: number): string =>
  JSON.stringify({
    version: 1,
    entry_id: "depot",
    access_token: "access-0",
    refresh_token: "refresh-0",
    expires_at_unix: START / 1000 + expiresIn,
  });

/** A server that has ended the first access token, and whose refresh tokens work once. */
function rotating() {
  let number = 0;
  return {
    token: (form: URLSearchParams): Reply => {
      if (form.get("refresh_token") !== `refresh-${number}`) {
        return { status: 400, json: { error: "invalid_grant" } };
      }
      number++;
      const [access_token, refresh_token] = [`access-${number}`, `refresh-${number}`];
      return { json: { access_token, refresh_token, expires_in: 900 }, delay: 30 };
    },
    api: ({ headers }: Received): Reply =>
      number > 0 && headers.authorization === `Bearer access-${number}`
        ? { json: { items: [{ id: "c1" }] } }
        : { status: 401, json: {} },
  };
}

/** A process of its own, as far as the data directory tells: own files, own tokens in memory. */
function listing(place: GuardedDepot) {
  const secrets = fileSecrets(
    {
      PLASM_OAUTH_DEPOT_ID_TOKEN_URL: `${place.server.url}/oauth/token`,
      PLASM_OAUTH_DEPOT_ID_CLIENT_ID: "plasm",
    },
    openCredentialFiles(dataDir, () => START, {}),
  );
  const setting = { secrets, clock: quickClock(START), tokens: createTokenCache() };
  return async () => (await place.list(TOP, setting)).status;
}

const stored = (): unknown => JSON.parse(files.find(KEY, { tenant: "t" }) ?? "null");

describe("RUN-123: one refresh at a time, whatever process needs it", () => {
  test.each([
    ["that has ended", 0],
    ["that an API refuses", 3_600],
  ])("of a token %s: its refresh token is spent once, and the new one is kept", (_name, expires) =>
    withDepot(rotating(), async (place) => {
      await files.set(owner, envelope(expires), "set", "ann");
      const lists = [1, 2, 3, 4].map(() => listing(place));
      const outcomes = await Promise.all(lists.map((list) => list()));
      expect(outcomes).toEqual(Array.from(lists, () => "succeeded"));
      expect(place.tokens()).toHaveLength(1);
      expect(stored()).toMatchObject({ access_token: "access-1", refresh_token: "refresh-1" });
    }),
  );

  test("one that waits too long for another's refresh says so, and spends nothing", () =>
    withDepot(rotating(), async (place) => {
      await files.set(owner, envelope(0), "set", "ann");
      const secrets = { ...fileSecrets({}, files), exclusively: () => Promise.resolve(null) };
      const env = (name: string) =>
        name.endsWith("TOKEN_URL") ? `${place.server.url}/oauth/token` : "plasm";
      const outcome = await place.list(TOP, {
        secrets: { ...secrets, env },
        clock: quickClock(START),
      });
      expect(outcome.nodes[0]?.error).toMatchObject({ code: "timeout", retryable: true });
      expect(outcome.nodes[0]?.error?.message).toContain("Another process");
      expect(place.server.log).toEqual([]);
    }));
});

describe("RUN-127: a revocation", () => {
  test("takes turns with refreshes, and ends what is stored meanwhile as well", async () => {
    // Each is of a sign-in of its own, as what is stored has it.
    const signedIn = (seconds: number): string =>
      JSON.stringify({ ...(JSON.parse(envelope(seconds)) as object), sign_in: `at ${seconds}` });
    await files.set(owner, signedIn(0), "set", "ann");
    const ended: string[] = [];
    const order: string[] = [];
    const revoking = files.revoke(owner, "op", async (value) => {
      ended.push(value);
      order.push("ended");
      // A person signs in while the server is told.
      if (ended.length === 1) await files.set(owner, signedIn(900), "set", "bob");
      await new Promise((done) => setTimeout(done, 50));
      return ended.length;
    });
    while (order.length === 0) await new Promise((done) => setTimeout(done, 1));
    const refreshing = files.exclusively(KEY, { tenant: "t" }, async () => {
      order.push("refreshed");
      return files.find(KEY, { tenant: "t" }) ?? "gone";
    });
    expect(await revoking).toBe(2);
    expect(ended).toEqual([signedIn(0), signedIn(900)]);
    expect(await refreshing).toBe("gone");
    expect(order).toEqual(["ended", "ended", "refreshed"]);
    expect(files.list()).toEqual([]);
    expect(await files.revoke(owner, "op", () => Promise.reject(new Error("none")))).toBeNull();
  });

  test("that fails removes nothing", async () => {
    await files.set(owner, envelope(0), "set", "ann");
    await expect(
      files.revoke(owner, "op", () => Promise.reject(new Error("no answer"))),
    ).rejects.toThrow("no answer");
    expect(files.list()).toHaveLength(1);
  });
});

describe("a lock on a file", () => {
  test("is held by one at a time; others wait, or give up in time", async () => {
    const path = join(dataDir, "one.lock");
    const order: string[] = [];
    const hold = (name: string, ms: number) =>
      withFileLock(path, 5_000, async () => {
        order.push(`${name} in`);
        await new Promise((done) => setTimeout(done, ms));
        order.push(`${name} out`);
        return name;
      });
    const first = hold("a", 80);
    while (order.length === 0) await new Promise((done) => setTimeout(done, 1));
    const late = withFileLock(path, 10, () => Promise.resolve("never"));
    const second = hold("b", 0);
    expect(await Promise.all([first, late, second])).toEqual(["a", null, "b"]);
    expect(order).toEqual(["a in", "a out", "b in", "b out"]);
  });

  test("ends with the work that fails, and with the process that is killed", async () => {
    const path = join(dataDir, "one.lock");
    const failing = withFileLock(path, 100, () => Promise.reject(new Error("torn")));
    await expect(failing).rejects.toThrow("torn");
    const module = new URL("./file-lock.ts", import.meta.url).href;
    const code = `const { withFileLock } = await import(${JSON.stringify(module)});
      await withFileLock(${JSON.stringify(path)}, 1000, async () => { console.log("held"); await new Promise((r) => setTimeout(r, 60000)); });`;
    const args = ["--input-type=module", "--eval", code];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    expect(await withFileLock(path, 0, () => Promise.resolve("mine"))).toBeNull();
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    expect(await withFileLock(path, 0, () => Promise.resolve("mine"))).toBe("mine");
  });

  test("is its owner's alone on disk", async () => {
    const path = join(dataDir, "locks", "one.lock");
    await withFileLock(path, 0, () => Promise.resolve());
    expect((await stat(path)).mode & 0o077).toBe(0);
  });
});
