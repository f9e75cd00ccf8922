import { describe, expect, it } from "vitest";
import type { Approval } from "../records.ts";
import { canStillReject, changedSince, hasExpired, isCut, whyNot } from "./approval-state.ts";

const AT = "2026-01-01T00:00:00.000Z";
const END = Date.parse(AT);

describe("what can be decided on a plan (SURF-31)", () => {
  it.each<[Approval["state"], number, boolean, RegExp, boolean]>([
    ["waiting", END - 1, false, /^it can$/, false],
    ["waiting", END, true, /waited too long and has expired/, false],
    ["approved", END - 1, false, /can still be rejected/, true],
    ["approved", END, true, /expired before it was run/, false],
    ["consumed", END, false, /has run/, false],
    ["rejected", END, false, /rejected it, and that is final/, false],
  ])("%s at %i", (state, now, expired, why, mayReject) => {
    const plan = { state, expires_at: AT, decided_by: "olga" };
    expect([hasExpired(plan, now), canStillReject(plan, now)]).toEqual([expired, mayReject]);
    expect(whyNot(plan, now) ?? "it can").toMatch(why);
  });

  it.each<[string | null, boolean]>([
    ['"aaa… (300 characters)', true],
    ['Boat(id="aaa… (300 characters))', true],
    ['"sold …"', false],
    [null, false],
  ])("%j is cut: %s", (shown, cut) => {
    expect(isCut(shown)).toBe(cut);
  });
});

describe("what changed while somebody read a plan", () => {
  const explained = (at: string, before: unknown, target = "Boat:b1") => ({
    at,
    effects: [
      {
        node: "n1",
        row: null,
        target,
        changes: [{ field: "note", before, after: "sold" }],
        error: null,
        behind: null,
      },
    ],
    omitted: 0,
  });
  const plan = (of: ReturnType<typeof explained> | null, commit = "sha256:1") => ({
    commit,
    explained: of,
  });

  it.each([
    [plan(null), plan(null), []],
    [plan(explained("1", "")), plan(explained("1", "")), []],
    [plan(null), plan(explained("1", "")), ["Its caller had it explained since"]],
    [plan(explained("1", "")), plan(explained("2", "")), ["with the same values"]],
    [
      plan(explained("1", "")),
      plan(explained("2", "mine")),
      ['was "" → "sold" and is "mine" → "sold" now'],
    ],
    [
      plan(explained("1", "")),
      plan(explained("2", undefined, "Boat:b2")),
      ["New: note of Boat:b2: not known", "No longer changed: note of Boat:b1"],
    ],
    [plan(null), plan(null, "sha256:2"), ["another plan"]],
  ])("case %#", (read, now, said) => {
    const found = changedSince(read, now);
    expect(found).toHaveLength(said.length);
    for (const [n, text] of said.entries()) expect(found[n]).toContain(text);
  });
});
