import { eachEffect } from "@plasm/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallerName, CALLERS, openTalk } from "../harness/callers.ts";
import { seedsOf } from "../harness/open-session.ts";
import { refIn, type Talk } from "../harness/talk.ts";
import { type Step, STEPS } from "./redmine-steps.ts";
import { prepareWork, type Work } from "./redmine-work.ts";
import { useRedmineWorld } from "./use-redmine-world.ts";

const redmine = useRedmineWorld();

/**
 * Each call of the Inspector is a process of its own: over each wire it takes half of the steps, those that
 * belong together, so that all are taken. Every other caller takes them all.
 */
const stepsOf = (caller: CallerName): readonly Step[] => {
  if (!caller.startsWith("Inspector")) return STEPS;
  return caller === "Inspector over stdio" ? STEPS.slice(0, 2) : STEPS.slice(2);
};

const seeds = seedsOf("redmine", "Issue", "TimeEntry");

/** The query of a read says nothing about effects. */
const isWrite = (request: string): boolean => !request.startsWith("GET ");
const path = (request: string): string => request.replace(/\?.*$/, "");

describe.each(CALLERS)("%s, on a real Redmine", (caller) => {
  let talk: Talk;
  let work: Work;
  beforeAll(async () => {
    const { world, records } = redmine();
    work = await prepareWork(records, caller);
    talk = await openTalk(caller, world, { intent: `${caller}: effects`, seeds });
  });
  afterAll(() => talk.close());

  const state = () => redmine().records.state(work.issues);

  test("its session teaches what changes data", () => {
    expect(talk.taught).toContain("Methods change data");
  });

  test.each(stepsOf(caller).map((step) => [step.does, step] as const))(
    "G1 L15 L28 %s: blocked, then done once, then told again",
    async (_, step) => {
      const { proxy } = redmine();
      const program = step.program(work);
      const before = await state();
      proxy.forgetRequests();

      const blocked = await talk.run(program);
      expect(blocked.outcome).toBe("review");
      const ref = refIn(blocked);
      expect(blocked.text).toMatch(new RegExp(`^review ${ref}: not run \\(no ref\\)\n`));
      const plan = await talk.plan(program);
      expect(plan.outcome).toBe("done");
      expect(plan.text.split("\n")[0]).toBe(`plan review ${ref} · ${step.planned}`);
      expect(proxy.requests).toEqual([]);

      const run = await talk.run(program, { plan_commit_ref: ref });
      expect(run, run.text).toMatchObject({ outcome: "done" });
      const after = await state();
      expect(proxy.requests.filter(isWrite).map(path)).toEqual(step.writes(work));
      step.recorded(work, before, after);
      const done = step.done(work, after);
      const told = run.text.split("\n").flatMap(eachEffect);
      expect(told.slice(-done.length)).toEqual(done);

      proxy.forgetRequests();
      const retried = await talk.run(program, { plan_commit_ref: ref });
      expect(retried.outcome).toBe("done");
      expect(retried.text.replace(/\nnote: .*$/, "")).toBe(run.text);
      expect(retried.text).toMatch(
        new RegExp(`\nnote: ${ref} ran \\d+ s ago(?: \\(r/\\d+\\))?; plan again to repeat it$`),
      );
      const again = await talk.run(program);
      expect(again.outcome).toBe("review");
      expect(refIn(again)).not.toBe(ref);
      expect(proxy.requests).toEqual([]);
      expect(await state()).toEqual(after);
    },
    180_000,
  );
});
