import { fail } from "@plasm/agent-core";
import { readMode } from "./read-mode.ts";
import { sessionAddress } from "./session-address.ts";
import type { Tool } from "./tool.ts";

/** The dry run. It ignores `wait` and `force` and never runs live, whatever it is given (OPS-34, G13). */
export const plasm: Tool = {
  name: "plasm",
  definition: {
    name: "plasm",
    description: "Plan a program; runs nothing.",
    inputSchema: {
      type: "object",
      required: ["logical_session_ref", "program"],
      properties: { logical_session_ref: { type: "string" }, program: { type: "string" } },
    },
    annotations: { readOnlyHint: true },
  },
  untold: ["mode", "wait", "force", "plan_commit_ref"],
  call: async ({ engine, caller, args }) => {
    if (readMode(args["mode"], "plan") !== "plan") {
      throw fail(
        "plasm-bad-request",
        "plasm only plans: leave mode out. plasm_run runs a program.",
      );
    }
    return engine.plan(caller, sessionAddress(args), args["program"]);
  },
};
