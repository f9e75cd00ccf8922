import { LOCAL, type Caller } from "@plasm/agent-core";
import type { Policy } from "@plasm/core";
import {
  ALONE_CELLS,
  cellName,
  GATE_CELLS,
  type CellForce,
  type CellLevel,
  type GateCell,
} from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import {
  GATE_SURFACES,
  refIn,
  uuidIn,
  type GateAgent,
  type GateSurface,
  type Told,
} from "./gate-agent.ts";
import { useGateWorld } from "./use-gate-world.ts";

const world = useGateWorld();

const BOB: Caller = { ...LOCAL, subject: "bob" };
const OPERATOR = { scope: LOCAL.scope, subject: "ann" };
const OPERATORS: Policy = { apis: { quay: { approval: { operator: ["update"] } } } };

function policyOf(level: CellLevel, force: CellForce): Policy {
  const forced = force === "none" ? {} : { force: force === "allowed" };
  switch (level) {
    case "deny":
      return { apis: { quay: { deny: ["boat_update"] } }, ...forced };
    case "agent":
      return forced;
    case "operator":
      return { ...OPERATORS, ...forced };
  }
}

let programs = 0;
/** A program that no other cell has. */
const programOf = (verdict: "ok" | "review"): string => {
  programs += 1;
  return verdict === "ok"
    ? `Boat("b${programs}")[id]`
    : `Boat("b1").update(note="cell ${programs}")`;
};

interface Cell {
  readonly agent: GateAgent;
  readonly program: string;
  readonly surface: GateSurface;
  readonly intent: string;
}

/** Puts a plan before an operator, and gives what the first call was told. */
async function waiting({ agent, program }: Cell): Promise<Told> {
  world().setPolicy(OPERATORS);
  return agent.run(program);
}

async function decided(cell: Cell, verdict: "approved" | "rejected"): Promise<string> {
  const told = await waiting(cell);
  await world().approvals.decide(OPERATOR, uuidIn(told), verdict);
  return refIn(told);
}

/** Brings about what a cell says is given; resolves to the ref to send, if any. */
async function prepare(cell: Cell, { given, verdict }: GateCell): Promise<string | null> {
  const { agent, program, surface, intent } = cell;
  switch (given) {
    case "none":
      return null;
    case "unknown":
      return "pc77";
    case "expired": {
      const ref = refIn(await agent.plan(program));
      world().advance(600_000);
      return ref;
    }
    case "other plan's":
      return refIn(await agent.plan(programOf(verdict)));
    case "other session's": {
      const other = await world().agent(surface);
      await other.plan(programOf(verdict));
      return refIn(await other.plan(program));
    }
    case "other principal's":
      return refIn(await (await world().agent(surface, intent, BOB)).plan(program));
    case "live":
      return refIn(await agent.plan(program));
    case "waiting":
      return refIn(await waiting(cell));
    case "approved":
    case "rejected":
      return decided(cell, given);
    case "none, hash rejected":
      await decided(cell, "rejected");
      return null;
    case "consumed": {
      const ref = refIn(await agent.plan(program));
      const ran = await agent.run(program, { plan_commit_ref: ref });
      if (ran.code !== null) throw new Error(ran.text);
      return ref;
    }
  }
}

/** What is seen of a call: its problem, the requests that it sent, and its note. */
interface Seen {
  readonly problem: readonly [code: string, status: number, reason: string | null] | null;
  readonly requests: number;
  readonly note: "none" | "not of this plan" | "ran before";
}

const RAN = { problem: null, requests: 1, note: "none" } as const;
const held = (code: string, status: number, reason: string | null = null): Seen => ({
  problem: [code, status, reason],
  requests: 0,
  note: "none",
});

function expected({ outcome }: GateCell): Seen {
  switch (outcome) {
    case "runs":
      return RAN;
    case "runs, with a note":
      return { ...RAN, note: "not of this plan" };
    case "answers again":
      return { problem: null, requests: 0, note: "ran before" };
    case "policy_denied":
    case "rejected":
      return held("plasm-policy-denied", 403);
    case "approval-required":
      return held("plasm-approval-required", 409);
    case "force-denied":
      return held("plasm-force-denied", 403);
    case "blocked: none":
    case "blocked: unknown":
    case "blocked: expired":
    case "blocked: mismatch":
      return held("plasm-review-required", 409, outcome.slice("blocked: ".length));
  }
}

function noteIn(text: string): Seen["note"] {
  if (/note: pc\d+ is not of this plan/.test(text)) return "not of this plan";
  return /note: pc\d+ ran \d+ s ago/.test(text) ? "ran before" : "none";
}

const seen = ({ code, status, reason, text }: Told): Seen => ({
  problem: code === null ? null : [code, status ?? 0, reason],
  requests: world().sent().length,
  note: noteIn(text),
});

/** Brings a cell about in a session of its own, and runs with the program or by the ref alone. */
async function judge(
  surface: GateSurface,
  intent: string,
  cell: GateCell,
  alone: boolean,
): Promise<Told> {
  world().setPolicy({});
  const program = programOf(cell.verdict);
  const place = { agent: await world().agent(surface, intent), program, surface, intent };
  const ref = await prepare(place, cell);
  world().sent();
  world().setPolicy(policyOf(cell.level, cell.force));
  return place.agent.run(alone ? null : program, {
    ...(ref === null ? {} : { plan_commit_ref: ref }),
    ...(cell.force === "none" ? {} : { force: true }),
  });
}

const named = (cells: readonly GateCell[]) => cells.map((cell) => [cellName(cell), cell] as const);

describe.each(GATE_SURFACES)(
  "the gate over %s, cell by cell (PLAN-030, OPS-7, OPS-36)",
  (surface) => {
    it.each(named(GATE_CELLS))("%s", async (name, cell) => {
      const told = await judge(surface, `${surface}: ${name}`, cell, false);
      expect(seen(told)).toEqual(expected(cell));
    });

    it.each(named(ALONE_CELLS))("without the program: %s", async (name, cell) => {
      const told = await judge(surface, `${surface}, alone: ${name}`, cell, true);
      expect(seen(told)).toEqual(expected(cell));
    });
  },
);
