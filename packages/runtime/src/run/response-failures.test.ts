import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHarbour, startServer, type TestServer } from "@plasm/testkit/servers";
import { effect, effectNode } from "../testing/effect-nodes.ts";
import { fixture, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";

let server: TestServer;
let setting: Setting;
let status = 500;
let message = "no";

beforeAll(async () => {
  server = await startServer(() => ({ status, json: { message } }));
  setting = { catalogs: [fixture("quay")], backends: { quay: server.url } };
});
afterAll(() => server.close());

async function adviceOn(answer: number, program: string) {
  status = answer;
  const { nodes, returns } = planProgram(program, setting.catalogs);
  const outcome = await run(setting, nodes, returns);
  const error = outcome.nodes.find((node) => node.error !== null)?.error;
  return { code: error?.code, fix: error?.correction ?? "", effects: outcome.effects };
}

const READ = "Boat";
const WRITE = "Boat.create(name=x, owner=ann)";

describe("RUN-150: what to do fits the class of the status", () => {
  test.each<[number, string, RegExp]>([
    [400, READ, /arguments against what the API says/],
    [422, WRITE, /arguments against what the API says/],
    [404, READ, /keys and references/],
    [409, WRITE, /read the row again/],
    [413, WRITE, /send less/],
    [405, WRITE, /backend's address/],
    [500, READ, /failed by itself.*once more/],
    [507, READ, /failed by itself/],
    [501, READ, /another method/],
    [502, READ, /^try again later$/],
    [503, READ, /^try again later$/],
    [504, READ, /^try again later$/],
  ])("%i on %s", async (answer, program, fix) => {
    const advice = await adviceOn(answer, program);
    expect(advice.code).toBe("upstream_error");
    expect(advice.fix).toMatch(fix);
    expect(advice.fix.includes("check the arguments")).toBe(answer === 400 || answer === 422);
  });
});

describe("17.12 RUN-150: what an API advises goes before a guess", () => {
  test.each([409, 412, 423])("%i", async (answer) => {
    message = "the order is paid: use close";
    const { fix } = await adviceOn(answer, WRITE);
    message = "no";
    expect(fix).toMatch(/do what the API says in place of this/);
    expect(fix).not.toMatch(/read the row again|try again|once more|plan (it|this effect) again/);
  });
});

describe("ERR-020: of an effect it says what is safe to repeat", () => {
  test.each<[number, string, string, RegExp]>([
    [500, "failed", "upstream_error", /look whether it happened.*only if not/],
    [503, "in_doubt", "effect_in_doubt", /look whether there is a new Boat.*only then/],
    [502, "in_doubt", "effect_in_doubt", /look whether there is a new Boat.*only then/],
    [504, "in_doubt", "effect_in_doubt", /never the whole program/],
  ])("%i: %s, %s", async (answer, ended, code, fix) => {
    const advice = await adviceOn(answer, WRITE);
    expect([advice.effects.map((each) => each.status), advice.code]).toEqual([[ended], code]);
    expect(advice.fix).toMatch(fix);
  });

  test("a later effect that fails speaks of itself alone", async () => {
    const harbour = await startHarbour(2, ({ path }) =>
      path === "/boats/b2/ping" ? { status: 500, json: { message: "no" } } : null,
    );
    const own = { ...setting, backends: { quay: harbour.server.url } };
    const pings = ["b1", "b2"].map((id, at) =>
      effectNode(`n${at + 1}`, at, effect("action", id, {}, "ping")),
    );
    const { nodes, effects } = await run(own, pings);
    expect(effects.map((each) => each.status)).toEqual(["done", "failed"]);
    expect(nodes[1]?.error?.correction).toMatch(/plan it again only if not$/);
    expect(nodes[1]?.error?.correction).not.toMatch(/run it again|try again/);
    await harbour.server.close();
  });
});
