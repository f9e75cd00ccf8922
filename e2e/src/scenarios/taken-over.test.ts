import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fixtureCatalogDir } from "@plasm/testkit";
import { createDatabase } from "@plasm/testkit/postgres";
import { afterEach, describe, expect, inject, test } from "vitest";
import { boatSession, endOf, post, startBoatEffects } from "../harness/boat-effects.ts";
import { plasmCommand } from "../harness/plasm-command.ts";
import { startPlasmServer, type PlasmServer } from "../harness/plasm-server.ts";
import { runProcess, type Ended } from "../harness/run-process.ts";
import { useStarted } from "../servers/endings.ts";

/** What is promised: another replica goes on within so long, a restart on the same directory at once (18.10). */
const REPLICA_MS = 15_000;
/** Far less than the lease of a process on a data directory, which is 30 s. */
const AT_ONCE_MS = 5_000;
const PATIENCE = { timeout: 120_000, interval: 50 };
const LONG = 600_000;

const world = useStarted(async (endings) => {
  const database = await createDatabase(inject("postgresUrl"));
  endings.add(() => database.drop());
  const api = await startBoatEffects();
  endings.add(() => api.close());
  const start = async (dataDir: string, more: Readonly<Record<string, string>> = {}) => {
    const server = await startPlasmServer({
      dataDir,
      catalogs: [fixtureCatalogDir("quay")],
      env: { PLASM_BACKEND_QUAY: api.url, ...more },
    });
    endings.add(() => server.kill());
    return server;
  };
  return { api, database, start, directory: endings.directory };
});

afterEach(() => world().api.letGo());

/** Reads, which is held by the API, before it changes anything. */
const paints = (boat: string): string => `boats = Boat\nBoat("${boat}").ping()\nboats[id]`;

/** A run that nobody waits for, whose first read is on its way to the API. */
async function begin({ url }: PlasmServer, boat: string) {
  const { api } = world();
  api.holdAll();
  const before = api.reads();
  const session = await boatSession(url, boat);
  const accepted = await post(url, session, { program: paints(boat), force: true, wait: false });
  expect(accepted.status, accepted.text).toBe(202);
  await expect.poll(api.reads, PATIENCE).toBe(before + 1);
  return { session, accepted };
}

/** How long it takes until the API is asked again, without the longest time in which a server on this machine answers health. */
async function untilAskedAgain({ url }: PlasmServer): Promise<number> {
  const { api } = world();
  const before = api.reads();
  const began = performance.now();
  let slowest = 0;
  while (api.reads() === before && performance.now() - began < PATIENCE.timeout) {
    const asked = performance.now();
    await (await fetch(`${url}/v1/health`)).arrayBuffer();
    slowest = Math.max(slowest, performance.now() - asked);
    await delay(20);
  }
  expect(api.reads()).toBe(before + 1);
  return performance.now() - began - slowest;
}

const performedOf = (boat: string): readonly string[] =>
  world().api.performed.filter((one) => one.includes(`/${boat}/`));

describe("18.10 what a killed process ran", () => {
  test(
    "another replica goes on with within 15 s, and does each effect once",
    async () => {
      const { api, database, start, directory } = world();
      const shared = { PLASM_DATABASE_URL: database.url };
      // The other one starts when the run is under way: either of them could take it up.
      const one = await start(await directory("one"), shared);
      const { session, accepted } = await begin(one, "replica-1");
      const other = await start(await directory("other"), shared);
      const [took] = await Promise.all([untilAskedAgain(other), one.kill()]);
      expect(took).toBeLessThan(REPLICA_MS);
      api.letGo();
      const end = await endOf(other.url, session, accepted, 60_000);
      expect(end.status, end.text).toBe(200);
      expect(performedOf("replica-1")).toEqual(["POST /boats/replica-1/ping"]);
      await other.stop();
    },
    LONG,
  );

  test(
    "a restart on the same data directory goes on with at once, and does each effect once",
    async () => {
      const { api, start, directory } = world();
      const dataDir = await directory("alone");
      const first = await start(dataDir);
      const { session, accepted } = await begin(first, "alone-1");
      await first.kill();
      const before = api.reads();
      const second = await start(dataDir);
      // It may have asked before it said where it listens.
      const took = api.reads() > before ? 0 : await untilAskedAgain(second);
      expect(took).toBeLessThan(AT_ONCE_MS);
      api.letGo();
      const end = await endOf(second.url, session, accepted, 60_000);
      expect(end.status, end.text).toBe(200);
      expect(performedOf("alone-1")).toEqual(["POST /boats/alone-1/ping"]);
      await second.stop();
    },
    LONG,
  );

  test(
    "is set aside when it was under way at two deaths, and goes on by the word of an operator (18.6, OPS-12)",
    async () => {
      const { api, start, directory } = world();
      const [dataDir, cwd] = await Promise.all([directory("aside"), directory("operator")]);
      const program = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
        runProcess(plasmCommand(args, { PLASM_DATA: dataDir, ...env }), cwd);
      const key = (await program(["keys", "add", "--subject", "olga"])).stdout.trim();
      const first = await start(dataDir);
      const { session, accepted } = await begin(first, "aside-1");
      await first.kill();
      const before = api.reads();
      const second = await start(dataDir);
      await expect.poll(api.reads, PATIENCE).toBe(before + 1);
      await second.kill();
      const third = await start(dataDir);
      await mkdir(join(cwd, ".plasm"));
      await writeFile(join(cwd, ".plasm", "profile.json"), JSON.stringify({ server: third.url }));
      const operations = (...args: readonly string[]): Promise<Ended> =>
        program(["operations", ...args], { PLASM_OPERATOR_KEY: key });

      const told = await endOf(third.url, session, accepted, 60_000);
      expect(told.text).toContain("Set aside: was under way when two processes ended.");
      expect(api.reads()).toBe(before + 1);
      const sick = await program(["doctor"]);
      expect([sick.code, sick.stdout]).toEqual([
        1,
        expect.stringContaining(
          "1 operation is set aside: under way when two processes ended; plasm operations lists them",
        ),
      ]);
      const listed = await operations();
      expect([listed.code, listed.stderr]).toEqual([0, ""]);
      const [, uuid = ""] = /^(\S{36}) \(s0_o1\) · .* · pc\d+ · /.exec(listed.stdout) ?? [];
      expect(uuid).not.toBe("");
      expect(listed.stdout).toContain("\n  no effect of it was sent\n  boats = Boat\n");
      const unknown = await operations("retry", "0f5c8a52-6b1e-4d0a-9b0e-2f1f6c1d7a10");
      expect([unknown.code, unknown.stdout]).toEqual([1, ""]);
      expect(unknown.stderr).toContain("is set aside");
      const nobody = await program(["operations", "retry", uuid], { PLASM_OPERATOR_KEY: "no key" });
      expect(nobody.code).not.toBe(0);

      api.letGo();
      const again = await operations("retry", uuid);
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("s0_o2")]);
      const place = accepted.location.replace(/o1$/, "o2");
      const done = await endOf(third.url, session, { ...accepted, location: place }, 60_000);
      expect(done.status, done.text).toBe(200);
      expect(performedOf("aside-1")).toEqual(["POST /boats/aside-1/ping"]);
      const still = await endOf(third.url, session, accepted, 60_000);
      expect(still.status).toBe(told.status);
      expect(still.text).toContain("Set aside: was under way when two processes ended.");
      expect(still.text).toContain("an operator let it go on as s0_o2");
      expect((await operations()).stdout).toBe("No operation is set aside.\n");
      expect((await operations("retry", uuid)).code).toBe(1);
      expect((await program(["doctor"])).stdout).not.toContain("set aside");
      await third.stop();
    },
    LONG,
  );
});
