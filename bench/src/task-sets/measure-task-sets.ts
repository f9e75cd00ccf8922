import { FORMS, runSet } from "@plasm/e2e/task-sets";

/** What the tasks of a set cost in one form, done by a script of ours that makes no mistake. */
export interface TaskSetCost {
  readonly set: string;
  readonly form: string;
  readonly tasks: number;
  readonly right: number;
  /** o200k tokens of all that is sent, each turn with what was said before */
  readonly tokens_in: number;
  readonly tokens_out: number;
  /** answers of the model */
  readonly turns: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Does the tasks of the sets that come with the program in every form. */
export async function measureTaskSets(
  sets: readonly string[] = ["github", "shop"],
): Promise<readonly TaskSetCost[]> {
  const costs: TaskSetCost[] = [];
  for (const set of sets) {
    const { trials } = await runSet(set, "right");
    for (const form of FORMS) {
      const own = trials.filter((one) => one.form === form);
      costs.push({
        set,
        form,
        tasks: own.length,
        right: own.filter(({ attempts }) => attempts.at(-1)?.verdict === "right").length,
        tokens_in: sum(own.map(({ tokens }) => tokens.in)),
        tokens_out: sum(own.map(({ tokens }) => tokens.out)),
        turns: sum(own.map(({ turns }) => turns.length / 2)),
      });
    }
  }
  return costs;
}

const number = (value: number): string => value.toLocaleString("en");

/** The costs as a table in Markdown. */
export const taskSetsText = (costs: readonly TaskSetCost[]): string =>
  [
    "| Set | Form | Tasks done | Tokens in | Tokens out | Answers of the model |",
    "| --- | --- | ---: | ---: | ---: | ---: |",
    ...costs.map(
      ({ set, form, tasks, right, tokens_in, tokens_out, turns }) =>
        `| ${set} | ${form} | ${right} of ${tasks} | ${number(tokens_in)} | ${number(tokens_out)} | ${turns} |`,
    ),
  ].join("\n");
