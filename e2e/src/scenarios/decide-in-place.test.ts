import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { connectTransport } from "@plasm/mcp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type IdentityWorld, openIdentityWorld, TENANT } from "../identity/identity-world.ts";

const WAYS = ["2026-07-28 over HTTP", "2025-11-25 on a connection that stands"] as const;
type Way = (typeof WAYS)[number];

/** What a client's user answers to a form. */
type User = (message: string) => { readonly action: string; readonly content?: object };

const CHANGE = 'Boat("b1").update(note="painted")';
const SEEDS = [{ api: "quay", entity: "Boat" }];
/** Changes are the user's to approve, and deletions an operator's. */
const POLICY = { apis: { quay: { approval: { client: ["update"], operator: ["delete"] } } } };

let world: IdentityWorld;
let olga: Readonly<Record<string, string>>;
let ann: Readonly<Record<string, string>>;
let intent = 0;
const clients: Client[] = [];
beforeAll(async () => {
  world = await openIdentityWorld();
  olga = await world.key({ role: "operator", subject: "olga" });
  ann = await world.key({});
});
beforeEach(async () => {
  await world.setPolicy(TENANT, POLICY);
  world.carried();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(() => world.close());

/** A real MCP client of Ann's agent; what a model would see is what `run` gives. */
async function connect(way: Way, user: User | null, mode: "form" | "url" = "form") {
  const asked: string[] = [];
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: user === null ? {} : { elicitation: { [mode]: {} } },
      versionNegotiation: { mode: way === WAYS[0] ? { pin: "2026-07-28" } : "legacy" },
    },
  );
  clients.push(client);
  if (user !== null)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      if (!("requestedSchema" in params)) throw new Error("A form is asked for, and nothing else");
      asked.push(params.message);
      return user(params.message) as never;
    });
  if (way === WAYS[1]) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const caller = { scope: TENANT, subject: "ann", connection: null };
    connectTransport(far, { ...world.host, caller });
    await client.connect(near);
  } else {
    const at = new URL("/mcp", world.url);
    await client.connect(new StreamableHTTPClientTransport(at, { requestInit: { headers: ann } }));
  }
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [first] = content;
    return { text: first?.type === "text" ? first.text : "", isError: isError === true };
  };
  intent += 1;
  const { text } = await call("plasm_context", { intent: `paint ${intent}`, seeds: SEEDS });
  const ref = /logical_session_ref (s\d+)/.exec(text)?.[1] ?? "";
  const run = (program: string, more: object = {}) =>
    call("plasm_run", { logical_session_ref: ref, program, ...more });
  return { run, call, ref, asked };
}

const approve: User = () => ({
  action: "accept",
  content: { decision: "approve", reason: "seen" },
});

/** What the operator sees decided last. */
async function decisions(): Promise<readonly Record<string, unknown>[]> {
  const { text } = await world.call(olga, "GET", "/v1/audit?order=desc&limit=200");
  const { lines } = JSON.parse(text) as { readonly lines: readonly Record<string, unknown>[] };
  return lines.filter(({ kind }) => String(kind).startsWith("approval_"));
}

describe("OPS-65: the person at the client decides in place", () => {
  test.each(WAYS)("%s: what they approve runs in the same call, once", async (way) => {
    const { run, asked } = await connect(way, approve);
    const ran = await run(CHANGE);
    expect(ran).toEqual({ text: expect.stringContaining("painted"), isError: false });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('effect quay.Boat("b1").update(note="painted")');
    expect((await decisions())[0]).toMatchObject({
      kind: "approval_given",
      subject: "ann at the client",
      detail: "asked by ann: seen",
    });
    const again = await run(CHANGE);
    // Another run is another plan's ref, and another question.
    expect([again.isError, asked.length]).toEqual([false, 2]);
  });

  test.each(WAYS)("%s: what they reject is not sent, then or later", async (way) => {
    const { run, asked } = await connect(way, () => ({
      action: "accept",
      content: { decision: "reject" },
    }));
    expect(await run(CHANGE)).toMatchObject({ isError: true });
    const again = await run(CHANGE, { force: true });
    expect(again).toMatchObject({ isError: true, text: expect.stringContaining("rejected") });
    expect(asked).toHaveLength(1);
    expect(world.carried()).toEqual([]);
    expect((await decisions())[0]).toMatchObject({ kind: "approval_rejected" });
  });

  test.each(
    WAYS.flatMap((way) => [
      [way, "closes the form", { action: "cancel" }] as const,
      [way, "declines", { action: "decline" }] as const,
      [
        way,
        "says nothing that is asked",
        { action: "accept", content: { decision: "yes" } },
      ] as const,
    ]),
  )("%s: somebody who %s has decided nothing: it waits", async (way, _what, answer) => {
    const { run } = await connect(way, () => answer);
    const told = await run(CHANGE);
    expect(told).toMatchObject({
      isError: true,
      text: expect.stringContaining("plasm approvals approve"),
    });
    expect(world.carried()).toEqual([]);
  });

  test.each(WAYS)("%s: what policy leaves to an operator is asked of nobody else", async (way) => {
    const { run, asked } = await connect(way, approve);
    expect(await run('Boat("b1").delete()')).toMatchObject({ isError: true });
    // One such effect makes it an operator's plan.
    expect(await run(`${CHANGE}\nBoat("b8").delete()`)).toMatchObject({ isError: true });
    expect(asked).toEqual([]);
    expect(world.carried()).toEqual([]);
  });

  test.each(WAYS)("%s: a client without forms is told in words", async (way) => {
    const told = await (await connect(way, null)).run(CHANGE);
    const waits = expect.stringContaining(
      "It waits for the person at a client that asks by forms, or an operator",
    );
    expect(told).toMatchObject({ isError: true, text: waits });
    const pages = await connect(way, approve, "url");
    expect((await pages.run(CHANGE)).isError).toBe(true);
    expect(pages.asked).toEqual([]);
  });

  test("an operator decides as ever, and what one has rejected is asked of nobody", async () => {
    const { run, asked } = await connect(WAYS[1], approve);
    await world.setPolicy(TENANT, { apis: { quay: { approval: { operator: ["update"] } } } });
    const uuid = /approvals approve ([\w-]+)/.exec((await run(CHANGE)).text)?.[1] ?? "";
    const { status } = await world.call(olga, "POST", `/v1/approvals/${uuid}/reject`);
    expect(status).toBe(200);
    await world.setPolicy(TENANT, POLICY);
    const told = await run(CHANGE);
    expect(told).toMatchObject({ isError: true, text: expect.stringContaining("rejected") });
    expect(asked).toEqual([]);
  });

  test("what they approved waits for an operator once policy says so, asked again or not", async () => {
    let answer: ReturnType<User> = { action: "cancel" };
    const { run, asked } = await connect(WAYS[1], () => answer);
    expect((await run(CHANGE)).isError).toBe(true);
    await world.setPolicy(TENANT, { apis: { quay: { approval: { operator: ["update"] } } } });
    answer = approve("");
    // It waits by the policy as it is now, whoever could have decided before.
    expect((await run(CHANGE)).isError).toBe(true);
    expect(asked).toHaveLength(1);
    await world.setPolicy(TENANT, POLICY);
    const other = 'Boat("b2").update(note="painted")';
    const late = await connect(WAYS[1], () => answer);
    await world.setPolicy(TENANT, POLICY);
    const { decisions: kept } = world.host;
    const caller = { scope: TENANT, subject: "ann", connection: null };
    answer = { action: "cancel" };
    const told = await late.run(other);
    const uuid = /approvals approve ([\w-]+)/.exec(told.text)?.[1] ?? "";
    const found = await kept.find(caller, uuid);
    await kept.decide(caller, uuid, "approved", { commit: found?.commit ?? "" });
    await world.setPolicy(TENANT, { apis: { quay: { approval: { operator: ["update"] } } } });
    expect((await late.run(other, { plan_commit_ref: found?.ref })).isError).toBe(true);
    expect(world.carried()).toEqual([]);
    const { status } = await world.call(olga, "POST", `/v1/approvals/${uuid}/approve`);
    expect(status).toBe(200);
    expect((await late.run(other, { plan_commit_ref: found?.ref })).isError).toBe(false);
  });

  test("all that would be sent can be read in the form, or nobody is asked", async () => {
    const hidden = `${"harmless ".repeat(10)}and something else`;
    const { run, asked } = await connect(WAYS[0], () => ({ action: "cancel" }));
    await run(`Boat("b1").update(note="${hidden}")`);
    expect(asked[0]).toContain(hidden);
    await run(`Boat("b1").update(note="${"x".repeat(6_000)}")`);
    expect(asked).toHaveLength(1);
  });

  test("nothing that a model can say decides: arguments, programs, states of others", async () => {
    const { call, ref } = await connect(WAYS[1], () => ({ action: "cancel" }));
    const given = [
      { decision: "approve" },
      { approved: true },
      { inputResponses: { decision: { action: "accept", content: { decision: "approve" } } } },
      { requestState: "{}", force: true },
      { _meta: { decision: "approve" } },
    ];
    for (const more of given)
      expect(
        await call("plasm_run", { logical_session_ref: ref, program: CHANGE, ...more }),
      ).toMatchObject({ isError: true });
    expect(world.carried()).toEqual([]);
  });
});
