import { type FaultRule, fixtureCatalogDir, startFaultProxy } from "@plasm/testkit";
import { describe, expect, test } from "vitest";
import { seedsOf } from "../harness/open-session.ts";
import { startPlasmServer } from "../harness/plasm-server.ts";
import { useStarted } from "../servers/endings.ts";

/** Ways to take a request and not come to an end with it, by the boat that is asked for. */
const HANGS: readonly FaultRule[] = [
  { on: { path: "/boats/silent" }, fault: { kind: "silence" } },
  { on: { path: "/boats/dripping" }, fault: { kind: "drip", everyMs: 1_000 } },
  { on: { path: "/boats/headless" }, fault: { kind: "stall", sent: "" } },
  { on: { path: "/boats/halved" }, fault: { kind: "stall", sent: '{"id":"hal' } },
  { on: { path: "/boats" }, fault: { kind: "stall", sent: '{"items":[' } },
];

const PROGRAMS: readonly (readonly [string, string])[] = [
  ['Boat("silent")', "did not answer within"],
  ['Boat("dripping")', "began to answer and did not end within"],
  ['Boat("headless")', "(0 bytes came)"],
  ['Boat("halved")', "(10 bytes came)"],
  ["Boat.aggregate(n=count)", "(10 bytes came)"],
];

/** Three tries of 30 s with pauses of 0.5 s and 1 s, and what else may take time on a busy machine (RUN-024, RUN-025). */
const ALL_TRIES_MS = 180_000;

const world = useStarted(async (endings) => {
  const proxy = await startFaultProxy("http://127.0.0.1:1", HANGS);
  endings.add(() => proxy.close());
  const server = await startPlasmServer({
    dataDir: await endings.directory("data"),
    catalogs: [fixtureCatalogDir("quay")],
    env: { PLASM_BACKEND_QUAY: proxy.url, PLASM_OPERATIONS_PER_SESSION: "8" },
  });
  endings.add(() => server.stop());
  return { server, proxy };
});

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly text: string;
}

async function post(path: string, body: object): Promise<Answer> {
  const response = await fetch(`${world().server.url}${path}`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });
  const location = response.headers.get("location") ?? "";
  return { status: response.status, location, text: await response.text() };
}

const session = async (): Promise<string> =>
  (await post("/execute", { seeds: seedsOf("quay", "Boat"), notation: "names" })).location;

/** The answer that a run of which nobody waits comes to, whatever it is. */
async function endOf(path: string, program: string): Promise<Answer> {
  const accepted = await post(path, { program, force: true, wait: false });
  const handle = accepted.location.split("/").at(-1) ?? "";
  const until = Date.now() + ALL_TRIES_MS;
  for (;;) {
    const told = await post(path, { program: `wait(${handle})`, wait: true });
    const goesOn = /"op":\{[^{}]*"~":"[+~=]"/.test(told.text);
    if (!goesOn || Date.now() > until) return told;
  }
}

describe.concurrent("18.5 an API that takes a request and does not come to an end", () => {
  test.each(PROGRAMS)(
    "a run that is waited for is 504 with the API and the wall: %s",
    async (program, said) => {
      const { status, text } = await post(await session(), { program, force: true, wait: true });
      expect(status, text).toBe(504);
      expect(text).toContain(`${world().proxy.url}/boats`);
      expect(text).toContain(said);
      expect(text).toContain("the budget wall (45 s) of the run was spent in attempt 2 of 3");
      expect(text).not.toMatch(/\b0 rows|n\\n0\b/);
    },
    ALL_TRIES_MS,
  );

  test.each(PROGRAMS)(
    "a run that nobody waits for is 504 with the API and the limit of an attempt: %s",
    async (program, said) => {
      const { status, text } = await endOf(await session(), program);
      expect(status, text).toBe(504);
      expect(text).toContain(`${world().proxy.url}/boats`);
      expect(text).toContain(said);
      expect(text).toContain("within 30 s");
      expect(text).not.toMatch(/\b0 rows|n\\n0\b/);
    },
    ALL_TRIES_MS,
  );
});
