import { refuseNoText } from "../errors/refuse-type.ts";
import { WANTED_INTENT } from "../session/intent.ts";
import type { Tool } from "./tool.ts";

export const plasmContext: Tool = {
  name: "plasm_context",
  definition: {
    name: "plasm_context",
    description:
      "Open or extend a session; call first. Returns logical_session_ref and the table of symbols programs use.",
    inputSchema: {
      type: "object",
      required: ["intent", "seeds"],
      properties: {
        intent: { type: "string" },
        seeds: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            required: ["entity"],
            properties: { api: { type: "string" }, entity: { type: "string" } },
          },
        },
        replay: { type: "boolean", description: "Send all tables again" },
        notation: { enum: ["symbols", "names"] },
        read_only: { type: "boolean", description: "Change nothing" },
        grafts: { type: "object" },
      },
    },
    annotations: { destructiveHint: false },
  },
  untold: ["principal"],
  call: async ({ engine, caller, args }) => {
    const { seeds, replay, notation, read_only: readOnly, principal, grafts } = args;
    const { intent } = args;
    // It is optional on HTTP only, so a missing one must not reach the engine as none (B10).
    if (intent === undefined) throw refuseNoText("intent", intent, WANTED_INTENT);
    const request = { intent, seeds, replay, notation, readOnly, principal, grafts };
    return engine.context(caller, request);
  },
};
