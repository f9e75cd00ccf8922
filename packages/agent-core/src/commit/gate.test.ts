import { describe, expect, it } from "vitest";
import type { CommitRecord } from "../records/commit-record.ts";
import { gate, type GateInput } from "./gate.ts";

const NOW = 1_000_000;

const record = (over: Partial<CommitRecord> = {}): CommitRecord => ({
  uuid: "u",
  ref: "pc0",
  session: { promptHash: "h", sessionId: "s" },
  principal: "p",
  commit: "sha256:a",
  verdict: "review",
  state: "live",
  hasEffects: false,
  mintedAt: NOW - 1,
  expiresAt: NOW + 1,
  ...over,
});

const input = (over: Partial<GateInput> = {}): GateInput => ({
  verdict: "review",
  commit: "sha256:a",
  ref: "pc0",
  record: record(),
  force: false,
  forceAllowed: true,
  now: NOW,
  ...over,
});

describe("gate (OPS-7, PLAN-030)", () => {
  it.each<[string, Partial<GateInput>, object]>([
    [
      "ok runs without a ref",
      { verdict: "ok", ref: null, record: null },
      { kind: "run", by: "ok", note: null },
    ],
    ["ok runs with its ref", { verdict: "ok" }, { kind: "run", by: "ok", note: null }],
    [
      "ok runs with another ref, with a note",
      { verdict: "ok", commit: "sha256:b" },
      { kind: "run", by: "ok", note: "pc0 is not of this plan" },
    ],
    ["review without ref", { ref: null, record: null }, { kind: "blocked", reason: "none" }],
    ["review with a live ref", {}, { kind: "run", by: "ref", note: null }],
    [
      "review with a live ref and force, which is not needed and may be forbidden",
      { force: true, forceAllowed: false },
      { kind: "run", by: "ref", note: null },
    ],
    ["review with an unknown ref", { record: null }, { kind: "blocked", reason: "unknown" }],
    [
      "review with an expired ref",
      { record: record({ expiresAt: NOW }) },
      { kind: "blocked", reason: "expired" },
    ],
    [
      "review with another plan's ref",
      { commit: "sha256:b" },
      { kind: "blocked", reason: "mismatch" },
    ],
    [
      "a consumed ref of an equal commit answers again, also after its time",
      { record: record({ state: "consumed", expiresAt: NOW - 9 }) },
      { kind: "repeat" },
    ],
    [
      "a consumed ref is never forced into a second run",
      { record: record({ state: "consumed" }), force: true },
      { kind: "repeat" },
    ],
    [
      "force without ref",
      { ref: null, record: null, force: true },
      { kind: "run", by: "force", note: null },
    ],
    [
      "force whatever the ref: unknown",
      { record: null, force: true },
      { kind: "run", by: "force", note: null },
    ],
    [
      "force whatever the ref: expired",
      { record: record({ expiresAt: NOW }), force: true },
      { kind: "run", by: "force", note: null },
    ],
    [
      "force whatever the ref: another plan's",
      { commit: "sha256:b", force: true },
      { kind: "run", by: "force", note: null },
    ],
    [
      "ok runs with force, which is not needed and may be forbidden",
      { verdict: "ok", force: true, forceAllowed: false },
      { kind: "run", by: "ok", note: null },
    ],
    [
      "a consumed ref of another commit is of another program, not expired",
      { commit: "sha256:b", record: record({ state: "consumed", expiresAt: NOW - 9 }) },
      { kind: "blocked", reason: "mismatch" },
    ],
    [
      "force against policy",
      { ref: null, record: null, force: true, forceAllowed: false },
      { kind: "force_denied" },
    ],
  ])("%s", (_, over, outcome) => expect(gate(input(over))).toEqual(outcome));
});
