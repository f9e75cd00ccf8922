import { describe, expect, test } from "vitest";
import type { AgentClient } from "../harness/agent-client.ts";
import { failureOf } from "../harness/agent-failure.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { SURFACES, type Surface } from "../harness/surfaces.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();
const seeds = seedsOf("quay", "Boat");

async function open(surface: Surface, what: string) {
  const agent = await world().agent(surface);
  const { ref } = await openSession(agent, `${surface}: ${what}`, seeds);
  return { agent, ref };
}

/** An explanation, asked of the tool that runs programs with `mode`, which both surfaces have (OPS-34). */
const explain = (agent: AgentClient, ref: string, program: string) =>
  agent.run(ref, program, { mode: "explain" });

const PROGRAM = `moored = Boat{state=moored}.limit(2)[id, name]
moored => Boat(_.id).update(name="painted", note=_.name)
Boat("b1").ping()
moored`;

describe.each(SURFACES)("%s", (surface) => {
  test("G8 OPS-38 an explanation sends the reads, no effect, and shows targets, before and after", async () => {
    const { apis } = world();
    const { agent, ref } = await open(surface, "explain");
    const plan = await agent.plan(ref, PROGRAM);
    apis.forgetRequests();
    const told = await explain(agent, ref, PROGRAM);
    expect(apis.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(told.meta).toMatchObject({
      dry_run: true,
      plan_commit_ref: plan.meta.plan_commit_ref,
      plan: { commit: (plan.meta as { plan?: { commit?: string } }).plan?.commit },
    });
    const [head = "", first = "", second = "", third = "", ...rest] = told.text.split("\n");
    const requests = apis.requests.length;
    expect(head).toBe(`explain review pc0 · ${requests} requests sent, 3 effects not sent`);
    const rows = told.results[0]?.rows as readonly { id: string; name: string }[];
    expect(rows).toHaveLength(2);
    for (const [line, row] of [
      [first, rows[0]],
      [second, rows[1]],
    ] as const) {
      const name = JSON.stringify(row?.name);
      expect(line).toContain(`update quay.Boat ${row?.id} · name ${name} → "painted", note `);
      expect(line).toMatch(new RegExp(`→ ${name}$`));
    }
    expect(third).toMatch(/^n\d+ ping quay\.Boat b1$/);
    expect(rest[0]).toBe("moored · 2 rows");
  });

  test("OPS-38 the ref that an explanation gives is the plan's, and runs it", async () => {
    const { apis } = world();
    const { agent, ref } = await open(surface, "explain, then run");
    const program = 'Boat("b2").ping()';
    const told = await explain(agent, ref, program);
    const { plan_commit_ref } = told.meta as { plan_commit_ref?: string };
    expect(plan_commit_ref).toBe("pc0");
    apis.forgetRequests();
    const run = await agent.run(ref, program, { plan_commit_ref: "pc0" });
    expect(run.text).toContain("done ping quay.Boat b2");
    expect(apis.requests).toHaveLength(1);
  });

  test("OPS-38 a read that fails is the failure of its explanation", async () => {
    const { agent, ref } = await open(surface, "explain what is not there");
    const failed = await failureOf(
      explain(agent, ref, 'none = Boat("nobody")\nBoat("b1").update(name=none.name)'),
    );
    expect(failed.problem.code).toBe("plasm-run-failed");
    expect(failed.message).toContain("error not_found at 1:8");
    expect(failed.message).toContain("known when n1 has run");
  });
});
