import fc from "fast-check";
import {
  type CellGiven,
  cellName,
  type CellOutcome,
  GATE_CELLS,
  type GateCell,
} from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import type { CommitRecord } from "../../records/commits.ts";
import { gate, GATE_ROWS, type GateInput, type GateOutcome } from "./gate.ts";

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

type Given = Pick<GateInput, "ref" | "record" | "hashRejected">;

const withRef = (over: Partial<CommitRecord> | null, hashRejected = false): Given => ({
  ref: "pc0",
  record: over === null ? null : record(over),
  hashRejected,
});

/** What the gate is told of what was given. */
function givenOf(given: CellGiven): Given {
  switch (given) {
    case "none":
      return { ref: null, record: null, hashRejected: false };
    case "none, hash rejected":
      return { ref: null, record: null, hashRejected: true };
    case "unknown":
    case "other session's":
    case "other principal's":
      return withRef(null);
    case "other plan's":
      return withRef({ commit: "sha256:b" });
    case "expired":
      return withRef({ expiresAt: NOW });
    case "live":
    case "waiting":
    case "approved":
      return withRef({ state: given });
    case "rejected":
      return withRef({ state: given }, true);
    case "consumed":
      return withRef({ state: given, expiresAt: NOW - 9 });
  }
}

/** What the gate must say of a cell. */
function expected(outcome: CellOutcome, { given, verdict, force }: GateCell): GateOutcome {
  const [kind, reason] = outcome.split(": ");
  switch (kind) {
    case "runs":
    case "runs, with a note": {
      const byRef = given === "live" || given === "waiting" || given === "approved";
      if (verdict === "ok") {
        const note = kind === "runs" ? null : "pc0 is not of this plan";
        const reviewed = byRef || force === "allowed";
        return { kind: "run", by: "ok", stands: byRef, note, reviewed };
      }
      const by = byRef ? "ref" : "force";
      return { kind: "run", by, stands: byRef, note: null, reviewed: true };
    }
    case "answers again":
      return { kind: "repeat" };
    case "rejected":
      return { kind: "rejected" };
    case "approval-required":
      return { kind: "approval_required" };
    case "force-denied":
      return { kind: "force_denied" };
    case "blocked":
      return { kind: "blocked", reason } as GateOutcome;
    default:
      throw new Error(`${outcome} is nothing that the gate says`);
  }
}

const inputOf = ({ level, verdict, given, force }: GateCell): GateInput => {
  if (level === "deny") throw new Error("A forbidden program never reaches the gate");
  const forced = { force: force !== "none", forceAllowed: force !== "forbidden" };
  return { level, verdict, commit: "sha256:a", ...givenOf(given), ...forced, now: NOW };
};

const cells = GATE_CELLS.filter(({ level }) => level !== "deny");

describe("the gate, cell by cell (PLAN-030, OPS-7, OPS-36)", () => {
  it.each(cells.map((cell) => [cellName(cell), cell] as const))("%s", (_, cell) => {
    expect(gate(inputOf(cell))).toEqual(expected(cell.outcome, cell));
  });

  it("no cell stands there twice", () => {
    const places = GATE_CELLS.map(({ level, verdict, given, force }) =>
      JSON.stringify([level, verdict, given, force]),
    );
    expect(new Set(places).size).toBe(places.length);
  });

  it("a consumed ref of another commit is of another program, not expired", () => {
    const spent = record({ commit: "sha256:b", state: "consumed", expiresAt: NOW - 9 });
    const cell: GateCell = {
      level: "agent",
      verdict: "review",
      given: "none",
      force: "none",
      outcome: "blocked: mismatch",
    };
    const outcome = gate({ ...inputOf(cell), ref: "pc0", record: spent });
    expect(outcome).toEqual({ kind: "blocked", reason: "mismatch" });
  });

  it("a rejected ref stays so beyond its time", () => {
    const [cell] = cells.filter(({ given }) => given === "rejected");
    if (cell === undefined) throw new Error("no such cell");
    const spent = record({ state: "rejected", expiresAt: NOW - 9 });
    expect(gate({ ...inputOf(cell), record: spent })).toEqual({ kind: "rejected" });
  });
});

describe("force never passes an operator line (OPS-8, OPS-36)", () => {
  it("whatever ref is given: only an approved one lets it run, and then without force", () => {
    const state = fc.constantFrom<CommitRecord["state"]>("live", "waiting", "approved", "rejected");
    const facts = fc.record({
      state,
      ref: fc.boolean(),
      known: fc.boolean(),
      same: fc.boolean(),
      expiresAt: fc.integer({ min: NOW - 2, max: NOW + 2 }),
      hashRejected: fc.boolean(),
      force: fc.boolean(),
      forceAllowed: fc.boolean(),
    });
    fc.assert(
      fc.property(facts, ({ state: of, ref, known, same, expiresAt, ...rest }) => {
        const commit = same ? "sha256:a" : "sha256:b";
        const outcome = gate({
          level: "operator",
          verdict: "review",
          commit: "sha256:a",
          ref: ref ? "pc0" : null,
          record: ref && known ? record({ state: of, commit, expiresAt }) : null,
          now: NOW,
          ...rest,
        });
        const approved = ref && known && same && of === "approved" && expiresAt > NOW;
        const runs = approved && !rest.force && !rest.hashRejected;
        expect(outcome.kind === "run").toBe(runs);
      }),
    );
  });

  it("the rows are frozen data, and each of them can match", () => {
    expect(Object.isFrozen(GATE_ROWS)).toBe(true);
    const reached = new Set(cells.map((cell) => gate(inputOf(cell)).kind));
    expect(reached).toEqual(
      new Set(["run", "repeat", "rejected", "approval_required", "force_denied", "blocked"]),
    );
  });
});
