import type { Client, StandardSchemaV1 } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { connectTo } from "./testing/http-client.ts";
import { cleanUp, realHost, temporaryDirectory } from "./testing/real-host.ts";
import { textOf } from "./testing/text-of.ts";

afterEach(cleanUp);

/** A program that asks no API for anything, one that would change something, one that goes on. */
const PROGRAM = "note = <<T\nhello\nT\nnote";
const BLOCKED = 'Boat("b1").delete()';
const ON = { PLASM_MCP_TASKS: "on" };

type Answer = Readonly<Record<string, unknown>>;

/** Whatever comes: a test looks at it as it is. */
const ANYTHING: StandardSchemaV1<unknown, Answer> = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value: value as Answer }) },
};

const ask = (client: Client, method: string, params: object): Promise<Answer> =>
  client.request({ method, params: { ...params } }, ANYTHING);

const call = (program: string, more: object = {}) => ({
  name: "plasm_run",
  arguments: { logical_session_ref: "s0", program, ...more },
});

const open = (intent: string) => ({
  name: "plasm_context",
  arguments: { intent, seeds: [{ api: "quay", entity: "Boat" }], notation: "names" },
});

interface Task {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage: string;
  readonly ttl: number;
  readonly pollInterval: number;
}

const taskIn = (answer: Answer): Task => answer["task"] as Task;

async function start(env: Readonly<Record<string, string>> = ON) {
  const host = await realHost(await temporaryDirectory(), env);
  const { client } = await connectTo(host.handler, "legacy");
  await client.callTool(open("spring"));
  const asTask = async (program: string, task: object = {}, more: object = {}) =>
    ask(client, "tools/call", { ...call(program, more), task });
  return { host, client, asTask };
}

describe("OPS-26 the setting mcp.tasks", () => {
  it("off, nothing of tasks is declared, served or heard", async () => {
    const { client, asTask } = await start({});
    expect(client.getServerCapabilities()?.tasks).toBeUndefined();
    const { tools } = await client.listTools();
    expect(tools.some((tool) => tool.execution !== undefined)).toBe(false);
    await expect(ask(client, "tasks/list", {})).rejects.toThrow("Method not found");
    expect(taskIn(await asTask(PROGRAM))).toBeUndefined();
  });

  it("on, it is declared in the 2025 protocols, optional on plasm_run alone", async () => {
    const { client } = await start();
    const requests = { tools: { call: {} } };
    expect(client.getServerCapabilities()?.tasks).toEqual({ list: {}, cancel: {}, requests });
    const { tools } = await client.listTools();
    const support = tools.flatMap(({ name, execution }) =>
      execution === undefined ? [] : [[name, execution]],
    );
    expect(support).toEqual([["plasm_run", { taskSupport: "optional" }]]);
  });

  it("2026-07-28 has no tasks in its core", async () => {
    const host = await realHost(await temporaryDirectory(), ON);
    const { client } = await connectTo(host.handler, "modern");
    expect(client.getServerCapabilities()?.tasks).toBeUndefined();
    await client.callTool(open("spring"));
    expect(textOf(await client.callTool(call(PROGRAM)))).toContain("hello");
  });
});

describe("OPS-26 a run as a task", () => {
  it("is accepted after the gate; its id is the operation's, and the handle works in parallel", async () => {
    const { client, asTask } = await start();
    const answer = await asTask(PROGRAM, { ttl: 60_000 }, { wait: true });
    expect(taskIn(answer)).toMatchObject({ ttl: 60_000, pollInterval: 3_000 });
    expect(answer["_meta"]).toMatchObject({
      "io.modelcontextprotocol/model-immediate-response": "wait(s0_o1) · verdict ok · plan `pc0`",
      plasm: { op: { n: 1, "~": "+" }, plan_commit_ref: "pc0" },
    });
    const { taskId } = taskIn(answer);
    const result = await ask(client, "tasks/result", { taskId });
    const waited = await client.callTool(call("wait(s0_o1)", { wait: true }));
    expect(result["content"]).toEqual(waited.content);
    expect(result["_meta"]).toEqual({
      ...waited._meta,
      "io.modelcontextprotocol/related-task": { taskId },
    });
    expect(await ask(client, "tasks/get", { taskId })).toMatchObject({
      taskId,
      status: "completed",
      statusMessage: "s0_o1 ! 1 rows",
    });
  });

  it("lives an hour at most, whatever is asked for", async () => {
    const { asTask } = await start();
    for (const [ttl, given] of [
      [999_999_999, 3_600_000],
      [undefined, 3_600_000],
      [5_000, 5_000],
    ]) {
      expect(taskIn(await asTask(PROGRAM, { ttl })).ttl).toBe(given);
    }
  });

  it("a blocked plan is a task that has failed, whose result is the block", async () => {
    const { client, asTask } = await start();
    const plain = await client.callTool(call(BLOCKED));
    const { taskId, status, statusMessage } = taskIn(await asTask(BLOCKED));
    expect([status, statusMessage]).toEqual(["failed", "review pc0: not run (no ref)"]);
    const result = await ask(client, "tasks/result", { taskId });
    expect(result["isError"]).toBe(true);
    expect(result["content"]).toEqual(plain.content);
    expect(await ask(client, "tasks/get", { taskId })).toMatchObject({ status: "failed" });
    await expect(ask(client, "tasks/cancel", { taskId })).rejects.toThrow("has ended: failed");
  });

  it("and so is one with errors; what answers at once is one that has completed", async () => {
    const { client, asTask } = await start();
    expect(taskIn(await asTask("Boat{colour=red}")).status).toBe("failed");
    await asTask(PROGRAM);
    const page = taskIn(await asTask("wait(s0_o1)"));
    expect(page.status).toBe("completed");
    const result = await ask(client, "tasks/result", { taskId: page.taskId });
    expect(JSON.stringify(result["content"])).toContain("s0_o1");
  });

  it.each([
    [
      "another tool",
      { name: "plasm", arguments: { logical_session_ref: "s0", program: "x" } },
      "never a task",
    ],
    ["an argument there is not", call(PROGRAM, { plan: "pc0" }), "plan"],
    ["a mode that runs nothing", call(PROGRAM, { mode: "plan" }), "leave mode out"],
    ["what keeps and runs nothing", call(PROGRAM, { save: { name: "kept" } }), "leave save out"],
    ["no session", { name: "plasm_run", arguments: { program: "x" } }, "plasm_context"],
  ])("%s is a protocol error", async (_what, params, said) => {
    const { client } = await start();
    await expect(ask(client, "tools/call", { ...params, task: {} })).rejects.toThrow(said);
  });
});

describe("OPS-26 SESS-38 whose tasks", () => {
  it("they are listed, the newest first, to their principal alone", async () => {
    const { client, asTask, host } = await start();
    const ids: string[] = [];
    for (const program of [PROGRAM, BLOCKED]) ids.unshift(taskIn(await asTask(program)).taskId);
    const listed = (await ask(client, "tasks/list", {}))["tasks"] as readonly Task[];
    expect(new Set(listed.map(({ taskId }) => taskId))).toEqual(new Set(ids));
    const eve = { scope: "anonymous", subject: "eve", connection: null };
    expect(await host.engine.tasks.list(eve)).toEqual([]);
    for (const [taskId] of [ids, ["0f5c8a52-0000-4000-8000-000000000000"]]) {
      if (taskId === undefined) throw new Error("a task");
      const told = host.engine.tasks.get(eve, taskId).catch((thrown: Error) => thrown.message);
      expect(await told).toBe(`No task ${taskId}.`);
      for (const method of ["tasks/get", "tasks/result", "tasks/cancel"]) {
        const asked = ask(client, method, { taskId: `${taskId.slice(0, -1)}z` });
        await expect(asked).rejects.toThrow("No task");
      }
    }
  });
});
