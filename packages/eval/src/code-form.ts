import { codeDeclarations } from "./code-declarations.ts";
import { Conversation, tryPrograms, type TrialOutcome } from "./conversation.ts";
import type { Model } from "./models.ts";
import { isMembers, openCalls, resultOf } from "./operation-calls.ts";
import { runCode } from "./sandbox.ts";
import type { EvalTask } from "./task-set.ts";
import { isDone, type TrialAttempt, type World } from "./trial.ts";

const ASK = `Write one JavaScript program for the task: an async arrow function without parameters, async () => { … }, that calls the functions of
api and returns the answer: a number, a text, or a list of rows, each an object. A task that asks nothing returns "done". A function
that fails throws. Nothing else is there: no network, no files, no modules, no timers. You cannot run anything before you answer. What
you answer is run as it stands, so that it changes what the task says and nothing else. Answer with the program alone.`;

const MOST_TOLD = 40_000;

/** Has a model do a task by a JavaScript program over one function an operation, as code modes have it, in a machine of its own. */
export async function tryByCode(
  world: World,
  task: EvalTask,
  model: Model,
  corrections: number,
  signal: AbortSignal,
): Promise<TrialOutcome> {
  const { tools, call } = await openCalls(world, task, { outputs: true });
  const attempt = async (program: string): Promise<TrialAttempt> => {
    let hasChanged = false;
    const outcome = await runCode(
      program,
      tools.map(({ tool }) => tool.name),
      async (tool, given) => {
        const done = await call({ tool, arguments: isMembers(given) ? given : {} });
        hasChanged ||= done.hasChanged;
        if ("error" in done.result) throw new Error(done.result.error);
        return done.result;
      },
      signal,
    );
    if ("error" in outcome) return { program, verdict: "refused", told: outcome.error };
    const { value } = outcome;
    const isRight = await isDone(world, task.expect, [resultOf(value)], hasChanged);
    const told = JSON.stringify(value).slice(0, MOST_TOLD);
    return { program, verdict: isRight ? "right" : "wrong", told };
  };
  const first = `${codeDeclarations(tools)}\n\nTask: ${task.goal}\n\n${ASK}`;
  return tryPrograms(await Conversation.open(model, signal), first, corrections, attempt);
}
