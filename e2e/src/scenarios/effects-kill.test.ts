import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@plasm/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Account, accountOf, agreeing } from "../engine/doomed/account.ts";
import {
  type Death,
  deaths,
  deathText,
  dieIn,
  leavesRun,
  standing,
} from "../engine/doomed/death.ts";
import { FIVE_EFFECTS, type FiveEffects } from "../engine/doomed/five-effects.ts";
import { type HostOptions, HostProcess } from "../engine/doomed/host-process.ts";
import type { HostAnswer } from "../engine/doomed/protocol.ts";
import { type Harbour, startHarbour } from "../harness/harbour.ts";

/** More than a lease (OPS-31): the store's clock is put ahead so far at each death. */
const LEASE_PASSED_MS = 31_000;

/** How long a host that goes on may take to find out how the dead one's run ended. */
const PATIENCE_MS = 10_000;

/** Kills at instants nobody chose, besides those at every boundary. */
const AT_RANDOM = 10;

const session = { intent: "killed", seeds: [{ api: "quay", entity: "Boat" }] };

let dir: string;
let harbour: Harbour;
let options: Omit<HostOptions, "clockAhead">;
let clockAhead = 0;
let ref: string;
/** how long a run that nobody disturbs takes */
let runMs: number;
/** The host that the last test started: it answers for the dead one before it, then dies in turn. */
let host: HostProcess;
let marks = 0;
const started: HostProcess[] = [];

/** Starts a host, which has to find out about the dead one, after its lease or before. */
async function startNext(): Promise<HostProcess> {
  const next = await HostProcess.start({ ...options, clockAhead });
  started.push(next);
  return next;
}

function textOf(meta: JsonObject, name: string): string {
  const value = meta[name];
  if (typeof value !== "string") throw new Error(`${name} is missing`);
  return value;
}

const plan = async (program: string): Promise<string> => {
  const { meta, problem } = await host.ask({ call: "plan", ref, program });
  if (problem !== null) throw new Error(problem.text);
  return textOf(meta, "plan_commit_ref");
};

const run = (program: string, commit: string): Promise<HostAnswer> =>
  host.ask({ call: "run", ref, program, commit });

/**
 * Five effects that nobody has asked for yet; from here on the harbour counts what is performed. The kinds
 * take turns so that each of three deaths in a row meets each of them.
 */
async function prepare(at: number): Promise<FiveEffects> {
  const make = FIVE_EFFECTS[(at + Math.floor(at / 3)) % FIVE_EFFECTS.length];
  if (make === undefined) throw new Error("no program");
  marks += 1;
  const five = await make(harbour, `mark${marks}`);
  harbour.forget();
  return five;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-kill-"));
  harbour = await startHarbour(join(dir, "apis"));
  options = { dataDir: join(dir, "data"), quay: harbour.url };
  host = await startNext();
  const opened = await host.ask({ call: "context", request: session });
  ref = textOf(opened.meta, "logical_session_ref");
});
afterAll(async () => {
  await Promise.all(started.map((one) => one.kill()));
  await harbour.close();
  await rm(dir, { recursive: true, force: true });
});

/** Sends the program again until its run is no longer held to be alive. */
async function tellAgain(five: FiveEffects, commit: string): Promise<HostAnswer> {
  for (const until = Date.now() + PATIENCE_MS; ;) {
    const answer = await run(five.program, commit);
    if (answer.problem?.code !== "plasm-busy" || Date.now() > until) return answer;
    expect(answer.problem).toMatchObject({ retryable: true });
    await sleep(20);
  }
}

/** What the answer tells is what happened, of every effect, and nothing happened twice (PLAN-072). */
async function expectTold({ text }: HostAnswer, five: FiveEffects): Promise<Account> {
  const account = await accountOf(text, five, harbour);
  expect(account, text).toEqual(agreeing(account));
  return account;
}

const withoutNote = ({ text }: HostAnswer): string => text.replace(/\nnote: .*$/, "");

test("all five are done where nobody is killed, and a second send repeats that", async () => {
  for (const at of [0, 1, 2]) {
    const five = await prepare(at);
    const commit = await plan(five.program);
    const started = performance.now();
    const first = await run(five.program, commit);
    runMs = performance.now() - started;
    expect(first.problem).toBe(null);
    expect((await expectTold(first, five)).done).toBe(5);
    const again = await run(five.program, commit);
    expect(withoutNote(again)).toBe(first.text);
    expect(harbour.performed()).toHaveLength(5);
  }
  await host.end();
  host = await startNext();
});

/** How long a replica is watched that must not go on yet, once it has planned what it is to repeat. */
const WATCH_MS = 100;

async function takeOver(death: Death, five: FiveEffects, commit: string): Promise<void> {
  const next = await startNext();
  await dieIn(death, host, harbour, () => void run(five.program, commit), runMs);
  host = next;
  let told = false;
  const early = run(five.program, commit).then((answer) => {
    told = true;
    return answer;
  });
  const sent = harbour.performed();
  await plan(five.program);
  await sleep(WATCH_MS);
  if (leavesRun(death)) expectHeld(told, sent);
  clockAhead += LEASE_PASSED_MS;
  await host.ask({ call: "put clock ahead", by: clockAhead });
  await expectTold(await early, five);
}

/** Nobody can know yet how the run ended: nothing is told, and nothing is sent (OPS-31). */
function expectHeld(told: boolean, sent: readonly string[]): void {
  expect(told).toBe(false);
  expect(harbour.performed()).toEqual(sent);
}

async function restart(death: Death, five: FiveEffects, commit: string): Promise<void> {
  await dieIn(death, host, harbour, () => void run(five.program, commit), runMs);
  clockAhead += LEASE_PASSED_MS;
  host = await startNext();
}

/*
 * One host process is started per kill, on one data directory and one session: what the killed one left
 * is what the next one finds, and that one is killed next. Leases are those of production; it is the
 * store's clock that moves on, so that nothing waits and a busy machine loses no lease.
 */
describe("F14 F24 OPS-28 OPS-32 OPS-39 PLAN-072 a host killed by SIGKILL in a plan of five effects", () => {
  test.each(deaths(AT_RANDOM).map((death, at) => [at, deathText(death), death] as const))(
    "%i: %s",
    async (at, _text, death) => {
      const five = await prepare(at);
      const commit = await plan(five.program);
      await (at % 4 === 1 ? takeOver : restart)(death, five, commit);
      if (at % 4 === 2) await plan(five.program);
      const answer = await tellAgain(five, commit);
      const { done, doubtful } = await expectTold(answer, five);
      const { done: ended, doubt } = standing(death) ?? { done, doubt: doubtful === 1 };
      expect({ doubtful, done }, answer.text).toEqual({
        doubtful: doubt ? 1 : 0,
        // A run that left nothing in doubt may be resumed (OPS-32).
        done: doubt || done !== 5 ? ended : 5,
      });
      // Once told it stays so, when planned again, too; and nothing is sent any more.
      const sent = harbour.performed();
      await plan(five.program);
      const again = await run(five.program, commit);
      expect(withoutNote(again)).toBe(withoutNote(answer));
      expect(harbour.performed()).toEqual(sent);
    },
  );
});

/** The third effect is performed, and nobody has heard so. */
const THIRD_ANSWERED = {
  by: "hold",
  hold: { when: "answered", write: 3, lost: false },
} as const satisfies Death;

test("F24 OPS-32 a host killed while it writes down how another ended: a third one tells it", async () => {
  const five = await prepare(2);
  const commit = await plan(five.program);
  const second = await startNext();
  await second.stopAt({ at: "end to be kept" });
  await dieIn(THIRD_ANSWERED, host, harbour, () => void run(five.program, commit), runMs);
  clockAhead += LEASE_PASSED_MS;
  host = second;
  await host.ask({ call: "put clock ahead", by: clockAhead });
  void run(five.program, commit);
  await host.stopped;
  await host.kill();
  clockAhead += LEASE_PASSED_MS;
  host = await startNext();
  const answer = await tellAgain(five, commit);
  expect(await expectTold(answer, five)).toMatchObject({ done: 2, doubtful: 1 });
});

test("F15 OPS-31 a host that sleeps until another has told its run sends nothing when it wakes", async () => {
  const five = await prepare(0);
  const commit = await plan(five.program);
  const asleep = host;
  const next = await startNext();
  harbour.hold(THIRD_ANSWERED.hold);
  const late = run(five.program, commit);
  await harbour.held;
  asleep.pause();
  clockAhead += LEASE_PASSED_MS;
  host = next;
  await host.ask({ call: "put clock ahead", by: clockAhead });
  const answer = await tellAgain(five, commit);
  expect(await expectTold(answer, five)).toMatchObject({ done: 2, doubtful: 1 });
  asleep.wake();
  await harbour.release();
  // It has heard of the third, and may say so; of the others there is nothing to say.
  const own = await late;
  expect(await expectTold(own, five)).toMatchObject({ done: 3, doubtful: 0 });
  expect(own.problem).not.toBe(null);
  expect(withoutNote(await run(five.program, commit))).toBe(withoutNote(answer));
});
