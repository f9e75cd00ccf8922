import { describe, expect, test } from "vitest";
import { OWN_CALLERS, openTalk } from "../harness/callers.ts";
import { seedsOf } from "../harness/open-session.ts";
import { refIn, type Told } from "../harness/talk.ts";
import { message, send, useSharedSession } from "./use-shared-session.ts";

const seeds = seedsOf("quay", "Boat");
const { world, talkOf, sent } = useSharedSession("commits across surfaces");

/** The ref that a plan was given, in its first line. */
function refOfPlan({ outcome, text }: Told): string {
  expect(outcome).toBe("done");
  const [, ref] = /^plan review (pc\d+) · /.exec(text) ?? [];
  if (ref === undefined) throw new Error(`No ref in:\n${text}`);
  return ref;
}

function expectToldAgain(again: Told, first: Told, ref: string): void {
  expect(again.outcome).toBe("done");
  expect(again.text.replace(/\nnote: .*$/, "")).toBe(first.text);
  expect(again.text).toMatch(new RegExp(`\nnote: ${ref} ran \\d+ s ago`));
}

const pairs = OWN_CALLERS.flatMap((minter) =>
  OWN_CALLERS.filter((runner) => runner !== minter).map((runner) => [minter, runner] as const),
);

describe("one session over all surfaces", () => {
  test.each(pairs)("L11 G1 minted on %s, run once on %s", async (minter, runner) => {
    const note = `${minter} to ${runner}`;
    const ref = refOfPlan(await talkOf(minter).plan(send(note)));
    expect(sent()).toEqual([]);
    const run = await talkOf(runner).run(send(note), { plan_commit_ref: ref });
    expect(run).toMatchObject({ outcome: "done" });
    expect(run.text).toBe("done send quay.Boat b1");
    expect(sent()).toEqual([message(note)]);
    for (const caller of [minter, runner]) {
      const again = await talkOf(caller).run(send(note), { plan_commit_ref: ref });
      expectToldAgain(again, run, ref);
    }
    expect(sent()).toEqual([message(note)]);
  });

  test("G2 of runs on every surface under one ref one starts, in 50 races", async () => {
    // The command line is HTTP, and takes its time to start.
    const racers = OWN_CALLERS.filter((caller) => caller !== "command line");
    for (let race = 0; race < 50; race += 1) {
      const program = send(`race ${race}`);
      const minter = racers[race % racers.length] ?? "HTTP";
      const options = { plan_commit_ref: refOfPlan(await talkOf(minter).plan(program)) };
      world().apis.forgetRequests();
      const ended = await Promise.all(racers.map((racer) => talkOf(racer).run(program, options)));
      expect(sent(), `race ${race}`).toEqual([message(`race ${race}`)]);
      const first = ended.filter((one) => one.outcome === "done" && !one.text.includes("\nnote: "));
      expect(first).toHaveLength(1);
      // One that comes to another process while the run goes on is told to ask again (F24).
      const busy = ended.filter(({ outcome }) => outcome !== "done");
      for (const { text } of busy) expect(text).toContain(`${options.plan_commit_ref} is running`);
      const again = await talkOf(minter).run(program, options);
      expectToldAgain(again, first[0] as Told, options.plan_commit_ref);
      expect(sent()).toHaveLength(1);
    }
  });
});

describe.each(OWN_CALLERS)("%s, a plan with an effect", (caller) => {
  const effect = (what: string): string => send(`${what} of ${caller}`);

  test("L13 L15 an unknown ref, another program's and another session's are refused, each with its reason", async () => {
    const program = effect("refused");
    const talk = talkOf(caller);
    const changed = refOfPlan(await talk.plan(effect("changed")));
    const elsewhere = await openTalk(caller, world(), { intent: `${caller} elsewhere`, seeds });
    const theirs = refOfPlan(await elsewhere.plan(program));
    await elsewhere.close();
    expect(theirs).toBe("pc0");
    const refs = [
      ["pc77777", "unknown ref pc77777"],
      [changed, `${changed} is of another program`],
      // What has this name here is of another program, too.
      [theirs, `${theirs} is of another program`],
    ] as const;
    for (const [ref, bracket] of refs) {
      const blocked = await talk.run(program, { plan_commit_ref: ref });
      expect(blocked.outcome).toBe("review");
      expect(blocked.text).toMatch(`review ${refIn(blocked)}: not run (${bracket})\n`);
      expect(blocked.text).toContain("\nreview effect n1 Boat: send\n");
    }
    expect(sent()).toEqual([]);
    const last = await talk.run(program);
    expect((await talk.run(program, { plan_commit_ref: refIn(last) })).outcome).toBe("done");
    expect(sent()).toHaveLength(1);
  });

  test("L27 G22 a forced run consumes the ref of its plan", async () => {
    const program = effect("forced");
    const talk = talkOf(caller);
    const ref = refOfPlan(await talk.plan(program));
    const forced = await talk.run(program, { force: true });
    expect(forced.outcome).toBe("done");
    expectToldAgain(await talk.run(program, { plan_commit_ref: ref }), forced, ref);
    expect(sent()).toHaveLength(1);
    expect(refOfPlan(await talk.plan(program))).not.toBe(ref);
  });

  test("G13 planned with its ref and force, it is only planned", async () => {
    const program = effect("planned");
    const talk = talkOf(caller);
    const ref = refOfPlan(await talk.plan(program));
    for (const options of [
      { force: true },
      { plan_commit_ref: ref },
      { plan_commit_ref: ref, force: true },
    ]) {
      expect(refOfPlan(await talk.plan(program, options))).toBe(ref);
    }
    expect(world().apis.requests).toEqual([]);
  });
});
