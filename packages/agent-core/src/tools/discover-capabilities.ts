import type { Tool } from "./tool.ts";

export const discoverCapabilities: Tool = {
  name: "discover_capabilities",
  definition: {
    name: "discover_capabilities",
    description: "Find seeds you cannot guess, for a goal told in one sentence.",
    inputSchema: {
      type: "object",
      required: ["intent"],
      properties: {
        intent: { type: "string" },
        apis: { type: "array", items: { type: "string" } },
        limit: { type: "integer", minimum: 1, maximum: 32 },
      },
    },
    annotations: { readOnlyHint: true },
  },
  untold: [],
  call: async ({ engine, caller, args }) => {
    const { intent, apis, limit } = args;
    return engine.discover(caller, { intent, apis, limit });
  },
};
