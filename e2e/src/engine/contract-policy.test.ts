import type { Policy } from "@plasm/core";
import { afterEach, describe, expect, it } from "vitest";
import { timesIn } from "../harness/times-in.ts";
import { caller, engineUnderTest, type EngineUnderTest } from "./engine-under-test.ts";

/** The part `effects` in the words of the specification (TEACH-33). */
const EFFECTS =
  "Methods change data: E(id).m(p=v), E.m(p=v); per row: a => E(_.p).m(p=_.p). All run, in order.";

const WRITES = ["boat_create", "boat_update", "boat_ping", "boat_send", "boat_delete"];

const seeds = (api: string, ...entities: readonly string[]) =>
  entities.map((entity) => ({ api, entity }));

const CALLS = [
  seeds("yard", "Boat"),
  seeds("quay", "Person"),
  seeds("quay", "Boat"),
  seeds("quay", "Visit", "Log"),
];

let under: EngineUnderTest | undefined;
afterEach(async () => {
  await under?.dispose();
  under = undefined;
});

/** How often each call of a session sends the part. */
async function sent(policy: Policy): Promise<readonly number[]> {
  under = await engineUnderTest(new Map(), policy);
  const counts: number[] = [];
  for (const call of CALLS) {
    const { text } = await under.engine.context(caller(), { intent: "boats", seeds: call });
    counts.push(timesIn(text, EFFECTS));
  }
  const replay = { intent: "boats", seeds: CALLS[0], replay: true };
  const again = await under.engine.context(caller(), replay);
  return [...counts, timesIn(again.text, EFFECTS)];
}

describe("the contract part effects under a policy (TEACH-32, SURF-25)", () => {
  it.each<[string, Policy]>([
    ["forbids effects", { apis: { quay: { effects: false }, yard: {} } }],
    ["denies each of them by name", { apis: { quay: { deny: WRITES }, yard: {} } }],
  ])("never comes where it %s", async (_, policy) => {
    expect(await sent(policy)).toEqual([0, 0, 0, 0, 0]);
  });

  it.each<[string, Policy]>([
    ["says nothing", {}],
    ["allows both catalogs", { apis: { quay: {}, yard: {} } }],
    ["forbids them in the other catalog", { apis: { quay: {}, yard: { effects: false } } }],
    ["leaves one mutation", { apis: { quay: { deny: WRITES.slice(1) }, yard: {} } }],
  ])("comes once where it %s", async (_, policy) => {
    expect(await sent(policy)).toEqual([0, 0, 1, 0, 1]);
  });
});
