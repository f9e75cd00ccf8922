import { describe, expect, test } from "vitest";
import type { AgentClient } from "../harness/agent-client.ts";
import { failureOf } from "../harness/agent-failure.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { SURFACES, type Surface } from "../harness/surfaces.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();
const seeds = seedsOf("quay", "Boat");

/** Paged, and nothing of its condition is sent: expensive, so that nobody waits for it (OPS-9). */
const LONG = "long = Boat{length>10}[id, name]\nlong";

/** Arguments that leave `wait` to the server. */
const UNASKED = { wait: undefined } as unknown as { readonly wait?: boolean };

async function open(surface: Surface, what: string) {
  const agent = await world().agent(surface);
  const { ref } = await openSession(agent, `${surface}: ${what}`, seeds);
  return { agent, ref };
}

const run = (agent: AgentClient, ref: string, program: string, more: object = {}) =>
  agent.run(ref, program, { ...UNASKED, ...more });

describe.each(SURFACES)("%s", (surface) => {
  test("L2 L16 L22 L27 L45 OPS-35 an expensive program is accepted, waited for, and equals its run", async () => {
    const { agent, ref } = await open(surface, "long work");
    const accepted = await run(agent, ref, LONG, { force: true, wait: false });
    expect(accepted.text).toBe(`wait(${ref}_o1) · verdict ok · plan \`pc0\``);
    expect(accepted.meta).toMatchObject({
      plan_commit_ref: "pc0",
      dry_verdict: "ok",
      op: { n: 1, "~": "+" },
    });
    const ended = await run(agent, ref, `wait(${ref}_o1)`, { wait: true });
    const same = await run(agent, ref, LONG, { force: true, wait: true });
    expect(ended.results).toEqual(same.results);
    expect(ended.text).toBe(same.text.replaceAll("/r/2", "/r/1"));
    expect(ended.meta).toMatchObject({ op: { "~": "!" } });
    const rows = ended.results[0]?.rows.length;
    const cancelled = await run(agent, ref, `cancel(${ref}_o1)`);
    expect(cancelled.text).toBe(`${ref}_o1 ! ${rows} rows`);
  });

  test("L19 L28 OPS-9 wait:false accepts a single get; a ref passes the gate", async () => {
    const { agent, ref } = await open(surface, "a single get");
    const accepted = await run(agent, ref, 'Boat("b1")[id]', { wait: false });
    expect(accepted.text).toBe(`wait(${ref}_o1) · verdict ok · plan \`pc0\``);
    const { meta } = await agent.plan(ref, LONG);
    const asked = { plan_commit_ref: meta.plan_commit_ref, wait: false };
    const passed = await run(agent, ref, LONG, asked);
    expect(passed.text).toMatch(new RegExp(`^wait\\(${ref}_o2\\)`));
  });

  test("L16 OPS-13 with wait left out it is an operation all the same, and answers what it came to, or its handle", async () => {
    const { agent, ref } = await open(surface, "soon");
    const soon = await run(agent, ref, LONG, { force: true });
    const ended = await run(agent, ref, `wait(${ref}_o1)`, { wait: true });
    // A machine that is busy may need longer than is waited.
    expect(soon.text.startsWith(`wait(${ref}_o1)`) ? ended : soon).toEqual(ended);
    expect(ended.meta).toMatchObject({ op: { "~": "!" } });
  });

  test("L6 F17 OPS-17 handles that are invented, foreign or wrongly prefixed answer alike", async () => {
    const { agent, ref } = await open(surface, "handles");
    const other = await open(surface, "other handles");
    await run(agent, ref, 'Boat("b1")[id]', { wait: false });
    const wrong = [
      run(agent, ref, `wait(${ref}_o9)`),
      run(agent, ref, `wait(${other.ref}_o1)`),
      run(other.agent, other.ref, `cancel(${other.ref}_o1)`),
      agent.plan(ref, `wait(${ref}_o9)`),
    ];
    for (const failure of await Promise.all(wrong.map((each) => failureOf(each)))) {
      expect(failure.problem).toMatchObject({ code: "plasm-unknown-handle", status: 404 });
    }
  });
});

describe("HTTP", () => {
  test("L7 L24 L26 L40 OPS-13 OPS-22 a session of its own: 202, its operation, its stream", async () => {
    const { url } = world();
    const opened = await fetch(`${url}/execute`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ seeds }),
    });
    const place = `${url}${opened.headers.get("location")}`;
    const post = (body: object) =>
      fetch(place, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const accepted = await post({ program: LONG, force: true, wait: false });
    expect(accepted.status).toBe(202);
    const path = accepted.headers.get("location") ?? "";
    expect(path).toMatch(/\/operations\/s0_o1$/);
    expect(await accepted.json()).toMatchObject({ results: [], op: { n: 1, "~": "+" } });
    const stream = await (await fetch(`${url}${path}/stream`)).text();
    expect(stream).toMatch(/^event: snapshot\nid: \d+\ndata: s0_o1 [+~!]/);
    expect(stream).toMatch(/event: terminal\nid: \d+\ndata: s0_o1 ! \d+ rows\n\n$/);
    const view = await (await fetch(`${url}${path}`)).json();
    expect(view).toMatchObject({ op: { "~": "!" } });
    const finished = await (await fetch(`${url}${path}/stream`)).text();
    expect(finished).toMatch(/^event: snapshot\n[^]*\n\nevent: terminal\n[^]*\n\n$/);
    const waited = await post({ program: "wait(o1)" });
    expect(await waited.json()).toMatchObject({ op: { "~": "!" } });
  });
});
