import type { SampleApis } from "@plasm/sample-apis";
import { expect } from "vitest";
import type { AgentClient } from "../harness/agent-client.ts";
import { failureOf, type AgentFailure } from "../harness/agent-failure.ts";
import type { AgentRun } from "../harness/answers.ts";
import type { SampleData } from "../harness/sample-data.ts";
import { withSymbols, type TaughtSymbols } from "../harness/taught-symbols.ts";
import { checkLive, checkRequests } from "./check-live.ts";
import type { ExpectedError, Reading, Refused } from "./conformance-row.ts";

/** A session the programs of the table are tried in. */
export interface Session {
  readonly agent: AgentClient;
  readonly ref: string;
  readonly symbols: TaughtSymbols;
  readonly apis: SampleApis;
  readonly data: SampleData;
}

async function commitOf({ agent, ref, symbols }: Session, program: string): Promise<string> {
  return (await agent.plan(ref, withSymbols(program, symbols))).meta.plan.commit;
}

/** The run fails by what it met, though its program is right; what it sent before that is told. */
async function checkFailing(
  call: Promise<AgentRun>,
  { apis, data }: Session,
  reading: Reading,
  { code, says = [] }: ExpectedError,
): Promise<string> {
  const failure = await failureOf(call);
  expect(failure.problem.errors.map((error) => error.code)).toEqual([code]);
  for (const word of says) expect(failure.message).toContain(word);
  const { requests } = reading.live(data);
  if (requests !== undefined) checkRequests([...apis.requests], requests);
  return failure.message;
}

/** Plans, then runs under the plan's ref; planning sends nothing, and both have one commit id. */
async function checkReading(session: Session, reading: Reading): Promise<unknown> {
  const { agent, ref, symbols, apis, data } = session;
  const program = withSymbols(reading.program, symbols);
  apis.forgetRequests();
  const { meta } = await agent.plan(ref, program);
  reading.planned?.(meta.plan, meta);
  const { commit } = meta.plan;
  if (reading.sameAs !== undefined) expect(await commitOf(session, reading.sameAs)).toBe(commit);
  if (reading.otherThan !== undefined) {
    expect(await commitOf(session, reading.otherThan)).not.toBe(commit);
  }
  expect(apis.requests, "a dry run sends nothing").toEqual([]);
  const call = agent.run(ref, program, { plan_commit_ref: meta.plan_commit_ref, wait: true });
  const { fails } = reading.live(data);
  if (fails !== undefined) return checkFailing(call, session, reading, fails);
  const run = await call;
  expect(run.meta.commit).toBe(commit);
  await checkLive(agent, ref, run, [...apis.requests], reading.live(data));
  return { results: run.results, commit };
}

function checkErrors(failure: AgentFailure, expected: readonly ExpectedError[], session: Session) {
  const { errors } = failure.problem;
  expect(errors.map(({ code }) => code)).toEqual(expected.map(({ code }) => code));
  for (const [index, { says = [], suggests }] of expected.entries()) {
    const error = errors[index];
    const words = `${error?.message}\n${error?.correction}`;
    for (const word of says) expect(words).toContain(withSymbols(word, session.symbols));
    if (suggests !== undefined) expect(error?.suggested_program).toBe(suggests);
    expect(error?.span).not.toBeNull();
  }
}

/** Every suggested program is rid of its error and brings no new one (ERR-008). */
async function checkSuggestions({ agent, ref }: Session, failure: AgentFailure): Promise<void> {
  const before = failure.problem.errors.map(({ code }) => code);
  for (const { code, suggested_program: program } of failure.problem.errors) {
    if (program === null) continue;
    const left = [...before];
    left.splice(left.indexOf(code), 1);
    if (left.length === 0) await agent.plan(ref, program);
    else {
      const again = await failureOf(agent.plan(ref, program));
      expect(left).toEqual(expect.arrayContaining(again.problem.errors.map((one) => one.code)));
    }
  }
}

const problemOf = ({ errors }: Refused): object =>
  errors.every(({ code }) => code === "too_large")
    ? { code: "plasm-too-large", status: 413 }
    : { code: "plasm-program-invalid", status: 422 };

async function checkRefused(session: Session, refused: Refused): Promise<AgentFailure> {
  const { agent, ref, symbols, apis } = session;
  const program = withSymbols(refused.program, symbols);
  apis.forgetRequests();
  const started = performance.now();
  const dry = await failureOf(agent.plan(ref, program));
  const live = await failureOf(agent.run(ref, program, { wait: true }));
  const took = performance.now() - started;
  if (refused.within !== undefined) expect(took).toBeLessThan(refused.within);
  expect(dry.problem).toMatchObject(problemOf(refused));
  checkErrors(dry, refused.errors, session);
  expect(live.message).toBe(dry.message);
  expect(live.problem).toEqual(dry.problem);
  if (refused.more !== undefined) expect(dry.message).toContain(`${refused.more} more`);
  await checkSuggestions(session, dry);
  expect(apis.requests, "a refused program sends nothing").toEqual([]);
  return dry;
}

/** Tries one program of the table; resolves to what every surface must answer alike. */
export async function checkCase(session: Session, one: Reading | Refused): Promise<unknown> {
  if ("errors" in one) return (await checkRefused(session, one)).message;
  return checkReading(session, one);
}
