import type { Answer, Problem, RunAnswer } from "@plasm/agent-core";
import { problemDocument } from "@plasm/agent-core/internal";
import type { Json, JsonObject } from "@plasm/core";
import type { CallToolResult, Tool as ToolDefinition } from "@modelcontextprotocol/server";

/** What a tool gives as data where the setting `structured_content` is on: what its text says (SURF-5). */
interface Structured {
  readonly outputSchema: NonNullable<ToolDefinition["outputSchema"]>;
  readonly of: (answer: Answer) => Record<string, unknown>;
}

const text = { type: "string" } as const;
const objects = { type: "array", items: { type: "object" } } as const;

const fittedOf = (answer: Answer): RunAnswer["fitted"] => (answer as RunAnswer).fitted;

/** `{"e1": "Tree"}` of a wave: its entities by their symbols (SURF-7). */
function namedEntities({ entities, e }: JsonObject): Record<string, Json> {
  const [first = 1] = e as readonly number[];
  const names = entities as readonly string[];
  return Object.fromEntries(names.map((name, index) => [`e${first + index}`, name]));
}

const context: Structured = {
  outputSchema: {
    type: "object",
    required: ["text", "waves"],
    properties: { logical_session_ref: text, text, waves: objects },
  },
  of: (answer) => {
    const waves = answer.meta["waves"] ?? [];
    return {
      logical_session_ref: answer.meta["logical_session_ref"],
      text: answer.text,
      waves: (waves as readonly JsonObject[]).map((wave) => ({
        entry_id: wave["entry_id"],
        entities: namedEntities(wave),
      })),
    };
  },
};

/** A plan is told by its text; an explained one has the rows that it read, too (OPS-38). */
const plan: Structured = {
  outputSchema: { type: "object", required: ["text"], properties: { results: objects, text } },
  of: (answer) => {
    const results = fittedOf(answer);
    return { ...(results === undefined ? {} : { results }), text: answer.text };
  },
};

const run: Structured = {
  outputSchema: {
    type: "object",
    required: ["results", "text"],
    properties: { results: objects, text },
  },
  of: (answer) => ({ results: fittedOf(answer) ?? [], text: answer.text }),
};

const discovery: Structured = {
  outputSchema: {
    type: "object",
    required: ["options", "omitted", "text"],
    properties: {
      options: objects,
      omitted: { type: "integer" },
      others: objects,
      further: objects,
      elsewhere: { type: "array", items: { type: "string" } },
      text,
    },
  },
  of: ({ meta, text: said }) => ({ ...meta, text: said }),
};

/** A graft is its text; what is known of it stands beside it. */
const graft: Structured = {
  outputSchema: {
    type: "object",
    required: ["text"],
    properties: { graft: { type: "object" }, text },
  },
  of: ({ meta, text: said }) => ({ ...meta, text: said }),
};

const STRUCTURED: Readonly<Record<string, Structured>> = Object.freeze({
  plasm_context: context,
  plasm: plan,
  plasm_run: run,
  plasm_show: plan,
  discover_capabilities: discovery,
  grafted_context_fetch: graft,
});

function structured(tool: string): Structured {
  const found = STRUCTURED[tool];
  if (found === undefined) throw new Error(`${tool} says nothing as data`);
  return found;
}

/** A tool's definition with its output schema. */
export const withOutputSchema = (definition: ToolDefinition): ToolDefinition => ({
  ...definition,
  outputSchema: structured(definition.name).outputSchema,
});

/** What the answer of a tool says, as data. */
const structuredAnswer = (tool: string, answer: Answer): Record<string, unknown> =>
  structured(tool).of(answer);

/** What a failure says, as data: its text has all of it, so that nothing is said at length twice. */
function structuredProblem(problem: Problem): Record<string, unknown> {
  const { code, status, retryable } = problemDocument(problem);
  return { error: { code, status, retryable }, text: problem.text };
}

/**
 * An answer as MCP sends it: text for the model, `_meta.plasm` for programs, and where a tool is told that
 * it is to be said as data, too, what the text says (SURF-5).
 */
export const answerResult = (answer: Answer, tool: string | null = null): CallToolResult => ({
  content: [{ type: "text", text: answer.text }],
  ...(tool === null ? {} : { structuredContent: structuredAnswer(tool, answer) }),
  _meta: { plasm: answer.meta },
});

/** A failure as MCP sends it; its text alone suffices (SURF-6, ERR-031). */
export const problemResult = (problem: Problem, structured = false): CallToolResult => ({
  content: [{ type: "text", text: problem.text }],
  ...(structured ? { structuredContent: structuredProblem(problem) } : {}),
  isError: true,
  _meta: {
    plasm: { ...problem.meta, error: { ...problemDocument(problem), ...errorMeta(problem) } },
  },
});

/** What the meta of a problem says of the error itself, such as OPS-10's `reason`. */
function errorMeta(problem: Problem): JsonObject {
  const error = problem.meta["error"];
  return typeof error === "object" && error !== null && !Array.isArray(error)
    ? (error as JsonObject)
    : {};
}
