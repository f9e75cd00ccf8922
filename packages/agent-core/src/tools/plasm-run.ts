import { readMode } from "./read-mode.ts";
import { sessionAddress } from "./session-address.ts";
import type { Tool } from "./tool.ts";

/** The tool that runs programs live, after the gate: those sent, or what was planned under a ref (OPS-3, OPS-34). */
export const plasmRun: Tool = {
  name: "plasm_run",
  definition: {
    name: "plasm_run",
    description: "Run a program live, or page(h), wait(h), cancel(h).",
    inputSchema: {
      type: "object",
      required: ["logical_session_ref"],
      properties: {
        logical_session_ref: { type: "string" },
        program: { type: "string" },
        plan_commit_ref: { type: "string", description: "pcN from plasm, instead of program" },
        force: { type: "boolean", description: "Skip review" },
        wait: { type: "boolean", description: "false: answer with a handle" },
      },
    },
  },
  untold: ["mode"],
  call: async ({ engine, caller, args, signal, onProgress }) => {
    const address = sessionAddress(args);
    const { program, plan_commit_ref: planCommitRef, force, wait } = args;
    const mode = readMode(args["mode"], "run");
    if (mode === "plan") return engine.plan(caller, address, program);
    if (mode === "explain") {
      return engine.explain(caller, address, {
        program,
        ...(signal === undefined ? {} : { signal }),
      });
    }
    return engine.run(caller, address, {
      program,
      planCommitRef,
      force,
      wait,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
  },
};
