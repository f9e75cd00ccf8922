import { describe, expect, test } from "vitest";
import type { AgentRun } from "../harness/answers.ts";
import { failureOf } from "../harness/agent-failure.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { SURFACES } from "../harness/surfaces.ts";
import { useWorld } from "../harness/use-world.ts";

/** Boats come by 20, four pages of them: two requests are half of what the sort reads. */
const world = useWorld(() => ({ policy: { unreviewed_reads: { requests: 2 } } }));
const SORTED = "old = Boat.sort(built, id)[id]\nold";
const EFFECT = 'old = Boat.sort(built, id).limit(1)\nold => Boat(_.id).update(note="old")';

/** Arguments that leave `wait` to the server. */
const UNASKED = { wait: undefined } as unknown as { readonly wait?: boolean };

const idsOf = ({ results }: AgentRun) => results[0]?.rows.map(({ id }) => id);

describe.each(SURFACES)("%s, a read that may be large (PLAN-054)", (surface) => {
  test("runs at once and stops, and its cursor and its ref each come to the whole", async () => {
    const agent = await world().agent(surface);
    const { ref } = await openSession(agent, `${surface}: sorted boats`, seedsOf("quay", "Boat"));
    const planned = await agent.plan(ref, SORTED);
    expect(planned.meta).toMatchObject({
      dry_verdict: "ok",
      dry_review: { expensive: true, stops_at: { requests: 2, rows: 2_000 } },
    });
    world().apis.forgetRequests();
    const cut = await agent.run(ref, SORTED, UNASKED);
    expect(world().apis.requests).toHaveLength(2);
    expect([idsOf(cut)?.length, cut.meta.steps[0]?.partial]).toEqual([40, "requests"]);
    expect(cut.text).toContain(
      "\nstopped at 2 requests; plan_commit_ref=pc0 reads under the full budgets",
    );
    expect(cut.meta).toMatchObject({ stopped_at: { requests: 2, rows: 2_000 } });
    const handle = cut.meta.paging[0]?.next_page_handle;
    const paged = await agent.run(ref, `page(${handle})`);
    const whole = await agent.run(ref, SORTED, { plan_commit_ref: "pc0", wait: true });
    expect([whole.meta.steps[0]?.partial, whole.meta.paging]).toEqual([null, []]);
    expect(whole.text).not.toContain("stopped at");
    expect(idsOf(whole)?.length).toBeGreaterThan(60);
    expect(idsOf(paged)).toEqual(idsOf(whole));
  });

  test("LANG-076 is reviewed where an effect follows, and sends nothing before that", async () => {
    const agent = await world().agent(surface);
    const { ref } = await openSession(agent, `${surface}: an old boat`, seedsOf("quay", "Boat"));
    world().apis.forgetRequests();
    const { problem } = await failureOf(agent.run(ref, EFFECT));
    expect(problem).toMatchObject({ code: "plasm-review-required", status: 409 });
    expect(world().apis.requests).toEqual([]);
  });
});
