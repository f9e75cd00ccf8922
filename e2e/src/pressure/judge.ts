import type { Run, ToldEffect } from "./run.ts";

/** What is wrong with what was told, against the API's own log. All of them must be empty. */
export interface Verdict {
  readonly runs: number;
  readonly effects: number;
  readonly done: number;
  readonly doubtful: number;
  readonly failed: number;
  readonly notStarted: number;
  readonly duplicated: readonly string[];
  readonly lost: readonly string[];
  readonly unreported: readonly string[];
  readonly unreviewed: readonly string[];
  /** refs without a last answer */
  readonly unanswered: readonly string[];
  /** advice that, followed, repeats an effect or leaves one out */
  readonly misadvised: readonly string[];
}

type Counts = ReadonlyMap<string, number>;

const times = (performed: Counts, name: string): number => performed.get(name) ?? 0;

/** Words that send an agent to look before it repeats an effect. */
const LOOK_FIRST = /\blook\b|\bcheck whether\b|in doubt/;
const NOTHING_DONE = /no effect was performed|nothing was (?:performed|done)|it was not done/;
const REPEAT_WHOLE = /the whole program may be planned and run again/;

const linesOf = (text: string): readonly number[] =>
  [...text.matchAll(/do not repeat lines? ([\d, and]+?),? (?:its|their) effects? (?:is|are) done/g)]
    .flatMap(([, numbers = ""]) => numbers.match(/\d+/g) ?? [])
    .map(Number);

/** Advice of one answer against what the API has performed (18.4). */
function adviceFaults(run: Run, performed: Counts): readonly string[] {
  const { final } = run;
  if (final === null || final.status === 200) return [];
  const { text, effects } = final;
  const faults: string[] = [];
  const names = [...run.expected.keys()];
  const any = names.filter((name) => times(performed, name) > 0);
  if ((REPEAT_WHOLE.test(text) || NOTHING_DONE.test(text)) && any.length > 0) {
    const failed = effects.filter(({ ending }) => ending === "failed").map(({ name }) => name);
    // Of one effect it may be said that it was not done, beside others that were.
    const wrong = REPEAT_WHOLE.test(text) ? any : any.filter((name) => failed.includes(name));
    if (wrong.length > 0) faults.push(`says that nothing was performed, yet: ${wrong.join(", ")}`);
  }
  for (const line of linesOf(text)) {
    const of = [...run.expected].filter(([, on]) => on === line).map(([name]) => name);
    const missing = of.filter((name) => times(performed, name) === 0);
    if (missing.length > 0)
      faults.push(`says not to repeat line ${line}, yet not done: ${missing.join(", ")}`);
  }
  // Without a word of a line that is done, an agent would repeat it.
  const kept = new Set(linesOf(text));
  const doneLines = new Set(effects.filter((one) => one.ending === "done").map(({ line }) => line));
  for (const line of doneLines) {
    if (!kept.has(line) && !text.includes(`do not repeat line ${line} `)) {
      faults.push(`does not say that line ${line} is not to be repeated`);
    }
  }
  return faults.map((fault) => `${run.mark}: ${fault}\n    ${text.slice(0, 900)}`);
}

/** An effect that is told as failed and was performed, where nothing says to look first. */
function falselyFailed(run: Run, one: ToldEffect, performed: Counts): boolean {
  if (one.ending !== "failed" || times(performed, one.name) === 0) return false;
  return !LOOK_FIRST.test(run.final?.text ?? "");
}

/** Judges runs by the API's log. */
export function judge(runs: readonly Run[], performed: Counts): Verdict {
  const owners = new Map(runs.flatMap((run) => [...run.expected.keys()].map((key) => [key, run])));
  const duplicated: string[] = [];
  const unreviewed: string[] = [];
  for (const [name, count] of performed) {
    const owner = owners.get(name);
    if (owner === undefined || !owner.sent) unreviewed.push(name);
    else if (count > 1)
      duplicated.push(`${name} ×${count}, told: ${owner.final?.text.slice(0, 600)}`);
  }
  const lost: string[] = [];
  const unreported: string[] = [];
  const unanswered: string[] = [];
  const misadvised: string[] = [];
  const counts = { done: 0, doubtful: 0, failed: 0, notStarted: 0 };
  for (const run of runs) {
    if (!run.sent) continue;
    if (run.final === null) {
      unanswered.push(`${run.mark} (${run.way}): ${run.last}`);
      continue;
    }
    const told = new Map(run.final.effects.map((one) => [one.name, one]));
    for (const name of run.expected.keys()) {
      const one = told.get(name);
      const count = times(performed, name);
      const open = one?.ending === "in_doubt" || one?.ending === "started";
      if (one?.ending === "done") counts.done += 1;
      else if (open) counts.doubtful += 1;
      else if (one?.ending === "failed") counts.failed += 1;
      else counts.notStarted += 1;
      if (one?.ending === "done" && count === 0) lost.push(`${name}: told as done`);
      const silent = one === undefined || one.ending === "skipped";
      if (count > 0 && (silent || falselyFailed(run, one, performed))) {
        unreported.push(
          `${name}: told as ${one?.ending ?? "nothing"}\n    ${run.final.text.slice(0, 900)}`,
        );
      }
    }
    misadvised.push(...adviceFaults(run, performed));
  }
  const sent = runs.filter((run) => run.sent).length;
  const effects = runs.reduce((sum, run) => sum + (run.sent ? run.expected.size : 0), 0);
  return {
    runs: sent,
    effects,
    ...counts,
    duplicated,
    lost,
    unreported,
    unreviewed,
    unanswered,
    misadvised,
  };
}

/** What is told differently when the refs are asked once more. */
export function changedStories(
  runs: readonly Run[],
  before: ReadonlyMap<string, string>,
): readonly string[] {
  return runs.flatMap((run) => {
    const was = before.get(run.mark);
    const is = storyOf(run);
    return was === undefined || was === is ? [] : [`${run.mark}: ${was} became ${is}`];
  });
}

export const storyOf = (run: Run): string =>
  run.final === null
    ? "unanswered"
    : run.final.effects.map(({ name, ending }) => `${name} ${ending}`).join("; ");

/** The faults of a verdict, each one line or more, headed by its kind. */
export const faultsOf = (verdict: Verdict): readonly string[] =>
  (["duplicated", "lost", "unreported", "unreviewed", "unanswered", "misadvised"] as const).flatMap(
    (kind) => verdict[kind].map((fault) => `${kind}: ${fault}`),
  );

/** What a server said on its standard streams. */
interface Said {
  readonly name: string;
  said(): string;
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g;
const LONGEST_LINE = 1_800;

/** Each answer of status 500 as a fault, with what the servers logged under the ids that it names. */
export const defectFaults = (
  defects: readonly string[],
  servers: readonly Said[],
): readonly string[] =>
  defects.map((text) => {
    const ids = text.match(ID) ?? [];
    const logged = servers.flatMap(({ name, said }) =>
      said()
        .split("\n")
        .filter((line) => ids.some((id) => line.includes(id)))
        .map((line) => `\n    ${name} logged: ${line.slice(0, LONGEST_LINE)}`),
    );
    return `answered 500: ${text}${logged.join("")}`;
  });
