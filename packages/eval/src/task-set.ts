import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";

const id = z.string().regex(/^[\w.-]{1,64}$/, "a name of letters, digits, _, - and .");

const seed = z.strictObject({
  api: z.string().optional(),
  entity: z.string(),
  account: z.string().optional(),
});

const path = z.string().startsWith("/");

/** What an API says of itself after a program: some of what it answers, or that there is nothing. */
const stateCheck = z.union([
  z.strictObject({ api: z.string(), get: path, has: z.json() }),
  z.strictObject({ api: z.string(), get: path, missing: z.literal(true) }),
]);

/** What is sent before a task, where an API is not begun anew for it. */
const beforehand = z.strictObject({
  api: z.string(),
  method: z.enum(["POST", "PUT", "PATCH", "DELETE"]),
  path,
  body: z.json().optional(),
});

/** What a right answer has. Of rows, columns have any names, and others may stand beside them. */
const expectation = z
  .strictObject({
    rows: z.array(z.array(z.json())).optional(),
    ordered: z.boolean().default(false),
    number: z.number().optional(),
    within: z.number().nonnegative().default(1e-9),
    text: z.string().optional(),
    state: z.array(stateCheck).optional(),
  })
  .refine(
    ({ rows, number, text, state }) => [rows, number, text, state].some((one) => one !== undefined),
    "says nothing of a right answer: give rows, number, text or state",
  );

const task = z.strictObject({
  id,
  goal: z.string().min(1),
  seeds: z.array(seed).min(1).optional(),
  before: z.array(beforehand).default([]),
  expect: expectation,
});

const started = z.strictObject({
  command: z.array(z.string()).min(1),
  port: z.string().default("PORT"),
  path: z.string().default(""),
});

/** One that runs elsewhere: what it has to be. */
const given = z.strictObject({ given: z.string().min(1) });

const taskSet = z.strictObject({
  label: z.string().min(1),
  samples: z.boolean().default(false),
  fixtures: z.array(z.string()).default([]),
  catalogs: z.array(z.string()).default([]),
  apis: z.record(z.string(), z.union([started, given])).default({}),
  tasks: z.array(task).min(1),
});

/** A wish in a user's words, and what is right about an answer to it. */
export type EvalTask = z.infer<typeof task>;
export type ExpectedAnswer = z.infer<typeof expectation>;
export type StateCheck = z.infer<typeof stateCheck>;
/** How an API is started beside the engine: it listens on 127.0.0.1, on the port that a variable names. */
export type StartedApi = z.infer<typeof started>;

/**
 * A file of tasks: `label`; `samples`, whether the two sample APIs run; `fixtures` that run besides; directories of `catalogs`, from
 * where the file is; `apis` that are started, or whose address is given, by catalog; and `tasks`.
 */
export type TaskSet = z.infer<typeof taskSet>;

/** A file of tasks that cannot be used: each fault with its line. */
export class TaskSetError extends Error {
  override readonly name = "TaskSetError";
}

const MOST_FAULTS = 10;

/** What a fault says to an author. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `no such member: ${issue.keys.join(", ")}`;
  const isAbsent = issue.code === "invalid_type" && issue.message.endsWith("received undefined");
  return isAbsent ? `is missing; it is a ${issue.expected}` : issue.message;
}

function refuse(name: string, faults: readonly string[]): never {
  const shown = faults.slice(0, MOST_FAULTS).map((fault) => `\n  ${fault}`);
  const more = faults.length > MOST_FAULTS ? `\n  and ${faults.length - MOST_FAULTS} more` : "";
  throw new TaskSetError(`The tasks in ${name} cannot be used:${shown.join("")}${more}`);
}

/** Reads the text of a file of tasks, YAML or JSON. Throws TaskSetError with each fault, its line and what is allowed. */
export function readTaskSet(name: string, text: string): TaskSet {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, maxAliasCount: 100 } as never);
  if (document.errors.length > 0)
    refuse(
      name,
      document.errors.map(({ message }) => message.split("\n")[0] ?? message),
    );
  const placeOf = (path: readonly PropertyKey[]): string => {
    for (let length = path.length; length > 0; length -= 1) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      const range = (node as { readonly range?: readonly number[] } | undefined)?.range;
      if (range?.[0] !== undefined)
        return `line ${lines.linePos(range[0]).line}, ${path.map(String).join(".")}`;
    }
    return path.length === 0 ? "line 1" : path.map(String).join(".");
  };
  const read = taskSet.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (!read.success)
    refuse(
      name,
      read.error.issues.map((issue) => `${placeOf(issue.path)}: ${wordsOf(issue)}`),
    );
  const ids = read.data.tasks.map((one) => one.id);
  const twice = ids.find((one, at) => ids.indexOf(one) !== at);
  if (twice !== undefined) refuse(name, [`two tasks are called ${twice}`]);
  return read.data;
}
