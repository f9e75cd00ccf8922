import { setTimeout as delay } from "node:timers/promises";
import { fixtureCatalogDir } from "@plasm/testkit";
import { createDatabase } from "@plasm/testkit/postgres";
import { afterEach, describe, expect, inject, test } from "vitest";
import {
  boatSession,
  endOf,
  goesOn,
  pingsOf,
  post,
  startBoatEffects,
} from "../harness/boat-effects.ts";
import { startPlasmServer, type PlasmServer } from "../harness/plasm-server.ts";
import { useStarted } from "../servers/endings.ts";

/** Longer than a lease, and than an attempt of a request (OPS-31, RUN-024). */
const SUSPENDED_MS = 35_000;
/** What others may take to take over and tell, and what else may take time on a busy machine. */
const TAKEN_OVER_MS = 120_000;

const world = useStarted(async (endings) => {
  const database = await createDatabase(inject("postgresUrl"));
  endings.add(() => database.drop());
  const api = await startBoatEffects();
  endings.add(() => api.close());
  const start = async (name: string, more: Readonly<Record<string, string>> = {}) => {
    const server = await startPlasmServer({
      dataDir: await endings.directory(name),
      catalogs: [fixtureCatalogDir("quay")],
      env: { PLASM_BACKEND_QUAY: api.url, ...more },
    });
    endings.add(() => server.stop());
    return server;
  };
  const shared = { PLASM_DATABASE_URL: database.url };
  const [alone, one, other] = await Promise.all([
    start("alone"),
    start("one", shared),
    start("other", shared),
  ]);
  return { api, alone, one, other };
});

afterEach(() => world().api.letGo());

/** Stops a server as a closed lid does, and wakes it again; what it sent before is performed meanwhile or not. */
async function suspend({ pid }: PlasmServer, isPerformed: boolean): Promise<void> {
  process.kill(pid, "SIGSTOP");
  try {
    if (isPerformed) world().api.letGo();
    await delay(SUSPENDED_MS);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  world().api.letGo();
}

const performedOf = (of: string): readonly string[] =>
  world().api.performed.filter((one) => one.includes(`/${of}-`));

async function begin({ url }: PlasmServer, name: string, wait: boolean) {
  const session = await boatSession(url, name);
  const { program, performed } = pingsOf(name, 3);
  world().api.hold();
  const answer = post(url, session, { program, force: true, wait });
  // The first effect is on its way to the API.
  await delay(1_500);
  return { session, answer, performed };
}

describe("18.8 a machine that was suspended for longer than a lease", () => {
  test.each([
    ["waited for", true],
    ["that nobody waits for", false],
  ] as const)(
    "goes on with a run %s where nobody else could, each effect once",
    async (how, wait) => {
      const { alone } = world();
      const name = `alone-${wait}`;
      const { session, answer, performed } = await begin(alone, name, wait);
      await suspend(alone, true);
      const told = wait
        ? await answer
        : await endOf(alone.url, session, await answer, TAKEN_OVER_MS);
      expect(told.status, `${how}: ${told.text}`).toBe(200);
      expect(performedOf(name)).toEqual(performed);
      expect(alone.said()).not.toContain("internal error");
    },
    SUSPENDED_MS + TAKEN_OVER_MS,
  );

  test(
    "sends nothing more where another replica took its run, and tells what that one tells",
    async () => {
      const { one, other } = world();
      const { session, answer, performed } = await begin(one, "taken", true);
      await suspend(one, true);
      const late = await answer;
      expect([200, 202, 422, 502], late.text).toContain(late.status);
      const [, ref = ""] = /"plan_commit_ref":"(pc\d+)"/.exec(late.text) ?? [];
      const { program } = pingsOf("taken", 3);
      const asked = { program, plan_commit_ref: ref, wait: true };
      const tell = (at: PlasmServer) => post(at.url, session, asked);
      await expect
        .poll(async () => goesOn(await tell(other)), { timeout: TAKEN_OVER_MS })
        .toBe(false);
      const [here, there] = await Promise.all([tell(one), tell(other)]);
      expect(here.status, here.text).toBe(there.status);
      expect([...new Set(performedOf("taken"))]).toEqual(performedOf("taken"));
      expect(performed.slice(0, performedOf("taken").length)).toEqual(performedOf("taken"));
      expect(`${one.said()}${other.said()}`).not.toContain("internal error");
    },
    SUSPENDED_MS + TAKEN_OVER_MS,
  );
});
