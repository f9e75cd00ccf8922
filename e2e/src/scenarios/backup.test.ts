import { mkdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { LOCAL, type Caller } from "@plasm/agent-core";
import { type Host, lineFault, openHost, openKeys } from "@plasm/host";
import { openCredentialFiles } from "@plasm/runtime";
import { fixtureCatalogDir } from "@plasm/testkit";
import { createDatabase } from "@plasm/testkit/postgres";
import { describe, expect, inject, test } from "vitest";
import { startBoatEffects } from "../harness/boat-effects.ts";
import { plasmCommand } from "../harness/plasm-command.ts";
import { runProcess } from "../harness/run-process.ts";
import { useStarted } from "../servers/endings.ts";

const LONG = 180_000;
const TOKEN = "a-token-that-nobody-may-read";
const ME: Caller = { ...LOCAL, requestId: "req-backup" };
const seeds = [{ api: "quay", entity: "Boat" }];
const S0 = { kind: "ref", ref: "s0" } as const;
const ALL = {
  since: null,
  until: null,
  kind: null,
  subject: null,
  entryId: null,
  after: null,
  limit: 1_000,
  order: "asc",
} as const;

const world = useStarted(async ({ add, directory }) => {
  const api = await startBoatEffects();
  add(() => api.close());
  const files = await directory("plasm-backup");
  const config = { XDG_CONFIG_HOME: join(files, "config") };
  const database = async () => {
    const made = await createDatabase(inject("postgresUrl"));
    add(() => made.drop());
    return { PLASM_DATABASE_URL: made.url };
  };
  const open = async (dataDir: string, more: Readonly<Record<string, string>>): Promise<Host> => {
    const host = await openHost({
      dataDir,
      catalogs: [fixtureCatalogDir("quay")],
      env: { PLASM_BACKEND_QUAY: api.url, ...config, ...more },
    });
    add(() => host.close());
    return host;
  };
  const plasm = (args: readonly string[], more: Readonly<Record<string, string>>) =>
    runProcess(plasmCommand(args, { ...config, ...more }), files);
  let made = 0;
  const fresh = async (): Promise<string> => {
    const path = join(files, `data-${(made += 1)}`);
    await mkdir(path);
    return path;
  };
  return { files, config, database, open, plasm, fresh };
});

const planOf = async ({ engine }: Host, program: string) =>
  (await engine.plan(ME, S0, program)).meta["plan_commit_ref"];

const linesOf = async ({ operators }: Host) => (await operators.audit.page(LOCAL.scope, ALL)).lines;

/** A store with a session, a ref, an audit log, a key, and a credential beside it. */
async function lived(dataDir: string, more: Readonly<Record<string, string>>) {
  const { config, open } = world();
  const opened = await openKeys(dataDir, { ...config, ...more });
  const { key } = await opened.keys.add({ tenant: LOCAL.scope, subject: "olga", role: "operator" });
  await opened.close();
  const owner = { key: "quay", tenant: null, principal: null };
  const credentials = openCredentialFiles(dataDir, Date.now, config);
  await credentials.set(owner, TOKEN, "set", "test");
  const host = await open(dataDir, more);
  await host.engine.context(ME, { intent: "boats", seeds });
  await host.engine.run(ME, S0, { program: 'Boat("b1").ping()', force: true });
  // Some readers of lines end one at these signs.
  const program = 'a = Boat.limit(1)\na => {text: "one\u2028two\u2029three"}';
  await host.engine.run(ME, S0, { program });
  return { host, key, ref: await planOf(host, "Boat.limit(3)") };
}

/** Calls without an end, until it is told to stop; how many there were. */
function load({ engine }: Host) {
  let isOver = false;
  const running = (async () => {
    let calls = 0;
    for (; !isOver; calls += 1) await engine.context(ME, { intent: `load ${calls}`, seeds });
    return calls;
  })();
  return async () => {
    isOver = true;
    return running;
  };
}

type Kind = "sqlite" | "postgres";
const placeOf = async (kind: Kind) => (kind === "sqlite" ? {} : await world().database());

describe.each<[Kind, Kind]>([
  ["sqlite", "sqlite"],
  ["postgres", "postgres"],
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
])("a backup of %s restored into %s", (from, to) => {
  test(
    "OPS-54 OPS-55 made under load: sessions, refs, keys and the audit chain go on; no secret is in the clear",
    async () => {
      const { files, open, plasm, fresh, config } = world();
      const [dataDir, source] = [await fresh(), await placeOf(from)];
      const { host, key, ref } = await lived(dataDir, source);
      const before = await linesOf(host);
      const stop = load(host);
      const file = join(files, `${from}-${to}.backup`);
      const saved = await plasm(["backup", file, "--data", dataDir], source);
      expect(await stop()).toBeGreaterThan(0);
      expect(saved.code, saved.stderr).toBe(0);
      expect(saved.stdout).toMatch(/\d+ rows, 1 credential, as of one moment/);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const content = gunzipSync(await readFile(file)).toString("utf8");
      for (const secret of [TOKEN, key, Buffer.from(TOKEN).toString("base64")]) {
        expect(content.includes(secret)).toBe(false);
      }
      await planOf(host, "Boat.limit(4)");

      const [elsewhere, target] = [await fresh(), await placeOf(to)];
      const restored = await plasm(["restore", file, "--data", elsewhere], target);
      expect(restored.code, restored.stderr).toBe(0);
      const again = await open(elsewhere, target);
      expect(await planOf(again, "Boat.limit(3)")).toBe(ref);
      expect((await again.engine.describe(ME, S0)).prompt).toBe(
        (await host.engine.describe(ME, S0)).prompt,
      );
      const lines = await linesOf(again);
      expect(lines.slice(0, before.length)).toEqual(before);
      await again.engine.run(ME, S0, { program: 'Boat("b2").ping()', force: true });
      const chain = await linesOf(again);
      expect(chain.length).toBeGreaterThan(lines.length);
      chain.forEach((line, at) => {
        expect(lineFault(line, at === 0 ? null : (chain[at - 1] ?? null))).toBeNull();
      });
      const keys = await openKeys(elsewhere, { ...config, ...target });
      expect((await keys.keys.list()).map(({ subject }) => subject)).toEqual(["olga"]);
      await keys.close();
      // With the key of the first machine the credential is what it was.
      const owner = { key: "quay", tenant: null, principal: null };
      expect(openCredentialFiles(elsewhere, Date.now, config).read(owner)).toBe(TOKEN);

      const second = await plasm(["restore", file, "--data", elsewhere], target);
      expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("is not empty") });
      await Promise.all([host.close(), again.close()]);
      const third = await plasm(["restore", file, "--data", elsewhere, "--replace"], target);
      expect(third.code, third.stderr).toBe(0);
      const last = await open(elsewhere, target);
      expect(await linesOf(last)).toEqual(lines);
      await last.close();
    },
    LONG,
  );
});

test(
  "OPS-55 a backup that was cut off or changed restores nothing, and none is written over",
  async () => {
    const { files, open, plasm, fresh } = world();
    const dataDir = await fresh();
    const { host } = await lived(dataDir, {});
    await host.close();
    const file = join(files, "whole.backup");
    expect((await plasm(["backup", file, "--data", dataDir], {})).code).toBe(0);
    const twice = await plasm(["backup", file, "--data", dataDir], {});
    expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining("EEXIST") });
    const bytes = await readFile(file);
    const cut = join(files, "cut.backup");
    await writeFile(cut, bytes);
    await truncate(cut, Math.floor(bytes.length / 2));
    const text = join(files, "text.backup");
    await writeFile(text, "a text");
    const elsewhere = await fresh();
    for (const one of [cut, text]) {
      const refused = await plasm(["restore", one, "--data", elsewhere], {});
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("nothing was changed");
    }
    const untouched = await open(elsewhere, {});
    expect(await linesOf(untouched)).toEqual([]);
    await untouched.close();
  },
  LONG,
);
