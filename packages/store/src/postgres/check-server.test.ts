import { expect, test } from "vitest";
import { unfit } from "./check-server.ts";

const fit = { version: 180_004, encoding: "UTF8", standby: false };

test.each([
  ["a current one", fit],
  ["the oldest that will do", { ...fit, version: 140_000 }],
])("%s", (_, facts) => {
  expect(unfit(facts)).toBeNull();
});

test.each([
  ["an older one", { ...fit, version: 130_011 }, /^it is PostgreSQL 13, and 14 is the oldest/],
  ["another encoding", { ...fit, encoding: "LATIN1" }, /^its encoding is LATIN1/],
  ["a standby", { ...fit, standby: true }, /name the primary/],
])("%s", (_, facts, why) => {
  expect(unfit(facts)).toMatch(why);
});
