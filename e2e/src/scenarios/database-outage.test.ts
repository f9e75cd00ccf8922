import { setTimeout as delay } from "node:timers/promises";
import { fixtureCatalogDir, startOutageProxy } from "@plasm/testkit";
import { createDatabase } from "@plasm/testkit/postgres";
import { afterEach, describe, expect, inject, test } from "vitest";
import {
  boatSession,
  endOf,
  type HttpAnswer,
  pingsOf,
  post,
  startBoatEffects,
} from "../harness/boat-effects.ts";
import { startPlasmServer } from "../harness/plasm-server.ts";
import { useStarted } from "../servers/endings.ts";

/** As docs/operating.md has them. */
const HEALTH_MS = 10_000;
const CALL_MS = 30_000;
/** A lease, a look for what is left, and what else may take time on a busy machine (OPS-31). */
const TAKEN_UP_MS = 90_000;
const PATIENCE = { timeout: TAKEN_UP_MS, interval: 200 };

const world = useStarted(async (endings) => {
  const database = await createDatabase(inject("postgresUrl"));
  endings.add(() => database.drop());
  const proxy = await startOutageProxy(database.url);
  endings.add(() => proxy.close());
  const api = await startBoatEffects();
  endings.add(() => api.close());
  const server = await startPlasmServer({
    dataDir: await endings.directory("data"),
    catalogs: [fixtureCatalogDir("quay")],
    env: { PLASM_BACKEND_QUAY: api.url, PLASM_DATABASE_URL: proxy.url },
  });
  endings.add(() => server.stop());
  endings.add(() => proxy.restore());
  return { proxy, api, url: server.url, said: () => server.said() };
});

afterEach(async () => {
  world().api.letGo();
  await world().proxy.restore();
});

const performedOf = (of: string): readonly string[] =>
  world().api.performed.filter((one) => one.includes(`/${of}-`));

/** A run that is under way: its first effect is at the API. */
async function underWay(of: string, wait: boolean) {
  const { url, api } = world();
  const session = await boatSession(url, of);
  const { program, performed } = pingsOf(of, 4);
  const planned = await post(url, session, { program });
  const [, ref = ""] = /"plan_commit_ref":"(pc\d+)"/.exec(planned.text) ?? [];
  api.hold();
  const asked = { program, plan_commit_ref: ref, wait };
  const answer = post(url, session, asked);
  if (!wait) await answer;
  return { name: of, session, asked, answer, performed };
}

/** The answer that a ref comes to, sent as often as it says that it is not there yet. */
async function finalOf(session: string, asked: object): Promise<HttpAnswer> {
  const { url } = world();
  let told = await post(url, session, asked);
  const isFinal = async (): Promise<boolean> => {
    told = await post(url, session, asked);
    return told.status !== 503 && !told.text.includes("goes on");
  };
  await expect.poll(isFinal, PATIENCE).toBe(true);
  return told;
}

/** A database that refuses connections for a while, and what two runs under way meanwhile came to: one is waited for. */
async function awayFor(ms: number) {
  const { proxy, api } = world();
  const [waitedFor, left] = await Promise.all([
    underWay(`waited-for-${ms}`, true),
    underWay(`left-${ms}`, false),
  ]);
  await delay(1_000);
  await proxy.refuse();
  api.letGo();
  await delay(ms);
  await proxy.restore();
  return { waitedFor, left, first: await waitedFor.answer };
}

type UnderWay = Awaited<ReturnType<typeof underWay>>;

/** What a run came to, and what the API did for it. */
const endOfRun = ({ name }: UnderWay, { status, text }: HttpAnswer) => ({
  said: status === 200 ? status : text,
  performed: performedOf(name),
});

const whole = ({ performed }: UnderWay) => ({ said: 200, performed });

describe("18.3 the database is away in the middle of a run", () => {
  test(
    "for 3 s: runs answer as if nothing had been, waited for or not",
    async () => {
      const { waitedFor, left, first } = await awayFor(3_000);
      expect(endOfRun(waitedFor, first)).toEqual(whole(waitedFor));
      const told = await endOf(world().url, left.session, await left.answer, TAKEN_UP_MS);
      expect(endOfRun(left, told)).toEqual(whole(left));
    },
    TAKEN_UP_MS,
  );

  test(
    "for 20 s: runs go on when it is back, and the ref of one that was waited for answers for good",
    async () => {
      const { waitedFor, left, first } = await awayFor(20_000);
      expect(first.status, first.text).toBe(503);
      expect(first.text).toContain("plan_commit_ref=pc");
      const final = await finalOf(waitedFor.session, waitedFor.asked);
      expect(endOfRun(waitedFor, final)).toEqual(whole(waitedFor));
      const told = await endOf(world().url, left.session, await left.answer, TAKEN_UP_MS);
      expect(endOfRun(left, told)).toEqual(whole(left));
    },
    TAKEN_UP_MS * 2,
  );

  test(
    "and brings nothing back: every call and health are answered within their limits, no answer is 500",
    async () => {
      const { proxy, url } = world();
      const session = await boatSession(url, "silence");
      await post(url, session, { program: "Boat.limit(1)", wait: true });
      proxy.silence();
      const timed = async (work: Promise<{ readonly status: number }>) => {
        const from = performance.now();
        const { status } = await work;
        return { status, ms: performance.now() - from };
      };
      const health = Array.from({ length: 5 }, () => timed(fetch(`${url}/v1/health`)));
      const calls = Array.from({ length: 20 }, (_none, n) =>
        timed(post(url, session, { program: `Boat.limit(${n + 1})`, wait: true })),
      );
      const opened = timed(fetch(`${url}/execute`, { method: "POST", body: '{"seeds":[]}' }));
      for (const { status, ms } of await Promise.all(health)) {
        expect(status).toBe(503);
        expect(ms).toBeLessThan(HEALTH_MS);
      }
      for (const { status, ms } of await Promise.all(calls)) {
        expect(status).toBe(503);
        expect(ms).toBeLessThan(CALL_MS);
      }
      expect((await opened).ms).toBeLessThan(CALL_MS);
      await proxy.restore();
      const status = async () => (await fetch(`${url}/v1/health`)).status;
      await expect.poll(status, PATIENCE).toBe(200);
      const after = await post(url, session, { program: "Boat.limit(1)", wait: true });
      expect(after.status, after.text).toBe(200);
    },
    TAKEN_UP_MS * 2,
  );
});

test("18.3 none of it was a defect", () => {
  expect(world().said()).not.toContain("internal error");
});
