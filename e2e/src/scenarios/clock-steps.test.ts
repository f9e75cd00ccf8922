import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixtureCatalogDir } from "@plasm/testkit";
import { afterEach, describe, expect, test } from "vitest";
import {
  boatSession,
  call as callServer,
  endOf,
  type HttpAnswer,
  pingsOf,
  startBoatEffects,
} from "../harness/boat-effects.ts";
import { plasmCommand, type PlasmOptions } from "../harness/plasm-command.ts";
import { startPlasmServer, type PlasmServer } from "../harness/plasm-server.ts";
import { runProcess } from "../harness/run-process.ts";
import { hs256 } from "../identity/tokens.ts";
import { type Endings, useStarted } from "../servers/endings.ts";

/**
 * The clock of a real process is set in the middle of what it does: `probe.mjs`, loaded into it, moves `Date` at a signal and leaves
 * the monotonic clock as it is. Leases, expiries and ages are by the clock that is set; time limits must not be.
 */
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const STEPS = [
  ["forward a day", DAY_MS],
  ["back an hour", -HOUR_MS],
] as const;
const PROBE = new URL("../pressure/probe.mjs", import.meta.url).href;
const SECRET = "a secret that is long enough for HS256";
const POLICY = { default: { apis: { quay: { approval: { operator: ["delete"] } } } } };
const LONG = 300_000;

interface SteppedServer {
  readonly server: PlasmServer;
  /** the key of an operator */
  readonly operator: string;
  /** Moves its clock by so much. */
  step(ms: number): Promise<void>;
}

async function startStepped(
  endings: Endings,
  more: Pick<PlasmOptions, "env" | "args">,
): Promise<SteppedServer> {
  const [dataDir, files] = await Promise.all([
    endings.directory("clock-data"),
    endings.directory("clock-files"),
  ]);
  const [orders, answers] = [join(files, "orders"), join(files, "answers")];
  const added = await runProcess(
    plasmCommand(["keys", "add", "--data", dataDir, "--subject", "olga"], {}),
  );
  const server = await startPlasmServer({
    ...more,
    dataDir,
    catalogs: [fixtureCatalogDir("quay")],
    env: {
      ...more.env,
      NODE_OPTIONS: `--import=${PROBE}`,
      PRESSURE_ORDERS: orders,
      PRESSURE_ANSWERS: answers,
    },
  });
  endings.add(() => server.kill());
  return {
    server,
    operator: added.stdout.trim(),
    step: async (ms) => {
      const id = `${performance.now()}`;
      writeFileSync(orders, JSON.stringify({ id, step: ms }));
      process.kill(server.pid, "SIGUSR2");
      await expect
        .poll(() => existsSync(answers) && readFileSync(answers, "utf8").includes(`"${id}"`), {
          timeout: 60_000,
        })
        .toBe(true);
    },
  };
}

const world = useStarted(async (endings) => {
  const api = await startBoatEffects();
  endings.add(() => api.close());
  const policy = join(await endings.directory("clock-policy"), "policy.json");
  writeFileSync(policy, JSON.stringify(POLICY));
  const env = { PLASM_BACKEND_QUAY: api.url };
  const [open, closed] = await Promise.all([
    startStepped(endings, { env, args: ["--policy", policy] }),
    startStepped(endings, { env: { ...env, PLASM_AUTH: "required", PLASM_JWT_SECRET: SECRET } }),
  ]);
  return { ...open, api, closed };
});

let moved = 0;
const step = async (ms: number): Promise<void> => {
  moved += ms;
  await world().step(ms);
};

afterEach(async () => {
  world().api.letGo();
  await step(-moved);
});

async function call(
  server: PlasmServer,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  const sent = { headers, ...(body === undefined ? {} : { body }) };
  const answer = await callServer(server.url, method, path, sent);
  expect(answer.status, answer.text).not.toBe(500);
  return answer;
}

const post = (path: string, body: object): Promise<HttpAnswer> =>
  call(world().server, "POST", path, body);

const performedOf = (of: string): readonly string[] =>
  world().api.performed.filter((one) => one.includes(`/${of}`));

const refIn = (text: string): string => /"plan_commit_ref":"(pc\d+)"/.exec(text)?.[1] ?? "";

describe.each(STEPS)("18.8 a clock that is set %s", (how, ms) => {
  const name = how.replaceAll(" ", "-");

  test(
    "in the middle of a run that is waited for: it goes on, each effect once",
    async () => {
      const { api, server } = world();
      const session = await boatSession(server.url, `run ${name}`);
      const { program, performed } = pingsOf(`run-${name}`, 3);
      api.holdAll();
      const before = api.reads();
      const running = post(session, {
        program: `boats = Boat\n${program}\nboats[id]`,
        force: true,
      });
      await expect.poll(api.reads, { timeout: 60_000 }).toBe(before + 1);
      await step(ms);
      api.letGo();
      const told = await running;
      expect(told.status, told.text).toBe(200);
      expect(performedOf(`run-${name}`)).toEqual(performed);
    },
    LONG,
  );

  test(
    "between the effects of a run that nobody waits for, and while a wait for it holds",
    async () => {
      const { api, server } = world();
      const session = await boatSession(server.url, `wait ${name}`);
      const { program, performed } = pingsOf(`wait-${name}`, 4);
      api.hold();
      const accepted = await post(session, { program, force: true, wait: false });
      expect(accepted.status, accepted.text).toBe(202);
      const handle = accepted.location.split("/").at(-1);
      const waiting = post(session, { program: `wait(${handle})`, wait: true });
      await step(ms);
      api.letGo();
      expect((await waiting).status).toBe(200);
      const end = await endOf(server.url, session, accepted, 60_000);
      expect(end.status, end.text).toBe(200);
      expect(performedOf(`wait-${name}`)).toEqual(performed);
    },
    LONG,
  );

  test(
    "after a plan: its ref runs, or says that it has expired, and runs once",
    async () => {
      const { server } = world();
      const session = await boatSession(server.url, `plan ${name}`);
      const { program, performed } = pingsOf(`plan-${name}`, 2);
      const planned = await post(session, { program });
      const ref = refIn(planned.text);
      expect(ref).not.toBe("");
      await step(ms);
      const told = await post(session, { plan_commit_ref: ref });
      // A day is longer than a plan's ref lives; an hour back makes none older.
      expect(ms < 0 ? [200] : [200, 404, 409, 410], told.text).toContain(told.status);
      const again = await post(session, { plan_commit_ref: ref });
      expect(again.status).toBe(told.status);
      expect(performedOf(`plan-${name}`)).toEqual(told.status === 200 ? performed : []);
    },
    LONG,
  );

  test(
    "while a plan waits for an operator: it can be decided on, or has expired",
    async () => {
      const { server, operator } = world();
      const session = await boatSession(server.url, `approval ${name}`);
      const program = `Boat("gone-${name}").delete()`;
      const asked = await post(session, { program, force: true });
      const ref = refIn(asked.text);
      expect(ref, asked.text).not.toBe("");
      const [, uuid = ""] = /"commit_uuid":"([^"]+)"/.exec(asked.text) ?? [];
      await step(ms);
      const headers = { "x-api-key": operator };
      const listed = await call(server, "GET", "/v1/approvals", undefined, headers);
      expect(listed.status).toBe(200);
      const approved = await call(server, "POST", `/v1/approvals/${uuid}/approve`, {}, headers);
      expect(ms < 0 ? [200] : [200, 404, 409, 410], approved.text).toContain(approved.status);
      const told = await post(session, { plan_commit_ref: ref });
      expect(told.status === 200, told.text).toBe(approved.status === 200);
    },
    LONG,
  );
});

test(
  "18.8 a token lasts as long as the server's clock says, forward and back",
  async () => {
    const { closed } = world();
    const headers = { authorization: `Bearer ${hs256(SECRET)}` };
    const whoami = (): Promise<HttpAnswer> =>
      call(closed.server, "GET", "/v1/whoami", undefined, headers);
    expect((await whoami()).text).toContain("ann");
    await closed.step(DAY_MS);
    const late = await whoami();
    expect(late.status).toBe(401);
    expect(late.text).toContain("expired");
    await closed.step(-DAY_MS - HOUR_MS);
    expect((await whoami()).status).toBe(200);
  },
  LONG,
);

test("18.8 none of it was a defect", () => {
  for (const { server } of [world(), world().closed]) {
    expect(server.said()).not.toMatch(/internal error/i);
  }
});
