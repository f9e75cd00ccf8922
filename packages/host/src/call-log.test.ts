import { LOCAL } from "@plasm/agent-core";
import { actingIn, HOSTILE_TEXTS } from "@plasm/testkit";
import { pino } from "pino";
import { metrics } from "@opentelemetry/api";
import { afterEach, describe, expect, it } from "vitest";
import {
  type CallNote,
  callLogTo,
  type CallRecord,
  logCall,
  logLevelIn,
  notePlan,
  notingCaller,
  plainRecords,
} from "./call-log.ts";

describe("logCall (SURF-28)", () => {
  it("writes tenant, ref, outcome, ms and tokens out, once", async () => {
    const records: CallRecord[] = [];
    const result = await logCall(
      (one) => records.push(one),
      LOCAL,
      "plasm",
      async (note) => {
        note.ref = "s0";
        note.text = "plan ok pc0";
        return 7;
      },
    );
    expect(result).toBe(7);
    expect(records).toEqual([
      {
        name: "plasm",
        tenant: "anonymous",
        subject: "local",
        ref: "s0",
        outcome: "ok",
        ms: expect.any(Number) as number,
        tokensOut: 4,
      },
    ]);
  });

  it("18.19 SESS-9 holds no part of what names a session besides a slot", async () => {
    const secret = "0123456789abcdef0123456789abcdef";
    const uuid = "39ad07ed-a993-5e07-8906-d133325d4e79";
    const hash = "f".repeat(64);
    const refs = [`/execute/${hash}/${secret}`, uuid, `x${secret}`, "s12"];
    const records: CallRecord[] = [];
    for (const ref of [...refs, ...refs]) {
      await logCall(
        (one) => records.push(one),
        LOCAL,
        "plasm",
        async (note) => void (note.ref = ref),
      );
    }
    const told = JSON.stringify(records);
    for (const named of [secret, uuid]) {
      for (let at = 0; at + 5 <= named.length; at += 1) {
        expect(told).not.toContain(named.slice(at, at + 5));
      }
    }
    const logged = records.map(({ ref }) => ref);
    expect(logged[3]).toBe("s12");
    // Calls of one session can still be told from those of another.
    expect(logged.slice(0, 4)).toEqual(logged.slice(4));
    expect(new Set(logged).size).toBe(4);
  });

  it("writes nothing of a call without a name", async () => {
    const records: CallRecord[] = [];
    await logCall(
      (one) => records.push(one),
      LOCAL,
      null,
      async () => undefined,
    );
    expect(records).toEqual([]);
  });
});

describe("SURF-28 OPS-60 what ties a record to the audit log", () => {
  const note = (): CallNote => ({ name: "plasm_run", ref: null, outcome: "ok", text: "" });

  it("is the request, the plan with its hash, and the run, by the names that the audit log has", async () => {
    const lines: string[] = [];
    const logger = pino({ base: null }, plainRecords({ write: (line) => void lines.push(line) }));
    await logCall(callLogTo(logger), LOCAL, "plasm_run", async (one) => {
      const caller = notingCaller({ ...LOCAL, requestId: "req-1" }, one);
      caller.onRun?.("run-uuid");
      notePlan(one, { plan_commit_ref: "pc3", commit: "sha256:ab" });
    });
    await logCall(callLogTo(logger), LOCAL, "plasm", async () => undefined);
    const [full, bare] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(full).toMatchObject({
      request_id: "req-1",
      plan_commit_ref: "pc3",
      commit: "sha256:ab",
      operation_uuid: "run-uuid",
    });
    expect(Object.keys(bare ?? {})).not.toContain("plan_commit_ref");
    expect(Object.keys(bare ?? {})).not.toContain("operation_uuid");
  });

  it("a call that came by no request has an id of its own, which the caller has, too", () => {
    const [one, other] = [note(), note()];
    const ids = [notingCaller(LOCAL, one), notingCaller(LOCAL, other)].map((c) => c.requestId);
    expect(ids).toEqual([one.requestId, other.requestId]);
    expect(new Set(ids).size).toBe(2);
  });

  it("of a dry run the hash stands in its plan, and what is no text is left out", () => {
    const one = note();
    notePlan(one, { plan_commit_ref: "pc0", plan: { hash: "sha256:cd" } });
    expect([one.planCommitRef, one.commit]).toEqual(["pc0", "sha256:cd"]);
    const other = note();
    notePlan(other, { plan_commit_ref: 7, plan: { hash: null } });
    expect([other.planCommitRef, other.commit]).toEqual([undefined, undefined]);
  });
});

describe("OPS-44 the times of calls", () => {
  afterEach(() => metrics.disable());

  /** A provider that counts how often an instrument is made, and what is recorded with it. */
  function provider() {
    const seen = { made: 0, recorded: 0 };
    const histogram = { record: () => void (seen.recorded += 1) };
    const meter = {
      createHistogram: () => {
        seen.made += 1;
        return histogram;
      },
    };
    return { seen, given: { getMeter: () => meter } as never };
  }

  it("are counted by one instrument, also where metrics are set up after the first calls", async () => {
    const call = () => logCall(undefined, LOCAL, "plasm", async () => undefined);
    await call();
    const [first, second] = [provider(), provider()];
    metrics.setGlobalMeterProvider(first.given);
    await call();
    await call();
    metrics.disable();
    metrics.setGlobalMeterProvider(second.given);
    await call();
    expect([first.seen, second.seen]).toEqual([
      { made: 1, recorded: 2 },
      { made: 1, recorded: 1 },
    ]);
  });
});

it("a record is one line of JSON in which nothing acts, and which says the same", () => {
  const lines: string[] = [];
  const logger = pino({ base: null }, plainRecords({ write: (line) => void lines.push(line) }));
  for (const { text } of HOSTILE_TEXTS) logger.warn({ err: new Error(text), tenant: text }, text);
  expect(lines).toHaveLength(HOSTILE_TEXTS.length);
  for (const [at, line] of lines.entries()) {
    expect(actingIn(line)).toEqual([]);
    expect(line.indexOf("\n")).toBe(line.length - 1);
    const { text } = HOSTILE_TEXTS[at] ?? { text: "" };
    expect(JSON.parse(line)).toMatchObject({ tenant: text, msg: text });
  }
});

it("SURF-28: what a call says is its session takes no more than its place", async () => {
  const records: CallRecord[] = [];
  const log = (one: CallRecord): void => void records.push(one);
  await logCall(log, LOCAL, "plasm", async (note) => {
    note.ref = "s".repeat(1_000_000);
  });
  expect(records[0]?.ref).toMatch(/^#[0-9a-f]{12}$/);
});

it.each([
  [undefined, "info"],
  ["", "info"],
  ["debug ", "debug"],
  ["silent", "silent"],
])("PLASM_LOG=%j is the level %s", (PLASM_LOG, level) =>
  expect(logLevelIn({ PLASM_LOG })).toBe(level),
);

it("another level is refused, with those that there are", () => {
  const reading = () => logLevelIn({ PLASM_LOG: "loud" });
  expect(reading).toThrow(/^PLASM_LOG must be one of info, trace, debug, .*, got "loud"\.$/);
});
