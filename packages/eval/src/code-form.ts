import { Conversation, type TrialOutcome, tryPrograms } from "./conversation.ts";
import type { JsonSchema } from "./json-schemas.ts";
import type { Model } from "./models.ts";
import { type OfferedTool, isMembers, openCalls, resultOf } from "./operation-calls.ts";
import { runCode } from "./sandbox.ts";
import type { EvalTask } from "./task-set.ts";
import { type TrialAttempt, type World, isDone } from "./trial.ts";

type Members = Readonly<Record<string, JsonSchema>>;

const NAME = /^[A-Za-z_$][\w$]*$/;
const member = (name: string): string => (NAME.test(name) ? name : JSON.stringify(name));

/** The type of what a schema describes, with what it says of itself behind it. */
function typeText(schema: JsonSchema): string {
  const { description, format } = schema as { readonly description?: string; format?: string };
  const told = [format, description].filter((one) => one !== undefined && one !== "").join(", ");
  return `${bare(schema)}${told === "" ? "" : ` /* ${told.replaceAll("*/", "* /")} */`}`;
}

function bare(schema: JsonSchema): string {
  const { enum: options, const: only, oneOf, items } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(options)) return options.map((one) => JSON.stringify(one)).join(" | ");
  if (Array.isArray(oneOf)) return (oneOf as readonly JsonSchema[]).map(typeText).join(" | ");
  switch (schema["type"]) {
    case "object":
      return membersText(schema);
    case "array":
      return `(${typeText((items ?? {}) as JsonSchema)})[]`;
    case "integer":
    case "number":
      return "number";
    case "boolean":
    case "string":
      return String(schema["type"]);
    default:
      return "unknown";
  }
}

function membersText(schema: JsonSchema): string {
  const required = (schema["required"] ?? []) as readonly string[];
  const members = Object.entries((schema["properties"] ?? {}) as Members).map(
    ([name, value]) => `${member(name)}${required.includes(name) ? "" : "?"}: ${typeText(value)}`,
  );
  return `{ ${members.join(", ")} }`;
}

/** What a row has: every member may be null, which is not said of each. */
function rowText(output: JsonSchema): string {
  const { properties = {} } = output as { readonly properties?: Members };
  const items = (properties["items"] as { readonly items?: JsonSchema } | undefined)?.items;
  const { properties: members = {} } = (items ?? output) as { readonly properties?: Members };
  const each = Object.entries(members).map(
    ([name, value]) => `${member(name)}: ${typeText(value)}`,
  );
  return `{ ${each.join(", ")} }`;
}

/** A function of `api` for each tool, as TypeScript declares them; rows of the same members have one name. */
function codeDeclarations(tools: readonly OfferedTool[]): string {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (entity: string, text: string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const count = (counts.get(entity) ?? 0) + 1;
    counts.set(entity, count);
    const name = count === 1 ? entity : `${entity}${count}`;
    names.set(text, name);
    return name;
  };
  const functions = tools.map(({ tool, entity }) => {
    const { name, description, inputSchema, outputSchema } = tool;
    const row = outputSchema === undefined ? "unknown" : nameOf(entity, rowText(outputSchema));
    return `  /** ${description.replaceAll("*/", "* /")} */\n  ${name}(args: ${membersText(inputSchema)}): Promise<Page<${row}>>;`;
  });
  return [
    "/** Rows of one page; `next` is there where more follow. A value may be null. */",
    "type Page<Row> = { rows: Row[], next?: string };",
    ...[...names].map(([text, name]) => `type ${name} = ${text};`),
    "declare const api: {",
    ...functions,
    "};",
  ].join("\n");
}

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
