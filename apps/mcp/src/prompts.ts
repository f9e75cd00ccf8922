import type { Caller, Engine } from "@plasm/agent-core";
import { problemDocument } from "@plasm/agent-core/internal";
import { visible } from "@plasm/core/internal";
import {
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from "@modelcontextprotocol/server";

type SavedRow = Awaited<ReturnType<Engine["programs"]["list"]>>[number];

const valueText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** A saved program as a prompt: its parameters are arguments that may be left out. */
const promptOf = ({ name, description, parameters, effects }: SavedRow): Prompt => ({
  name,
  description: [
    description === "" ? "A saved program" : visible(description),
    ...(effects.length === 0 ? [] : [`Changes something: ${effects.join(", ")}`]),
  ].join(". "),
  arguments: parameters.map((one) => ({
    name: one.name,
    description: `${one.type}${one.list ? " list, as JSON" : ""}; ${visible(valueText(one.default))} unless given`,
    required: false,
  })),
});

type Parameter = SavedRow["parameters"][number];

/** What a person may begin with who fills in an argument: every value of a type with few, else what it is without one. */
function offersFor({ type, list, default: without }: Parameter): readonly string[] {
  const own = valueText(without);
  if (list) return [own];
  if (type === "boolean") return ["true", "false"];
  return type === "date" ? [...new Set([own, "today", "today-7d", "today-30d"])] : [own];
}

/** What a model is asked for, with all that it needs for it: one call of a tool. */
const messageOf = (name: string, ref: string, program: string): string =>
  `Run the saved program ${name}: call plasm_run with these arguments, and no other tool before it. What changes something is reviewed first; the answer says how.\n\n${JSON.stringify({ logical_session_ref: ref, program })}`;

/** Values of an answer, by the protocol. */
const MOST_VALUES = 100;

async function argumentValues(
  engine: Engine,
  caller: Caller,
  program: string,
  argument: string,
): Promise<readonly string[]> {
  return (await engine.programs.list(caller))
    .filter(({ name }) => name === program)
    .flatMap(({ parameters }) => parameters.filter(({ name }) => name === argument))
    .flatMap(offersFor);
}

const ownWatches = async (engine: Engine, caller: Caller): Promise<readonly string[]> =>
  (await engine.schedules.list(caller))
    .filter(({ watch }) => watch !== null)
    .map(({ schedule_uuid }) => schedule_uuid);

/** Who sees which program differs, and they come and go. */
const CACHED = { ttlMs: 0, cacheScope: "private" } as const;

/** Serves the programs that the caller has saved, or that are shared with them, as prompts (SAV-09). */
export function servePrompts(
  server: Server,
  engine: Engine,
  caller: Caller,
  modern: boolean,
): void {
  server.setRequestHandler("prompts/list", async () => ({
    prompts: (await engine.programs.list(caller)).map(promptOf),
    ...(modern ? CACHED : {}),
  }));
  // A prompt or an argument that is not the caller's is completed with nothing, as one that does not exist.
  server.setRequestHandler("completion/complete", async ({ params }) => {
    const { ref, argument } = params;
    const known =
      ref.type === "ref/prompt"
        ? await argumentValues(engine, caller, ref.name, argument.name)
        : ref.uri.startsWith("plasm://watch/") && argument.name === "schedule_uuid"
          ? await ownWatches(engine, caller)
          : [];
    const matching = known.filter((value) => value.startsWith(argument.value));
    const total = matching.length;
    const values = matching.slice(0, MOST_VALUES);
    return { completion: { values, total, hasMore: total > values.length } };
  });
  server.setRequestHandler("prompts/get", async ({ params }) => {
    const { name, arguments: values = {} } = params;
    try {
      const { ref, program } = await engine.programs.open(caller, name, values);
      const text = messageOf(name, ref, program);
      return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
    } catch (thrown) {
      const problem = engine.problemOf(thrown);
      const { InvalidParams } = ProtocolErrorCode;
      throw new ProtocolError(InvalidParams, problem.text, problemDocument(problem));
    }
  });
}
