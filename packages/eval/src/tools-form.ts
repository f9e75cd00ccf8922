import { randomUUID } from "node:crypto";
import { LOCAL, type StructuredResult } from "@plasm/agent-core";
import { tokenCounter } from "@plasm/agent-core/internal";
import type { Capability, Catalog } from "@plasm/core";
import { keyParts } from "@plasm/core/internal";
import { capabilityTools } from "./capability-tools.ts";
import { type Model, ModelError, type Turn } from "./models.ts";
import type { EvalTask } from "./task-set.ts";
import { isDone, type Trial, type TrialAttempt, type World } from "./trial.ts";

/** Turns of one task, and calls of one turn. */
const MOST_TURNS = 30;
const MOST_CALLS = 50;
/** Characters of one result: what hosts show of one. */
const MOST_RESULT = 40_000;

const ASK = `Do the task by calling these tools. Answer each time with one JSON object and nothing else:
{"calls": [{"tool": NAME, "arguments": {…}}, …]} calls tools, whose results come in the next message, in that order;
{"answer": VALUE} ends it: a number, a text, or a list of rows, each an object. A task that asks nothing has the answer "done".
Each call is carried out at once, so that it changes what the task says and nothing else. A result with a "next" goes on by next_page.`;

const NEXT_PAGE = {
  name: "next_page",
  description: "the rows that follow those of a result with a next",
  inputSchema: { type: "object", properties: { next: { type: "string" } }, required: ["next"] },
};

/** A call as a model writes it. */
interface ToolCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

type Said =
  | { readonly calls: readonly ToolCall[] }
  | { readonly answer: unknown }
  | { readonly fault: string };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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
  if (!isObject(value)) return { fault: "That is no JSON object." };
  if ("answer" in value) return { answer: value["answer"] };
  const { calls } = value;
  if (!Array.isArray(calls) || calls.length === 0)
    return { fault: "It has neither calls nor an answer." };
  if (calls.length > MOST_CALLS) return { fault: `At most ${MOST_CALLS} calls at once.` };
  const read = (calls as readonly unknown[]).flatMap((one) => {
    if (!isObject(one) || typeof one["tool"] !== "string") return [];
    const args = one["arguments"] ?? {};
    return isObject(args) ? [{ tool: one["tool"], arguments: args }] : [];
  });
  return read.length === calls.length
    ? { calls: read }
    : { fault: "Each call has a tool and arguments." };
}

interface Operation {
  readonly catalog: Catalog;
  readonly capability: Capability;
}

/** The operations that are tools, by the names of those. */
function operationsOf(catalogs: readonly Catalog[]): ReadonlyMap<string, Operation> {
  return new Map(
    catalogs.flatMap((catalog) =>
      [...catalog.cgs.capabilities.values()].map(
        (capability) => [`${catalog.entryId}_${capability.name}`, { catalog, capability }] as const,
      ),
    ),
  );
}

const written = (value: unknown): string => JSON.stringify(value ?? null);

/** A call as a program of one statement, which is how the engine carries it out. */
function programOf(
  { catalog, capability }: Operation,
  given: Readonly<Record<string, unknown>>,
  isAlone: boolean,
): string {
  const { entity: name, label, kind, needsIdentity } = capability;
  const entity = catalog.cgs.entities.get(name);
  const called = isAlone ? name : `${catalog.entryId}.${name}`;
  const onRow = needsIdentity && !["query", "search", "create"].includes(kind);
  const parts = onRow && entity !== undefined ? keyParts(entity) : [];
  const key =
    parts.length === 1
      ? written(given[parts[0] ?? ""])
      : parts.map((part) => `${part}=${written(given[part])}`).join(", ");
  const args = Object.entries(given)
    .filter(([argument]) => !parts.includes(argument))
    .map(([argument, value]) => `${argument}=${written(value)}`);
  return `${called}${onRow ? `(${key})` : ""}.${label}(${args.join(", ")})`;
}

/** What is answered, as rows that can be compared with what is right. */
function resultOf(answer: unknown): StructuredResult {
  const list = Array.isArray(answer) ? (answer as readonly unknown[]) : [answer];
  const rows = list.map((one) =>
    isObject(one)
      ? one
      : Object.fromEntries((Array.isArray(one) ? one : [one]).map((cell, at) => [`c${at}`, cell])),
  ) as StructuredResult["rows"];
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return {
    name: "answer",
    columns,
    rows,
    row_count: rows.length,
    partial: null,
    snapshot: null,
    next: null,
  };
}

const effectsOf = (meta: object): readonly unknown[] =>
  (meta as { readonly effects?: readonly unknown[] }).effects ?? [];

/** What one trial has of the APIs. */
interface Tools {
  readonly offered: string;
  call(call: ToolCall): Promise<{ readonly told: string; readonly hasChanged: boolean }>;
}

/** The catalogs whose operations a task is offered: those of its seeds, else all. */
function catalogsFor({ catalogs }: World, { seeds = [] }: EvalTask): readonly Catalog[] {
  const named = new Set(seeds.map(({ api }) => api));
  const chosen = catalogs.filter(({ entryId }) => named.has(entryId));
  return chosen.length === 0 || named.has(undefined) ? catalogs : chosen;
}

async function openTools(world: World, task: EvalTask): Promise<Tools> {
  const { engine } = world;
  const catalogs = catalogsFor(world, task);
  const caller = { ...LOCAL, subject: `trial-${randomUUID()}`, connection: randomUUID() };
  const seeds = catalogs.flatMap(({ entryId, cgs }) =>
    [...cgs.entities.values()]
      .filter((entity) => !entity.abstract)
      .map(({ name }) => ({ api: entryId, entity: name })),
  );
  const { meta } = await engine.context(caller, { intent: task.goal, seeds, notation: "names" });
  const { logical_session_ref: ref } = meta;
  if (ref === null) throw new Error("a session that was opened has no ref");
  const operations = operationsOf(catalogs);
  const call: Tools["call"] = async ({ tool, arguments: given }) => {
    const operation = operations.get(tool);
    if (operation === undefined && tool !== NEXT_PAGE.name)
      return { told: JSON.stringify({ error: `There is no tool ${tool}.` }), hasChanged: false };
    const program =
      operation === undefined
        ? `page(${String(given["next"])})`
        : programOf(operation, given, catalogs.length === 1);
    try {
      const { results, meta: done } = await engine.run(
        caller,
        { kind: "ref", ref },
        { program, force: true, wait: true },
      );
      const [first] = results;
      const told = JSON.stringify({
        rows: first?.rows ?? [],
        ...(first === undefined || first.next === null ? {} : { next: first.next }),
        ...(first === undefined || first.partial === null ? {} : { partial: first.partial }),
      });
      return { told: told.slice(0, MOST_RESULT), hasChanged: effectsOf(done).length > 0 };
    } catch (thrown) {
      const error = engine.problemOf(thrown).text;
      return { told: JSON.stringify({ error }), hasChanged: false };
    }
  };
  const tools = [...catalogs.flatMap((catalog) => [...capabilityTools(catalog)]), NEXT_PAGE];
  return { offered: tools.map((one) => JSON.stringify(one)).join("\n"), call };
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
): Promise<Pick<Trial, "attempts" | "tokens" | "turns" | "fault">> {
  const count = await tokenCounter();
  const { offered, call } = await openTools(world, task);
  const turns: Turn[] = [{ role: "user", text: `${offered}\n\nTask: ${task.goal}\n\n${ASK}` }];
  const calls: string[] = [];
  const tokens = { in: 0, out: 0 };
  let hasChanged = false;
  const over = (attempts: readonly TrialAttempt[], fault: string | null = null) => ({
    attempts,
    tokens,
    turns,
    fault,
  });
  try {
    for (let turn = 0; turn < MOST_TURNS; turn += 1) {
      const sent = turns.reduce((sum, { text }) => sum + count(text), 0);
      const answered = await model.answer(turns, signal);
      tokens.in += answered.tokensIn ?? sent;
      tokens.out += answered.tokensOut ?? count(answered.text);
      turns.push({ role: "assistant", text: answered.text });
      const said = saidIn(answered.text);
      if ("answer" in said)
        return over([await ended(world, task, calls, { answer: said.answer, hasChanged })]);
      const told: string[] = [];
      for (const one of "calls" in said ? said.calls : []) {
        const done = await call(one);
        calls.push(`${one.tool} ${JSON.stringify(one.arguments)}`);
        told.push(done.told);
        hasChanged ||= done.hasChanged;
      }
      turns.push({ role: "user", text: "fault" in said ? said.fault : told.join("\n") });
    }
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof ModelError)) throw thrown;
    return over([], thrown.message);
  }
  const told = `more than ${MOST_TURNS} turns`;
  return over([{ program: calls.join("\n"), verdict: "refused", told }]);
}
