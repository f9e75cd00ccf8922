import { describe, expect, test } from "vitest";
import type { AgentRun } from "../harness/answers.ts";
import { openSession, seedsOf, type OpenSession } from "../harness/open-session.ts";
import { MCP_SURFACES, SURFACES, type Surface } from "../harness/surfaces.ts";
import { withSymbols } from "../harness/taught-symbols.ts";
import { tokens } from "../harness/tokens.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();
const seeds = seedsOf("quay", "Boat", "Person", "Visit");

/** Bindings, a sent and a local condition, relation, sort, limit, projection, several roots. */
const PROGRAM = `long = Boat{state=moored, length>10}.sort(length, desc).limit(4)[id, name, length]
visits = Boat("b1").visits{fee>10}.limit(3)
e(quay.Person)(ann), long, visits`;

/** Handles carry the reader's slot (SESS-6), so they differ between sessions and nothing else does. */
const withoutSlots = (text: string): string =>
  text.replaceAll(/\bs\d+_pg/g, "_pg").replaceAll(/session\/s\d+\//g, "session/");

const tables = ({ text }: OpenSession): string =>
  text.replace(/^logical_session_ref s\d+\n/, "").trimEnd();

interface Seen {
  readonly tables: string;
  readonly promptHash: string;
  readonly symbols: object;
  readonly plan: string;
  readonly commit: string;
  readonly text: string;
  readonly rows: AgentRun["results"];
}

async function see(surface: Surface): Promise<Seen> {
  const agent = await world().newAgent(surface);
  const session = await openSession(agent, `${surface}: the same everywhere`, seeds);
  const program = withSymbols(PROGRAM, session.symbols);
  const plan = await agent.plan(session.ref, program);
  const run = await agent.run(session.ref, program);
  expect(run.meta.commit).toBe(plan.meta.plan.commit);
  return {
    tables: tables(session),
    promptHash: session.meta.execute_binding.prompt_hash,
    symbols: session.symbols,
    plan: withoutSlots(plan.text),
    commit: plan.meta.plan.commit,
    text: withoutSlots(run.text),
    rows: run.results,
  };
}

test("A36 symbols, commit id, rows and text are equal on all surfaces", async () => {
  const first = await see(SURFACES[0]);
  expect(first.rows.map(({ name, rows }) => [name, rows.length])).toEqual([
    ["Person", 1],
    ["long", 4],
    ["visits", 3],
  ]);
  for (const surface of SURFACES.slice(1)) expect(await see(surface), surface).toEqual(first);
});

test("B1 one intent is one session, whatever connection and surface asks", async () => {
  const intent = "one intent on all surfaces";
  const bindings = [];
  for (const surface of SURFACES) {
    const { meta } = await (await world().agent(surface)).context({ intent, seeds });
    const { logical_session_id, logical_session_ref, execute_binding } = meta;
    bindings.push({ logical_session_id, logical_session_ref, execute_binding });
  }
  for (const binding of bindings) expect(binding).toEqual(bindings[0]);
});

test("L11 one program has one ref on all surfaces", async () => {
  const intent = "one ref";
  const refs = [];
  for (const surface of SURFACES) {
    const agent = await world().agent(surface);
    const { meta } = await agent.context({ intent, seeds });
    refs.push((await agent.plan(meta.logical_session_ref, "Boat.limit(2)")).meta.plan_commit_ref);
  }
  expect(refs).toEqual(SURFACES.map(() => "pc0"));
});

describe.each(MCP_SURFACES)("%s", (surface) => {
  test("G10 connects, and demands plasm_context first (A39)", async () => {
    const { instructions, tools } = await (await world().mcpAgent(surface)).about();
    expect(instructions).toContain("plasm_context first");
    const names = tools.map((tool) => "name" in tool && tool.name);
    expect(names).toEqual([
      "plasm_context",
      "plasm",
      "plasm_run",
      "discover_capabilities",
      "grafted_context_fetch",
    ]);
    expect(tokens(instructions ?? "")).toBeLessThanOrEqual(120);
  });

  test("A39 an early plasm is told to open a session", async () => {
    const agent = await world().mcpAgent(surface);
    await expect(agent.callTool("plasm", { program: "Boat" })).rejects.toThrow(
      "Call plasm_context first",
    );
  });
});

test.each(SURFACES)("%s: discovery finds seeds", async (surface) => {
  const agent = await world().agent(surface);
  const found = (await agent.discover({ intent: "which boats visited the harbour" })) as {
    readonly options: readonly { readonly api: string; readonly entity: string }[];
  };
  expect(found.options.map(({ api }) => api)).toEqual(expect.arrayContaining(["quay", "yard"]));
  expect(found.options).toContainEqual(expect.objectContaining({ api: "quay", entity: "Boat" }));
});
