import type { AgentSession } from "../embed/agent-session.ts";
import type { ToolInputSchema } from "../tools/tool.ts";

/** A function that a model of the Chat Completions API may call, and that its tool runner calls for it. */
export interface OpenAiTool {
  type: "function";
  function: {
    name: string;
    description: string;
    parameters: ToolInputSchema;
    /** reads the arguments as the model wrote them */
    parse(text: string): object;
    /** runs the call; a failure is answered as text, since the API knows no other (SURF-6) */
    function(args: object): Promise<string>;
  };
}

/**
 * A session's tools as the `openai` package takes them: for `client.chat.completions.runTools`, or, since
 * functions are left out of JSON, for `create` in a loop of one's own.
 */
export const openAiTools = (session: AgentSession): OpenAiTool[] =>
  session.tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: {
      name,
      description,
      parameters: inputSchema,
      parse: (text) => JSON.parse(text) as object,
      function: async (args) => (await session.call(name, args)).text,
    },
  }));
