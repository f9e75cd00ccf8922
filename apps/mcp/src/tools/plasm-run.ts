import { readMode } from "./read-mode.ts";
import { sessionAddress } from "./session-address.ts";
import type { Tool } from "./tool.ts";

export const plasmRun: Tool = {
  name: "plasm_run",
  definition: {
    name: "plasm_run",
    description: "Run a program live, or page(h).",
    inputSchema: {
      type: "object",
      required: ["logical_session_ref", "program"],
      properties: {
        logical_session_ref: { type: "string" },
        program: { type: "string" },
        plan_commit_ref: { type: "string", description: "pcN from plasm" },
        force: { type: "boolean", description: "Skip review" },
      },
    },
  },
  untold: ["mode", "wait"],
  call: async ({ engine, caller, args, signal }) => {
    const address = sessionAddress(args);
    const { program, plan_commit_ref: planCommitRef, force, wait } = args;
    if (readMode(args["mode"], "run") === "plan") return engine.plan(caller, address, program);
    const abort = signal === undefined ? {} : { signal };
    return engine.run(caller, address, { program, planCommitRef, force, wait, ...abort });
  },
};
