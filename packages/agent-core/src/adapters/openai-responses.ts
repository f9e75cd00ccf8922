import type { AgentSession } from "../embed/agent-session.ts";
import type { ToolInputSchema } from "../tools/tool.ts";

/** A function that a model of the Responses API may call. */
export interface OpenAiFunction {
  type: "function";
  name: string;
  description: string;
  parameters: ToolInputSchema;
  /** false: strict mode knows no optional arguments */
  strict: false;
}

/** What of a response's output item is read; items of other types are passed over. */
export interface OpenAiOutputItem {
  readonly type: string;
  readonly call_id?: string | null | undefined;
  readonly name?: string | null | undefined;
  /** as the model wrote them */
  readonly arguments?: unknown;
}

/** The answer to a call, which goes into the next request's input. */
export interface OpenAiFunctionOutput {
  type: "function_call_output";
  call_id: string;
  output: string;
}

/** A session's tools as `tools` of `client.responses.create` (SURF-3). */
export const openAiFunctions = (session: AgentSession): OpenAiFunction[] =>
  session.tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    parameters: inputSchema,
    strict: false,
  }));

/** Arguments as JSON, or the text itself, which the session refuses as every other wrong argument. */
function argumentsIn(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}

/**
 * Runs the function calls of a response's `output`, one after the other, and gives what answers them; empty once
 * the model has said all it wants. A call that fails is answered with a text that says what to do (SURF-6).
 */
export async function answerFunctionCalls(
  session: AgentSession,
  output: readonly OpenAiOutputItem[],
): Promise<OpenAiFunctionOutput[]> {
  const answers: OpenAiFunctionOutput[] = [];
  for (const { type, call_id, name, arguments: text } of output) {
    if (type !== "function_call") continue;
    const { text: told } = await session.call(name ?? "", argumentsIn(text));
    answers.push({ type: "function_call_output", call_id: call_id ?? "", output: told });
  }
  return answers;
}
