import { expect, it } from "vitest";
import { LOCAL } from "../../identity/caller.ts";
import { boatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { holdRequests } from "../../../test/hold-requests.ts";
import { testStore } from "../../../test/test-store.ts";

const S0 = { kind: "ref", ref: "s0" } as const;
const HOUR = 3_600_000;

async function open() {
  const store = testStore();
  const api = boatsApi();
  const engine = engineOn({ store, api });
  const agent = await agentOn(engine);
  const read = (ttl?: number) =>
    engine.tasks.start(LOCAL, S0, {
      program: "Boat.limit(1)[id]",
      ...(ttl === undefined ? {} : { ttl }),
    });
  return { store, api, engine, agent, read };
}

it("OPS-26 a task is its operation: its uuid, its states, its cancel, its end", async () => {
  const { store, api, engine, agent, read } = await open();
  const { reached, letGo } = holdRequests(api, "reads");
  const { view } = await read();
  const { taskId } = view;
  await reached;
  const [operation] = await store.list("operation", LOCAL.scope, "");
  expect(taskId).toBe(operation?.value.uuid);
  expect(await engine.tasks.get(LOCAL, taskId)).toMatchObject({ taskId, status: "working" });
  const result = engine.tasks.result(LOCAL, taskId);
  expect((await agent.run("wait(s0_o1)", { wait: false })).text).toMatch(/^s0_o1 [+~=]/);
  const cancelled = engine.tasks.cancel(LOCAL, taskId);
  const flagged = async () => (await store.list("operation", LOCAL.scope, ""))[0]?.value;
  await expect.poll(async () => (await flagged())?.cancelRequested, { interval: 50 }).toBe(true);
  letGo();
  expect(await cancelled).toMatchObject({ status: "cancelled" });
  expect((await cancelled).message).toMatch(/^s0_o1 x step \d\/2 · \d rows kept$/);
  const end = await result;
  expect(end).toMatchObject({ kind: "problem", problem: { meta: { op: { "~": "x" } } } });
  const waited = await agent.run("wait(s0_o1)");
  expect(end.kind === "problem" ? end.problem.text : "").toBe(waited.text);
  await expect(engine.tasks.cancel(LOCAL, taskId)).rejects.toThrow("has ended: cancelled");
  await engine.close();
});

it("OPS-26 OPS-3 a plan's ref alone starts its run as a task; once only", async () => {
  const { api, engine, agent } = await open();
  await agent.plan('Boat("b1").update(note="painted")');
  const { view } = await engine.tasks.start(LOCAL, S0, { planCommitRef: "pc0" });
  const end = await engine.tasks.result(LOCAL, view.taskId);
  expect(end).toMatchObject({ kind: "answer", answer: { meta: { plan_commit_ref: "pc0" } } });
  const again = await engine.tasks.start(LOCAL, S0, { planCommitRef: "pc0" });
  expect(again.view.status).toBe("completed");
  const unknown = await engine.tasks.start(LOCAL, S0, { planCommitRef: "pc7" });
  expect(unknown).toMatchObject({ view: { status: "failed" }, begun: { kind: "problem" } });
  expect(api.performed).toEqual(["PATCH /boats/b1"]);
  await engine.close();
});

it("OPS-26 SESS-37 a task whose time is over is unknown", async () => {
  const { store, engine, read } = await open();
  const [short, long] = [await read(1_000), await read()];
  for (const { view } of [short, long]) await engine.tasks.result(LOCAL, view.taskId);
  store.advance(2_000);
  const listed = (await engine.tasks.list(LOCAL)).map(({ taskId }) => taskId);
  expect(listed).toEqual([long.view.taskId]);
  await expect(engine.tasks.get(LOCAL, short.view.taskId)).rejects.toThrow("No task");
  store.advance(HOUR);
  await expect(engine.tasks.get(LOCAL, long.view.taskId)).rejects.toThrow("No task");
  await engine.close();
});

it("OPS-26 SURF-25 what policy forbids now is given to no one who asks for the result", async () => {
  const store = testStore();
  const policy = { apis: { quay: {} } };
  const engine = engineOn({ store, api: boatsApi(), policy });
  await agentOn(engine);
  const { view } = await engine.tasks.start(LOCAL, S0, { program: "Boat.limit(1)[id]" });
  expect(await engine.tasks.result(LOCAL, view.taskId)).toMatchObject({ kind: "answer" });
  Object.assign(policy, { apis: { yard: {} } });
  await expect(engine.tasks.result(LOCAL, view.taskId)).rejects.toThrow("Policy no longer allows");
  await engine.close();
});
