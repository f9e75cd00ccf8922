import { setTimeout as delay } from "node:timers/promises";
import { fixtureCatalogDir } from "@plasm/testkit";
import { createDatabase } from "@plasm/testkit/postgres";
import { describe, expect, inject, test } from "vitest";
import {
  type BoatEffects,
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
  return { api, alone, one, other, ...(await suspendedRuns(api, alone, one)) };
});

const performedOf = (of: string): readonly string[] =>
  world().api.performed.filter((one) => one.includes(`/${of}-`));

/** A run whose first effect is on its way to the API. */
async function begin({ url }: PlasmServer, name: string, wait: boolean) {
  const session = await boatSession(url, name);
  const { program, performed } = pingsOf(name, 3);
  const answer = post(url, session, { program, force: true, wait });
  return { session, answer, program, performed };
}

/** Runs of servers that are stopped as a closed lid does it, and woken again; what they sent before is performed meanwhile. */
async function suspendedRuns(api: BoatEffects, alone: PlasmServer, one: PlasmServer) {
  api.hold();
  const [waitedFor, leftAlone, taken] = await Promise.all([
    begin(alone, "waited-for", true),
    begin(alone, "left-alone", false),
    begin(one, "taken", true),
  ]);
  await delay(1_500);
  for (const { pid } of [alone, one]) process.kill(pid, "SIGSTOP");
  try {
    api.letGo();
    await delay(SUSPENDED_MS);
  } finally {
    for (const { pid } of [alone, one]) process.kill(pid, "SIGCONT");
  }
  return { waitedFor, leftAlone, taken };
}

describe("18.8 a machine that was suspended for longer than a lease", () => {
  test(
    "goes on with a run waited for where nobody else could, each effect once",
    async () => {
      const { alone, waitedFor } = world();
      const { status, text } = await waitedFor.answer;
      expect(status, text).toBe(200);
      expect(performedOf("waited-for")).toEqual(waitedFor.performed);
      expect(alone.said()).not.toContain("internal error");
    },
    TAKEN_OVER_MS,
  );

  test(
    "goes on with a run that nobody waits for where nobody else could, each effect once",
    async () => {
      const { alone, leftAlone } = world();
      const accepted = await leftAlone.answer;
      const { status, text } = await endOf(alone.url, leftAlone.session, accepted, TAKEN_OVER_MS);
      expect(status, text).toBe(200);
      expect(performedOf("left-alone")).toEqual(leftAlone.performed);
      expect(alone.said()).not.toContain("internal error");
    },
    TAKEN_OVER_MS,
  );

  test(
    "sends nothing more where another replica took its run, and tells what that one tells",
    async () => {
      const { one, other, taken } = world();
      const { session, answer, program, performed } = taken;
      const late = await answer;
      expect([200, 202, 422, 502], late.text).toContain(late.status);
      const [, ref = ""] = /"plan_commit_ref":"(pc\d+)"/.exec(late.text) ?? [];
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
    TAKEN_OVER_MS,
  );
});
