import { describe, expect, test } from "vitest";
import { OWN_CALLERS, type CallerName } from "../harness/callers.ts";
import { refIn, type Told } from "../harness/talk.ts";
import { message, send, useSharedSession } from "./use-shared-session.ts";

const { talkOf, sent } = useSharedSession("plans by their refs alone");

/** Each plans what the next one runs: in a ring every caller does both. */
const RING = OWN_CALLERS.map((minter, at) => {
  const runner = OWN_CALLERS[(at + 1) % OWN_CALLERS.length] ?? minter;
  return [minter, runner] as const;
});

/** Those that are no process for each call; what is its own of the command line is tested beside it. */
const LASTING = OWN_CALLERS.filter((caller) => caller !== "command line");

async function refOfPlan(caller: CallerName, program: string): Promise<string> {
  const { outcome, text } = await talkOf(caller).plan(program);
  expect(outcome).toBe("done");
  const [, ref = ""] = /^plan \w+ (pc\d+) · /.exec(text) ?? [];
  return ref;
}

const withoutNote = ({ text }: Told): string => text.replace(/\nnote: pc\d+ ran \d+ s ago.*$/, "");

const outcomesOf = (told: readonly Told[]) => told.map(({ outcome }) => outcome);

describe("a reviewed plan runs by its ref alone (OPS-3, SURF-4)", () => {
  test.each(RING)("planned on %s, run once on %s", async (minter, runner) => {
    const note = `${minter} to ${runner}`;
    const options = { plan_commit_ref: await refOfPlan(minter, send(note)) };
    expect(sent()).toEqual([]);
    const first = await talkOf(runner).run(null, options);
    expect(first.outcome).toBe("done");
    expect(first.text).toMatch(/^done send quay\.Boat b1$/m);
    expect(sent()).toEqual([message(note)]);
    const again = [
      await talkOf(minter).run(null, options),
      await talkOf(minter).run(send(note), options),
    ];
    expect(outcomesOf(again)).toEqual(["done", "done"]);
    expect(again.map(withoutNote)).toEqual([first.text, first.text]);
    expect(again.map(({ text }) => text)).not.toContain(first.text);
    expect(sent()).toEqual([message(note)]);
  });

  test.each(LASTING)("%s: a block is passed by its fresh ref", async (caller) => {
    const talk = talkOf(caller);
    const note = `blocked of ${caller}`;
    const blocked = await talk.run(send(note));
    expect([blocked.outcome, sent()]).toEqual(["review", []]);
    const ran = await talk.run(null, { plan_commit_ref: refIn(blocked) });
    expect([ran.outcome, sent()]).toEqual(["done", [message(note)]]);
  });

  test.each(LASTING)("%s: a read gives the rows of its program", async (caller) => {
    const talk = talkOf(caller);
    const program = "Boat{state=moored}.limit(3)[id, name]";
    const options = { plan_commit_ref: await refOfPlan(caller, program) };
    const rows = ({ text }: Told): string => /```tsv\n[^`]*```/.exec(text)?.[0] ?? "";
    const [alone, whole] = [await talk.run(null, options), await talk.run(program)];
    expect(outcomesOf([alone, whole])).toEqual(["done", "done"]);
    expect(rows(alone)).toBe(rows(whole));
    expect(rows(alone).split("\n")).toHaveLength(6);
  });

  test.each(OWN_CALLERS)("%s: an unknown ref says what to do, with no request", async (caller) => {
    const told = await talkOf(caller).run(null, { plan_commit_ref: "pc77777", force: true });
    expect(told).toEqual({
      outcome: "review",
      text: "not run (unknown ref pc77777)\nPlan the program, and run the ref of that plan",
    });
    expect(sent()).toEqual([]);
  });

  test.each(LASTING)("%s: neither program nor ref is an error that names both", async (caller) => {
    expect(await talkOf(caller).run(null)).toEqual({
      outcome: "failed",
      text: "program is missing: one text, statements by line; or plan_commit_ref, the pcN of a plan, to run what was planned.",
    });
  });
});
