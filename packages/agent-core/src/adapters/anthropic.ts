import { ToolError } from "@anthropic-ai/sdk/lib/tools/ToolError";
import type { AgentSession } from "../embed/agent-session.ts";
import type { ToolInputSchema } from "../tools/tool.ts";

/** A tool that a model of the Messages API may call, and that its tool runner calls for it. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ToolInputSchema;
  /** hands on what the model wrote: the engine checks it */
  parse(input: unknown): unknown;
  /** runs the call; a failure is a ToolError, which the model sees as its text with `is_error` (SURF-6) */
  run(input: unknown, context?: { signal?: AbortSignal | null | undefined }): Promise<string>;
}

/**
 * A session's tools as `@anthropic-ai/sdk` takes them: for `client.beta.messages.toolRunner`, or, since
 * functions are left out of JSON, for `create` in a loop of one's own.
 */
export const anthropicTools = (session: AgentSession): AnthropicTool[] =>
  session.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
    parse: (input) => input,
    run: async (input, context) => {
      const signal = context?.signal ?? undefined;
      const options = signal === undefined ? {} : { signal };
      const { text, isError } = await session.call(name, input, options);
      if (isError) throw new ToolError(text);
      return text;
    },
  }));
