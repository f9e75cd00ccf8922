import { taughtSymbols } from "../harness/taught-symbols.ts";
import { ALL_ENTITIES, crowdSession } from "./crowd-session.ts";
import { type Answer, Recorder } from "./recorder.ts";
import { speakerBy, type Way, WAYS } from "./speaker.ts";
import type { Stage } from "./stage.ts";
import { errorOf, type ToldWave, wavesTold } from "./told-waves.ts";

export interface CrowdOptions {
  readonly sessions: number;
  /** of each session at least; twenty ask for everything */
  readonly calls: number;
}

/** What came of a crowd: each list is empty if all went well. */
export interface CrowdOutcome {
  readonly calls: number;
  readonly errors: readonly string[];
  readonly lostWaves: readonly string[];
  readonly duplicateSymbols: readonly string[];
}

interface Finished {
  readonly intent: string;
  readonly answers: readonly Answer[];
  /** all waves, as the last call sent them once more */
  readonly whole: string;
}

/** One session, whose calls go to the replicas in turn. */
async function attend(stage: Stage, at: number, calls: number): Promise<Finished> {
  const way: Way = WAYS[at % WAYS.length] ?? "HTTP";
  const intent = `crowd ${at}`;
  let next = at;
  const recorder = new Recorder(async () => stage.url((next += 1) % stage.count));
  const speaker = await speakerBy(way, recorder);
  try {
    const whole = await crowdSession(speaker, intent, calls);
    return { intent, answers: recorder.answers, whole };
  } finally {
    await speaker.close();
  }
}

/** Waves that were told of and are not there in the end, or there as something else (F6). */
function lostOf({ intent, answers }: Finished, complete: boolean): readonly string[] {
  const last = wavesTold(answers.at(-1) ?? never());
  const kept = new Map(last.map((wave) => [wave.n, JSON.stringify(wave)]));
  const gaps = last.flatMap((wave, at) => (wave.n === at + 1 ? [] : [`${intent}: ${wave.n}`]));
  const told: readonly ToldWave[] = answers.flatMap((answer) => wavesTold(answer));
  const changed = told
    .filter((wave) => kept.get(wave.n) !== JSON.stringify(wave))
    .map((wave) => `${intent}: wave ${wave.n} was ${JSON.stringify(wave)}`);
  const held = last.flatMap(({ entry_id: id, entities }) => entities.map((one) => `${id}.${one}`));
  const missing = complete ? ALL_ENTITIES.filter((one) => !held.includes(one)) : [];
  return [...gaps, ...changed, ...missing.map((one) => `${intent}: no ${one}`)];
}

const never = (): never => {
  throw new Error("A session without answers");
};

/** Symbols that stand for two things, things with two symbols, and numbers left out (P2). */
function duplicatesOf({ intent, answers, whole }: Finished): readonly string[] {
  const { entities, slots } = taughtSymbols(whole);
  const waves = wavesTold(answers.at(-1) ?? never());
  const held = waves.flatMap(({ entry_id: id, entities: all }) => all.map((one) => `${id}.${one}`));
  const numbers = [...entities.values()].map((symbol) => Number(symbol.slice(1)));
  const dense = numbers.toSorted((a, b) => a - b).every((number, at) => number === at + 1);
  const faults = [
    new Set(held).size === held.length ? null : `an entity twice: ${held.join()}`,
    entities.size === held.length && dense ? null : `symbols ${[...entities].join()}`,
    new Set(slots.values()).size === slots.size ? null : `slots ${[...slots].join()}`,
  ];
  return faults.flatMap((fault) => (fault === null ? [] : [`${intent}: ${fault}`]));
}

/** All calls that ask for something have been made. */
const COMPLETE = 14;

/** Has many sessions called at the same time, two calls of each, and looks at what each has become. */
export async function meetCrowd(
  stage: Stage,
  { sessions, calls }: CrowdOptions,
): Promise<CrowdOutcome> {
  const all = await Promise.all(
    Array.from({ length: sessions }, (_, at) => attend(stage, at, calls)),
  );
  return {
    calls: all.reduce((sum, { answers }) => sum + answers.length, 0),
    errors: all.flatMap(({ answers }) => answers.flatMap((answer) => errorOf(answer) ?? [])),
    lostWaves: all.flatMap((one) => lostOf(one, calls >= COMPLETE)),
    duplicateSymbols: all.flatMap((one) => duplicatesOf(one)),
  };
}
