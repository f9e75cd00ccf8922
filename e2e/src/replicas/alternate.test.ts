import type { PostgresUrlName } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { meetCrowd } from "./crowd.ts";
import { playKilled } from "./kills.ts";
import { playSession } from "./play.ts";
import { WAYS } from "./speaker.ts";
import { type Stage, startStage } from "./stage.ts";

const SERVER: PostgresUrlName = "postgresUrl";

let alone: Stage;
let both: Stage;

beforeAll(async () => {
  const url = inject(SERVER);
  [alone, both] = await Promise.all([startStage(url, 1), startStage(url, 2)]);
});
afterAll(() => Promise.all([alone.close(), both.close()]));

describe.each(WAYS)("%s", (way) => {
  test("SESS-33 G18 who alternates between two replicas at every call is told what one tells", async () => {
    const told = await playSession(alone, way);
    const other = await playSession(both, way);
    expect(other).toEqual(told);
    expect(told.length).toBeGreaterThan(25);
  });
});

/** After an open, between a plan and its run, and between two pages. */
const GAPS: readonly number[] = [5, 13, 20];

test("SESS-35 F8 G18 kill -9 of who served the last call loses nothing", async () => {
  const told = await playSession(alone, "MCP 2025");
  const killed = await playKilled(both, "MCP 2025", "last", (call) => GAPS.includes(call));
  expect(killed).toEqual({ told, kills: GAPS.length });
});

test("F6 F23 P2 20 sessions of 5 calls, two of each at the same time, one at each replica", async () => {
  const { calls, ...faults } = await meetCrowd(both, { sessions: 20, calls: 5 });
  expect(faults).toEqual({ errors: [], lostWaves: [], duplicateSymbols: [] });
  expect(calls).toBeGreaterThan(100);
});
