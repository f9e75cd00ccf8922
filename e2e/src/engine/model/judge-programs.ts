import assert from "node:assert/strict";
import type { Caller } from "@plasm/agent-core";
import { HANDLE_CODES, judgePages, noteRun } from "./judge-pages.ts";
import { reaches } from "./people.ts";
import { aliveAt, type Place, renew } from "./place.ts";
import type { ProgramCall } from "./program-call.ts";
import type { Asks } from "./steps.ts";
import { refName, sentName, type World } from "./world.ts";

/** e1 is the boat of quay in every session. */
export const programOf = ({ how, rows }: Asks): string => `e1.${how}(${rows})`;

/** What a session is to whom it is not, and one that never was to everyone (SESS-38). */
const UNKNOWN = ["plasm-unknown-session"];

/** Whether a call came to its session, whatever it found there. */
const cameThrough = ({ call, told }: ProgramCall): boolean =>
  told.ok || (call.kind === "page" && !told.dead && HANDLE_CODES.includes(told.code));

/** What must come of a program: an answer, a refusal with one of these codes, or either. */
function expected(
  world: World,
  { client, place }: ProgramCall,
  { now, changing }: Moment,
): readonly string[] {
  if (!reaches(client, place)) return UNKNOWN;
  if (!world.refs.has(refName(client, place))) return UNKNOWN;
  const sent = world.sent.get(sentName(client, place));
  const id = place.bound?.key.sessionId;
  const alive = aliveAt(place, now);
  if (changing || alive === "maybe") return ["ok", "plasm-session-lost"];
  if (alive === "no") return ["plasm-session-lost"];
  if (client.connection === null || sent === undefined || sent === id) return ["ok"];
  // It was sent another session's waves last, or may have been (SESS-40).
  return sent === null ? ["ok", "plasm-session-lost"] : ["plasm-session-lost"];
}

interface Moment {
  readonly now: number;
  /** calls at the same time may end or open sessions there */
  readonly changing: boolean;
}

/** Judges a program by what is due, and notes what it did. */
function judgeProgram(
  world: World,
  made: ProgramCall,
  due: readonly string[],
  { now, changing }: Moment,
): void {
  const { call, place, told } = made;
  if (!told.ok && told.dead) return due === UNKNOWN ? undefined : renew(place, now, false);
  const came = cameThrough(made) || told.ok ? "ok" : told.code;
  assert(due.includes(came), `${came} instead of ${due.join(" or ")}: ${told.ok ? "" : told.text}`);
  // A refusal of SESS-40 comes after the session was renewed.
  if (due !== UNKNOWN && aliveAt(place, now) !== "no") {
    renew(place, now, came === "ok" && !changing && !place.doubtful);
  }
  noteRun(world, made);
  const ref = told.ok ? told.meta["plan_commit_ref"] : null;
  if (typeof ref !== "string" || (call.kind !== "plan" && call.kind !== "run")) return;
  const program = programOf(call.asks);
  assert.equal(place.refs.get(ref) ?? program, program, "a ref stands for one plan (P7, SESS-6)");
  place.refs.set(ref, program);
}

/** Judges programs of one place that were under way at the same time, and notes what they did. */
export function judgePrograms(
  world: World,
  place: Place,
  programs: readonly ProgramCall[],
  at: Moment,
): void {
  const alive = aliveAt(place, at.now);
  const dues = programs.map((made) => [made, expected(world, made, at)] as const);
  // What is withdrawn may come back in between: found lost by one, it may be found by another.
  const lost = programs.some(({ told }) => !told.ok && told.code === "plasm-session-lost");
  const changing = at.changing || (alive === "maybe" && lost);
  for (const [made, due] of dues) judgeProgram(world, made, due, { ...at, changing });
  judgePages(place, programs.filter(isPage));
}

/** Whether a page call came to its session, or broke off there. */
const isPage = (made: ProgramCall): boolean =>
  made.call.kind === "page" && (cameThrough(made) || (!made.told.ok && made.told.dead));

interface RunStep {
  readonly n?: number;
}

/** Reads the snapshots of runs and pages: each has a number of its own, above all earlier ones (P9). */
export async function noteSnapshots(world: World, made: readonly ProgramCall[]): Promise<void> {
  const before = new Map(made.map(({ place }) => [place, Math.max(0, ...place.snapshots.keys())]));
  for (const { call, client, place, told } of made) {
    if ((call.kind !== "run" && call.kind !== "page") || !told.ok) continue;
    const ref = world.refs.get(refName(client, place)) ?? "";
    for (const { n } of (told.meta["steps"] ?? []) as readonly RunStep[]) {
      // The store refused it (SESS-30).
      if (n === undefined || n === null) continue;
      assert(n > (before.get(place) ?? 0), "numbers rise (P9)");
      assert(!place.snapshots.has(n), "a number is given once (P9)");
      const text = await readSnapshot(world, client, ref, n);
      const { run_id: runId, n: own } = JSON.parse(text) as { run_id: string; n: number };
      assert.equal(own, n);
      place.snapshots.set(n, { text, runId });
    }
  }
}

/** A snapshot by its URI, from whichever replica is next. */
export async function readSnapshot(
  world: World,
  client: Caller,
  ref: string,
  n: number,
): Promise<string> {
  const { engine } = world.replicas.at((world.calls += 1));
  const answer = await engine.readResource(client, `plasm://session/${ref}/r/${n}`);
  assert("text" in answer);
  return answer.text;
}
