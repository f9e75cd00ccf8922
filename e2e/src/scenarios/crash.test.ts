import { describe, expect, test } from "vitest";
import type { AgentClient, McpAgentClient } from "../harness/agent-client.ts";
import { allPages } from "../harness/all-pages.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { sampleData } from "../harness/sample-data.ts";
import { SURFACES, type Surface } from "../harness/surfaces.ts";
import { withSymbols } from "../harness/taught-symbols.ts";
import { useWorld } from "../harness/use-world.ts";
import { READS_REVIEWED } from "../harness/world.ts";

const world = useWorld(() => ({ policy: READS_REVIEWED }));
const boat = seedsOf("quay", "Boat");
const yard = seedsOf("yard", "Boat");
const person = seedsOf("quay", "Person");

/** Paged, its condition local: it needs a ref to run, by the policy here. */
const REVIEW = "e1{length>10}[id]";

const rowsOf = (text: string): readonly string[] =>
  text.split("\n").filter((line) => /^[ep]\d/.test(line));

const isStdio = (surface: Surface): boolean => surface.endsWith("stdio");

/**
 * Kills the server the agent talks to by SIGKILL, and gives the agent that goes on: over HTTP the same
 * client, over stdio one with a new server, since its pipe is gone with the old.
 */
async function crash(surface: Surface, agent: AgentClient): Promise<AgentClient> {
  if (!isStdio(surface)) {
    await world().crash();
    return agent;
  }
  const { serverPid } = agent as McpAgentClient;
  if (serverPid === null) throw new Error(`${surface} has no server of its own`);
  process.kill(serverPid, "SIGKILL");
  await agent.close();
  return world().newAgent(surface);
}

const resource = async (agent: AgentClient, uri: string): Promise<string | null> =>
  "readResource" in agent ? (await (agent as McpAgentClient).readResource(uri)).text : null;

describe.each(SURFACES)("%s, killed by SIGKILL after the second wave", (surface) => {
  test("F5 F16 P7 refs, symbols, handles, commits and snapshots mean what they meant", async () => {
    const { boats } = await sampleData(world().apis);
    const intent = `${surface}: killed`;
    const before = await world().newAgent(surface);
    const opened = await openSession(before, intent, boat);
    const { ref } = opened;
    const second = await before.context({ intent, seeds: yard });
    const run = await before.run(ref, "e1[id]");
    const plan = await before.plan(ref, REVIEW);
    const ok = await before.plan(ref, "e1.limit(1)");
    const uri = run.meta.steps[0]?.artifact_uri ?? "";
    const table = `plasm://session/${ref}/table`;
    const kept = { snapshot: await resource(before, uri), table: await resource(before, table) };
    expect([plan.meta.plan_commit_ref, ok.meta.plan_commit_ref]).toEqual(["pc1", "pc2"]);

    const after = await crash(surface, before);

    // The handle first: a client that never noticed anything just goes on (SESS-4).
    expect(await allPages(after, ref, run)).toEqual(boats.map(({ id }) => ({ id })));
    const under = await after.run(ref, REVIEW, { plan_commit_ref: "pc1", wait: true });
    expect(under.meta.commit).toBe(plan.meta.plan.commit);
    expect((await after.plan(ref, REVIEW)).meta.plan_commit_ref).toBe("pc1");
    expect((await after.plan(ref, "e1.limit(3)")).meta.plan_commit_ref).toBe("pc3");
    expect(await resource(after, uri)).toBe(kept.snapshot);
    expect(await resource(after, table)).toBe(kept.table);

    const again = await after.context({ intent, seeds: [...boat, ...yard] });
    expect(again.text).toContain(`${ref} unchanged: e1 Boat, e2 Boat. Symbols stand.`);
    expect(again.meta).toMatchObject({
      logical_session_id: opened.meta.logical_session_id,
      execute_binding: opened.meta.execute_binding,
      domain_revision: 2,
      reused: true,
      continuity: { stale_binding_recovered: false, new_symbol_space: false },
    });
    const replayed = await after.context({ intent, seeds: yard, replay: true });
    for (const row of rowsOf(`${opened.text}\n${second.text}`)) {
      expect(replayed.text).toContain(row);
    }
    const third = await after.context({ intent, seeds: person });
    expect(third.text).toContain("Added from quay: e3 Person");
    expect(third.meta).toMatchObject({ domain_revision: 3 });
    const mixed = await after.run(
      ref,
      withSymbols('e(quay.Boat)("b1")[name]\ne2(1)[id]\ne3(ann)[login]', opened.symbols),
    );
    expect(mixed.results.map(({ rows }) => rows)).toEqual([
      [{ name: "Alma" }],
      [{ id: 1 }],
      [{ login: "ann" }],
    ]);
  });
});
