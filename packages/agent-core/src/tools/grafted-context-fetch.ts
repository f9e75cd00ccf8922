import type { Tool } from "./tool.ts";

export const graftedContextFetch: Tool = {
  name: "grafted_context_fetch",
  definition: {
    name: "grafted_context_fetch",
    description: "Full text of one graft listed by plasm_context.",
    inputSchema: {
      type: "object",
      required: ["graft_id"],
      properties: {
        graft_id: { type: "string" },
        logical_session_ref: { type: "string" },
        offset: { type: "integer", minimum: 0 },
      },
    },
    annotations: { readOnlyHint: true },
  },
  untold: [],
  call: async ({ engine, caller, args }) => {
    const { graft_id: graftId, logical_session_ref: ref, offset } = args;
    return engine.fetchGraft(caller, { graftId, ref, offset });
  },
};
