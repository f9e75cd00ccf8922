import { expect } from "vitest";
import { refIn, type Talk } from "../harness/talk.ts";

/** A plan of three effects, the second of which the API refuses. */
export interface Halfway {
  readonly catalog: string;
  readonly program: string;
  /** how the answer names the effect that was done, the one that failed, the one held back */
  readonly effects: readonly [done: string, failed: string, notStarted: string];
  /** what the API said of the second */
  readonly said: string;
  /** method and path of what was sent to change something */
  readonly writes: readonly string[];
}

/** The API's own account. */
export interface Witness {
  forgetRequests(): void;
  /** method and path of every request since */
  requests(): readonly string[];
  state(): Promise<unknown>;
}

export const isWrite = (request: string): boolean => !request.startsWith("GET ");

/**
 * What was done, what failed and what was not started is all told, and no later call repeats any of it
 * (OPS-29, PLAN-071, PLAN-072, ERR-020). Gives the ref it ran under.
 */
export async function expectHalfway(
  talk: Talk,
  halfway: Halfway,
  witness: Witness,
): Promise<string> {
  const { catalog, program, effects, said, writes } = halfway;
  const ref = refIn(await talk.run(program));
  witness.forgetRequests();
  const before = await witness.state();
  const run = await talk.run(program, { plan_commit_ref: ref });
  expect(run).toMatchObject({ outcome: "failed" });
  expect(witness.requests().filter(isWrite)).toEqual(writes);
  const after = await witness.state();
  expect(after).not.toEqual(before);

  const [first, ...lines] = run.text.split("\n");
  const [node] = /n\d+/.exec(effects[1]) ?? [];
  expect(first).toBe(`failed at ${node}: upstream_error 422 from ${catalog}`);
  expect(lines.slice(0, 4)).toEqual([
    "effects: 1 done, 1 failed, 1 not started",
    `done ${effects[0]}`,
    `failed ${effects[1]}`,
    `not started ${effects[2]}`,
  ]);
  expect(run.text).toContain(said);
  expect(run.text).toMatch(/^fix: .*do not repeat line \d/m);

  witness.forgetRequests();
  const retried = await talk.run(program, { plan_commit_ref: ref });
  expect(retried.outcome).toBe("failed");
  expect(retried.text.replace(/\nnote: .*$/, "")).toBe(run.text);
  expect(retried.text).toMatch(new RegExp(`\nnote: ${ref} ran \\d+ s ago(?: \\(r/\\d+\\))?$`));
  const again = await talk.run(program);
  expect(again.outcome).toBe("review");
  expect(refIn(again)).not.toBe(ref);
  expect(witness.requests()).toEqual([]);
  expect(await witness.state()).toEqual(after);
  return ref;
}
