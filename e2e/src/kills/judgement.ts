import type { Harbour } from "./harbour.ts";
import { effectsTold, type PerRow, type Told } from "./told.ts";
import { EFFECTS, type Trace, type Voyage } from "./voyage.ts";

/** What an answer tells of the effects of a voyage, against what happened to them (PLAN-072, G1). */
export interface Judgement {
  /** effects performed more than once, each as often as it was too much */
  readonly duplicates: number;
  /** effects that were told as done and never were */
  readonly lost: number;
  /** effects that were performed, and told as not started or not at all */
  readonly unreported: number;
  /** writes that are none of the plan's */
  readonly unreviewed: number;
  readonly done: number;
  readonly doubtful: number;
  /** what is wrong besides, in words */
  readonly faults: readonly string[];
}

/** Done, then at most one in doubt, then none that started (PLAN-073). */
const ORDER = /^(done )*(in doubt )?(not started )*$/;

/** An effect that is told as begun goes by the name of its request. */
const misnamed = ({ ending, what }: Told, trace: Trace | undefined): boolean =>
  ending !== "not started" && trace !== undefined && trace.name !== "?" && what !== trace.name;

const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);

interface Seen {
  readonly told: readonly Told[];
  readonly traces: readonly Trace[];
  readonly performed: readonly string[];
  /** how often the API got each effect's request */
  readonly times: readonly number[];
}

function faultsOf({ told, traces, performed, times }: Seen): readonly string[] {
  const faults: string[] = [];
  const endings = told.map(({ ending }) => ending);
  if (told.length !== EFFECTS) faults.push(`${told.length} effects are told`);
  if (!ORDER.test(`${endings.join(" ")} `)) faults.push(`told as ${endings.join(", ")}`);
  told.forEach((one, index) => {
    if (misnamed(one, traces[index])) faults.push(`${one.what} is not ${traces[index]?.name}`);
  });
  traces.forEach(({ name, count }, index) => {
    if (count !== times[index])
      faults.push(`${name} was asked for ${times[index]}, done ${count} times`);
  });
  return faults.length === 0 ? [] : [...faults, `performed: ${performed.join(", ")}`];
}

/** Judges the last answer to a voyage. */
export async function judge(
  text: string,
  voyage: Voyage,
  perRow: PerRow,
  harbour: Harbour,
): Promise<Judgement> {
  const told = effectsTold(text, perRow);
  const traces = voyage.traces(await harbour.register());
  const performed = harbour.performed();
  const names = traces.map(({ name }) => name);
  const times = names.map((name) => performed.filter((one) => one === name).length);
  const ended = (index: number) => told[index]?.ending;
  const counted = (wrong: (times: number, index: number) => boolean): number =>
    times.filter(wrong).length;
  return {
    duplicates: sum(times.map((count) => Math.max(0, count - 1))),
    lost: counted((count, index) => count === 0 && ended(index) === "done"),
    unreported: counted(
      (count, index) => count > 0 && ended(index) !== "done" && ended(index) !== "in doubt",
    ),
    unreviewed: performed.filter((name) => !names.includes(name)).length,
    done: told.filter(({ ending }) => ending === "done").length,
    doubtful: told.filter(({ ending }) => ending === "in doubt").length,
    faults: faultsOf({ told, traces, performed, times }),
  };
}
