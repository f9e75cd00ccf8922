import { fail } from "../errors/failure.ts";
import { readMode } from "./read-mode.ts";
import { sessionAddress } from "./session-address.ts";
import type { Tool } from "./tool.ts";

/**
 * The dry run; with `explain` it executes the reads of the plan, too (OPS-38). It ignores `wait` and `force` and never runs live, whatever it is given (OPS-34, G13).
 */
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
  untold: ["mode", "explain", "wait", "force", "plan_commit_ref"],
  call: async ({ engine, caller, args, signal }) => {
    const mode = readMode(args["mode"], "plan");
    if (mode === "run") {
      throw fail(
        "plasm-bad-request",
        "plasm only plans: leave mode out. plasm_run runs a program.",
      );
    }
    const { program, explain = mode === "explain" } = args;
    if (typeof explain !== "boolean") {
      throw fail("plasm-bad-request", "explain is true or false.");
    }
    const address = sessionAddress(args);
    if (!explain) return engine.plan(caller, address, program);
    return engine.explain(caller, address, {
      program,
      ...(signal === undefined ? {} : { signal }),
    });
  },
};
