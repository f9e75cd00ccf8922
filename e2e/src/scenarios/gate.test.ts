import { describe, expect, test } from "vitest";
import type { AgentClient, ProgramOptions } from "../harness/agent-client.ts";
import { failureOf } from "../harness/agent-failure.ts";
import type { ReviewMeta } from "../harness/answers.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { SURFACES, type Surface } from "../harness/surfaces.ts";
import { useWorld } from "../harness/use-world.ts";
import { READS_REVIEWED } from "../harness/world.ts";

const world = useWorld(() => ({ policy: READS_REVIEWED }));
const seeds = seedsOf("quay", "Boat");

/** Paged, and nothing of its condition is sent: expensive, so to be reviewed here (OPS-6). */
const REVIEW = "Boat{length>10}";
const OTHER_REVIEW = "Boat{length>11}";
const OK = "Boat.limit(2)";

async function open(surface: Surface, what: string) {
  const agent = await world().agent(surface);
  const { ref } = await openSession(agent, `${surface}: ${what}`, seeds);
  return { agent, ref };
}

/** The run must be held back: no request, a live ref for this very program (OPS-8, OPS-10). */
async function expectBlocked(
  agent: AgentClient,
  ref: string,
  options: ProgramOptions,
  reason: string,
  bracket: string,
): Promise<string> {
  world().apis.forgetRequests();
  const failure = await failureOf(agent.run(ref, REVIEW, options));
  expect(world().apis.requests).toEqual([]);
  expect(failure.problem).toMatchObject({ code: "plasm-review-required", status: 409, reason });
  const { plan_commit_ref: fresh } = failure.meta as unknown as ReviewMeta;
  expect(failure.message.split("\n")).toEqual([
    `review ${fresh}: not run (${bracket})`,
    "expensive unbounded_read n1 Boat: paged, filter is local",
    `Run again with plan_commit_ref=${fresh}`,
  ]);
  expect(failure.meta).toMatchObject({ dry_verdict: "review", dry_review: { expensive: true } });
  return fresh;
}

async function expectRun(agent: AgentClient, ref: string, options: ProgramOptions) {
  world().apis.forgetRequests();
  const run = await agent.run(ref, REVIEW, { ...options, wait: true });
  expect(world().apis.requests.length).toBeGreaterThan(0);
  expect(run.results[0]?.rows.length).toBeGreaterThan(0);
  return run;
}

describe.each(SURFACES)("%s, a plan to be reviewed", (surface) => {
  test("L15 without a ref it is blocked, and runs with the ref it is given", async () => {
    const { agent, ref } = await open(surface, "no ref");
    const fresh = await expectBlocked(agent, ref, {}, "none", "no ref");
    expect(fresh).toBe("pc0");
    await expectRun(agent, ref, { plan_commit_ref: fresh });
  });

  test("L15 L28 with the ref of its dry run it runs, and may again", async () => {
    const { agent, ref } = await open(surface, "live ref");
    const { text, meta } = await agent.plan(ref, REVIEW);
    expect(text.split("\n")[0]).toBe("plan review pc0 · 1 node, 1 request or more → Boat");
    for (const _time of [1, 2]) {
      const run = await expectRun(agent, ref, { plan_commit_ref: meta.plan_commit_ref });
      expect(run.meta.commit).toBe(meta.plan.commit);
    }
  });

  test("L15 an unknown ref, another plan's and another session's are refused by reason", async () => {
    const { agent, ref } = await open(surface, "other refs");
    const theirs = await open(surface, "their refs");
    await expectBlocked(agent, ref, { plan_commit_ref: "pc77" }, "unknown", "unknown ref pc77");
    const other = (await agent.plan(ref, OTHER_REVIEW)).meta.plan_commit_ref;
    const bracket = `${other} is of another program`;
    await expectBlocked(agent, ref, { plan_commit_ref: other }, "mismatch", bracket);
    for (const program of ["Boat", "Boat[id]", "Boat[name]", "Boat[owner]"]) {
      await theirs.agent.plan(theirs.ref, program);
    }
    const foreign = (await theirs.agent.plan(theirs.ref, REVIEW)).meta.plan_commit_ref;
    expect(foreign).toBe("pc4");
    await expectBlocked(agent, ref, { plan_commit_ref: foreign }, "unknown", "unknown ref pc4");
  });

  test("L15 L27 force runs it, whatever the ref, and mints a ref for the record", async () => {
    const { agent, ref } = await open(surface, "force");
    const run = await expectRun(agent, ref, { force: true });
    expect(run.meta).toMatchObject({ plan_commit_ref: "pc0" });
    await expectRun(agent, ref, { force: true, plan_commit_ref: "pc77" });
    await expectBlocked(agent, ref, { force: false }, "none", "no ref");
  });

  test("L13 a changed program needs a plan of its own", async () => {
    const { agent, ref } = await open(surface, "changed");
    const { meta } = await agent.plan(ref, REVIEW);
    const changed = agent.run(ref, OTHER_REVIEW, { plan_commit_ref: meta.plan_commit_ref });
    expect((await failureOf(changed)).problem.reason).toBe("mismatch");
  });
});

describe.each(SURFACES)("%s", (surface) => {
  test("L20 a plan that is ok runs with any ref or none; one of another plan adds a note", async () => {
    const { agent, ref } = await open(surface, "ok");
    const { meta } = await agent.plan(ref, OK);
    expect(meta.dry_verdict).toBe("ok");
    const bare = await agent.run(ref, OK);
    const own = await agent.run(ref, OK, { plan_commit_ref: meta.plan_commit_ref });
    expect(own.results).toEqual(bare.results);
    expect(own.text).not.toContain("note:");
    const other = (await agent.plan(ref, REVIEW)).meta.plan_commit_ref;
    const noted = await agent.run(ref, OK, { plan_commit_ref: other });
    expect(noted.results).toEqual(bare.results);
    expect(noted.text).toContain(`note: ${other} is not of this plan`);
  });

  test("L8 L9 dry runs mint pc0, pc1, …; an equal plan has the same ref", async () => {
    const { agent, ref } = await open(surface, "minting");
    const programs = [OK, REVIEW, OK, "Boat  .limit(2) ;; the same", REVIEW, "Boat.limit(3)"];
    const refs = [];
    for (const program of programs) {
      refs.push((await agent.plan(ref, program)).meta.plan_commit_ref);
    }
    expect(refs).toEqual(["pc0", "pc1", "pc0", "pc0", "pc1", "pc2"]);
  });

  test.each<ProgramOptions>([
    {},
    { force: true },
    { wait: true },
    { wait: false },
    { force: true, wait: true },
    { plan_commit_ref: "pc0", force: true },
    { mode: "plan", force: true },
  ])("G13 plasm never runs live, given %j", async (options) => {
    const { agent, ref } = await open(surface, `dry ${JSON.stringify(options)}`);
    world().apis.forgetRequests();
    for (const program of [OK, REVIEW]) {
      expect((await agent.plan(ref, program, options)).meta.dry_run).toBe(true);
    }
    expect(world().apis.requests).toEqual([]);
  });
});

describe.each(SURFACES.filter((surface) => surface !== "HTTP"))("%s", (surface) => {
  test.each(["run", "live", "", "PLAN"])("G13 plasm refuses mode %j", async (mode) => {
    const { agent, ref } = await open(surface, `mode ${mode}`);
    world().apis.forgetRequests();
    const failure = await failureOf(agent.plan(ref, OK, { mode, force: true }));
    expect(failure.problem).toMatchObject({ code: "plasm-bad-request", status: 400 });
    expect(world().apis.requests).toEqual([]);
  });
});
