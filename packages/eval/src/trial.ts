import { randomUUID } from "node:crypto";
import type { Caller, Engine, StructuredResult } from "@plasm/agent-core";
import type { Catalog, Notation } from "@plasm/core";
import { isAnswered, isWithin } from "./judge.ts";
import type { Turn } from "./models.ts";
import { type EvalTask, type ExpectedAnswer, type StateCheck, TaskSetError } from "./task-set.ts";

/**
 * right; wrong: not right, and nothing says so, a silent mistake; partial: not right, and it says that rows or values are missing;
 * refused: an error came in its place; missing: the model gave no answer.
 */
export const VERDICTS = ["right", "wrong", "partial", "refused", "missing"] as const;
export type TrialVerdict = (typeof VERDICTS)[number];

/** By what a model does a task: programs over tables in one of both notations, one tool an operation, or JavaScript over a function for each. */
export type TrialForm = Notation | "tools" | "code";

/** A request to an API that is none of a program's. */
export interface DirectRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

/** The APIs of a task set, as they stand for one task. */
export interface World {
  readonly engine: Engine;
  /** the catalogs on offer */
  readonly catalogs: readonly Catalog[];
  /** Asks an API beside any program, by the id of its catalog and with its credential. Throws for one whose address is unknown. */
  ask(api: string, request: DirectRequest): Promise<Response>;
  /** puts the first data back, before a task that may be asked after one that changed some */
  reset(): Promise<void>;
}

/** Whoever does a trial: nobody else has a session of that scope, so that none knows what another was told (SESS-1). */
export const trialCaller = (): Caller => ({
  scope: `trial-${randomUUID()}`,
  subject: "model",
  connection: randomUUID(),
});

/** A program that a model wrote, or the calls that it made, and what became of it. */
export interface TrialAttempt {
  readonly program: string;
  readonly verdict: TrialVerdict;
  /** what the model was told */
  readonly told: string;
}

/** One task done once by one model. */
export interface Trial {
  readonly task: string;
  readonly model: string;
  readonly form: TrialForm;
  readonly repeat: number;
  /** one for each program: the first, and one a correction */
  readonly attempts: readonly TrialAttempt[];
  /** tokens of all that the model was sent, and of what it said: as its provider counts them, else by o200k */
  readonly tokens: { readonly in: number; readonly out: number };
  readonly ms: number;
  readonly turns: readonly Turn[];
  /** why there is no answer; null where there is */
  readonly fault: string | null;
}

/** What came of a trial at first, and at last. */
export const verdictsOf = ({ attempts }: Pick<Trial, "attempts">) => ({
  first: attempts[0]?.verdict ?? "missing",
  last: attempts.at(-1)?.verdict ?? "missing",
});

/** Whether an API says of itself what a task expects. Throws where it cannot be asked. */
async function isInState(world: World, check: StateCheck): Promise<boolean> {
  const response = await world.ask(check.api, { method: "GET", path: check.get });
  if ("missing" in check) return response.status === 404;
  return response.ok && isWithin(check.has, (await response.json()) as unknown);
}

/** Puts the first data back, and sends what a task wants sent before it. Throws TaskSetError where that is refused. */
export async function prepare(world: World, { id, before }: EvalTask): Promise<void> {
  await world.reset();
  for (const { api, ...request } of before) {
    const { status } = await world.ask(api, request);
    // What is to be deleted need not be there.
    if (status < 400 || (status === 404 && request.method === "DELETE")) continue;
    throw new TaskSetError(
      `What task ${id} sends before it was refused: ${request.method} ${request.path} of ${api} answers ${status}.`,
    );
  }
}

function expectedAnswer({ rows, ordered, number, within, text }: ExpectedAnswer) {
  if (rows !== undefined) return { rows, ordered };
  if (number !== undefined) return { number, within };
  return text === undefined ? null : { text };
}

/** Whether a task was done: what is expected was answered, APIs are as they should be, and who was asked a question has changed nothing. */
export async function isDone(
  world: World,
  expected: ExpectedAnswer,
  results: readonly StructuredResult[],
  hasChanged: boolean,
): Promise<boolean> {
  const wanted = expectedAnswer(expected);
  const states = await Promise.all((expected.state ?? []).map((one) => isInState(world, one)));
  return (
    (wanted === null || isAnswered(wanted, results)) &&
    states.every(Boolean) &&
    (expected.state !== undefined || !hasChanged)
  );
}
