import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { INPUT_TOOLS, STATE } from "./fixture-input-tools.ts";
import { getPrompt, listPrompts } from "./fixture-prompts.ts";
import { readResource, RESOURCES, TEMPLATES } from "./fixture-resources.ts";
import { PLAIN_TOOLS } from "./fixture-tools.ts";

const TOOLS = [...PLAIN_TOOLS, ...INPUT_TOOLS];

/** What the suite expects behind a transport: tools, prompts and resources by its names. */
export function fixtureServer(era: "legacy" | "modern"): Server {
  const server = new Server(
    { name: "fixture", version: "1" },
    {
      capabilities: {
        tools: {},
        prompts: {},
        resources: era === "legacy" ? { subscribe: true } : {},
        completions: {},
        logging: {},
      },
      requestState: { verify: STATE.verify },
    },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: TOOLS.map(({ definition }) => definition),
  }));
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const tool = TOOLS.find(({ definition }) => definition.name === params.name);
    if (tool !== undefined) return tool.call(context);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}`);
  });
  server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts() }));
  server.setRequestHandler("prompts/get", ({ params }, context) =>
    getPrompt(params.name, params.arguments ?? {}, context),
  );
  server.setRequestHandler("resources/list", () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [...TEMPLATES],
  }));
  server.setRequestHandler("resources/read", ({ params }) => readResource(params.uri));
  server.setRequestHandler("completion/complete", ({ params }) => {
    const values = ["paris", "park", "party"].filter((one) =>
      one.startsWith(params.argument.value),
    );
    return { completion: { values, total: values.length, hasMore: false } };
  });
  if (era === "legacy") {
    server.setRequestHandler("resources/subscribe", () => ({}));
    server.setRequestHandler("resources/unsubscribe", () => ({}));
  }
  return server;
}
