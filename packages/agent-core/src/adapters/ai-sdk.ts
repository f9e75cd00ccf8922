import { jsonSchema, tool, type ToolSet } from "ai";
import type { AgentSession } from "../embed/agent-session.ts";

/** The message is what the model reads of a call that failed (SURF-6). */
class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}

/** A session's tools as `generateText`, `streamText` and agents of the AI SDK (`ai`) take them. */
export const aiSdkTools = (session: AgentSession): ToolSet =>
  Object.fromEntries(
    session.tools.map(({ name, description, inputSchema }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<object>(inputSchema),
        execute: async (input, { abortSignal }): Promise<string> => {
          const options = abortSignal === undefined ? {} : { signal: abortSignal };
          const { text, isError } = await session.call(name, input, options);
          if (isError) throw new ToolFailure(text);
          return text;
        },
      }),
    ]),
  );
