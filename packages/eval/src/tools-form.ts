import { Conversation, type TrialOutcome } from "./conversation.ts";
import type { Model } from "./models.ts";
import {
  isMembers,
  openCalls,
  resultOf,
  shownResult,
  type OperationCall,
} from "./operation-calls.ts";
import type { EvalTask } from "./task-set.ts";
import { isDone, type TrialAttempt, type World } from "./trial.ts";

/** Turns of one task, and calls of one turn. */
const MOST_TURNS = 30;
const MOST_CALLS = 50;

const ASK = `Do the task by calling these tools. Answer each time with one JSON object and nothing else:
{"calls": [{"tool": NAME, "arguments": {…}}, …]} calls tools, whose results come in the next message, in that order;
{"answer": VALUE} ends it: a number, a text, or a list of rows, each an object. A task that asks nothing has the answer "done".
Each call is carried out at once, so that it changes what the task says and nothing else. A result with a "next" goes on by next_page.`;

type Said =
  | { readonly calls: readonly OperationCall[] }
  | { readonly answer: unknown }
  | { readonly fault: string };

function jsonIn(text: string): unknown {
  const [from, to] = [text.indexOf("{"), text.lastIndexOf("}")];
  try {
    return JSON.parse(text.slice(from, to + 1));
  } catch {
    return null;
  }
}

function saidIn(text: string): Said {
  const value = jsonIn(text);
  if (!isMembers(value)) return { fault: "That is no JSON object." };
  if ("answer" in value) return { answer: value["answer"] };
  const { calls } = value;
  if (!Array.isArray(calls) || calls.length === 0)
    return { fault: "It has neither calls nor an answer." };
  if (calls.length > MOST_CALLS) return { fault: `At most ${MOST_CALLS} calls at once.` };
  const read = (calls as readonly unknown[]).flatMap((one) => {
    if (!isMembers(one) || typeof one["tool"] !== "string") return [];
    const args = one["arguments"] ?? {};
    return isMembers(args) ? [{ tool: one["tool"], arguments: args }] : [];
  });
  return read.length === calls.length
    ? { calls: read }
    : { fault: "Each call has a tool and arguments." };
}

/** What became of a task that is over. */
async function ended(
  world: World,
  task: EvalTask,
  calls: readonly string[],
  { answer, hasChanged }: { readonly answer: unknown; readonly hasChanged: boolean },
): Promise<TrialAttempt> {
  const program = [...calls, `answer ${JSON.stringify(answer)}`].join("\n");
  if (answer === null) return { program, verdict: "refused", told: "it gave up" };
  const isRight = await isDone(world, task.expect, [resultOf(answer)], hasChanged);
  return { program, verdict: isRight ? "right" : "wrong", told: JSON.stringify(answer) };
}

/** Has a model do a task by one tool for each operation of its catalogs, called in turns, as an agent does that has nothing else. */
export async function tryByTools(
  world: World,
  task: EvalTask,
  model: Model,
  signal: AbortSignal,
): Promise<TrialOutcome> {
  const { tools, call } = await openCalls(world, task, { outputs: false });
  const offered = tools.map(({ tool }) => JSON.stringify(tool)).join("\n");
  const conversation = await Conversation.open(model, signal);
  const calls: string[] = [];
  let hasChanged = false;
  return conversation.outcome([], async () => {
    let text = `${offered}\n\nTask: ${task.goal}\n\n${ASK}`;
    for (let turn = 0; turn < MOST_TURNS; turn += 1) {
      const said = saidIn(await conversation.ask(text));
      if ("answer" in said)
        return [await ended(world, task, calls, { answer: said.answer, hasChanged })];
      const told: string[] = [];
      for (const one of "calls" in said ? said.calls : []) {
        const done = await call(one);
        calls.push(`${one.tool} ${JSON.stringify(one.arguments)}`);
        told.push(shownResult(done));
        hasChanged ||= done.hasChanged;
      }
      text = "fault" in said ? said.fault : told.join("\n");
    }
    const told = `more than ${MOST_TURNS} turns`;
    return [{ program: calls.join("\n"), verdict: "refused", told }];
  });
}
