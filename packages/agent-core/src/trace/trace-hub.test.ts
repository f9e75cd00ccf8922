import { describe, expect, test } from "vitest";
import type { TimedFact } from "../records/traces.ts";
import { GatheredFacts } from "./trace-hub.ts";
import { joined, KEPT_EVENTS } from "./append-batch.ts";

const fact = (at: number): TimedFact => ({ type: "graft", graft_id: `g${at}`, bytes: 1, at });
const facts = (count: number, from = 0): TimedFact[] =>
  Array.from({ length: count }, (_none, at) => fact(from + at));

describe("SURF-29: facts that wait to be written", () => {
  test.each([
    [1, 0],
    [KEPT_EVENTS, 0],
    [KEPT_EVENTS + 1, 1],
    [2 * KEPT_EVENTS, KEPT_EVENTS],
    [2 * KEPT_EVENTS + 500, KEPT_EVENTS + 500],
    [5 * KEPT_EVENTS + 1, 4 * KEPT_EVENTS + 1],
  ])("of %i the newest are kept, %i are counted alone", (count, skipped) => {
    const gathered = new GatheredFacts();
    for (const one of facts(count)) gathered.add(one);
    const batch = gathered.batch();
    expect(batch.facts).toEqual(facts(count - skipped, skipped));
    expect([batch.skipped, batch.totals.grafts]).toEqual([skipped, count]);
  });

  test("a batch stays as it is when more come", () => {
    const gathered = new GatheredFacts();
    gathered.add(fact(0));
    const batch = gathered.batch();
    gathered.add(fact(1));
    expect(batch.facts).toEqual(facts(1));
    expect(gathered.batch().facts).toEqual(facts(2));
  });

  test("what was refused comes before what came since, and counts with it", () => {
    const [before, since] = [new GatheredFacts(), new GatheredFacts()];
    for (const one of facts(KEPT_EVENTS + 5)) before.add(one);
    since.add(fact(KEPT_EVENTS + 5));
    const again = new GatheredFacts(joined(before.batch(), since.batch()));
    again.add(fact(KEPT_EVENTS + 6));
    const { facts: kept, skipped, totals } = again.batch();
    expect(kept).toEqual(facts(KEPT_EVENTS, 7));
    expect([skipped, totals.grafts]).toEqual([7, KEPT_EVENTS + 7]);
  });
});
