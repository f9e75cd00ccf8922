import {
  acceptedContent,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  type PromptMessage,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { askText } from "./fixture-input-tools.ts";
import { PNG } from "./fixture-media.ts";

type Arguments = Readonly<Record<string, string>>;

interface FixturePrompt {
  readonly definition: Prompt;
  get(args: Arguments, context: ServerContext): GetPromptResult | InputRequiredResult;
}

const user = (content: PromptMessage["content"]): PromptMessage => ({ role: "user", content });
const userText = (text: string): PromptMessage => user({ type: "text", text });
const required = (name: string) => ({ name, description: `The ${name}`, required: true });

const PROMPTS: readonly FixturePrompt[] = [
  {
    definition: { name: "test_simple_prompt", description: "A text" },
    get: () => ({ messages: [userText("This is a simple prompt for testing.")] }),
  },
  {
    definition: {
      name: "test_prompt_with_arguments",
      description: "A text of two arguments",
      arguments: [required("arg1"), required("arg2")],
    },
    get: ({ arg1 = "", arg2 = "" }) => ({
      messages: [userText(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  },
  {
    definition: {
      name: "test_prompt_with_embedded_resource",
      description: "A resource, and what to do with it",
      arguments: [required("resourceUri")],
    },
    get: ({ resourceUri: uri = "" }) => ({
      messages: [
        user({
          type: "resource",
          resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
        }),
        userText("Please process the embedded resource above."),
      ],
    }),
  },
  {
    definition: { name: "test_prompt_with_image", description: "A picture" },
    get: () => ({
      messages: [
        user({ type: "image", data: PNG, mimeType: "image/png" }),
        userText("Please analyze the image above."),
      ],
    }),
  },
  {
    definition: { name: "test_input_required_result_prompt", description: "Asks for a context" },
    get: (_, { mcpReq }) => {
      const given = acceptedContent(mcpReq.inputResponses, "user_context")?.["context"];
      const question = askText("What context should the prompt use?", "context");
      return typeof given === "string"
        ? { messages: [userText(`Use this context: ${given}`)] }
        : inputRequired({ inputRequests: { user_context: question } });
    },
  },
];

export const listPrompts = (): Prompt[] => PROMPTS.map(({ definition }) => definition);

export function getPrompt(
  name: string,
  args: Arguments,
  context: ServerContext,
): GetPromptResult | InputRequiredResult {
  const prompt = PROMPTS.find(({ definition }) => definition.name === name);
  if (prompt === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}`);
  }
  return prompt.get(args, context);
}
