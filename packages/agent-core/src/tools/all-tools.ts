import { readMode, sessionAddress, type Tool, type ToolCall } from "./tool.ts";
import type { Answer } from "../answer/answer.ts";
import { refuseNoText, refuseUnknown } from "../errors/arguments.ts";
import { savedAnswer, savedRow } from "../program/saved/shelf.ts";
import { WANTED_INTENT } from "../session/intent.ts";
import { fail } from "../errors/problem.ts";

const graftedContextFetch: Tool = {
  name: "grafted_context_fetch",
  definition: {
    name: "grafted_context_fetch",
    title: "Document",
    description: "Full text of one graft listed by plasm_context.",
    inputSchema: {
      type: "object",
      required: ["graft_id"],
      properties: {
        graft_id: { type: "string" },
        logical_session_ref: { type: "string" },
        offset: { type: "integer" },
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

const discoverCapabilities: Tool = {
  name: "discover_capabilities",
  definition: {
    name: "discover_capabilities",
    title: "Discover",
    description: "Find seeds you cannot guess, for a goal in one sentence.",
    inputSchema: {
      type: "object",
      required: ["intent"],
      properties: {
        intent: { type: "string" },
        apis: { type: "array", items: { type: "string" } },
        limit: { type: "integer" },
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

/** Keeps a plan by name, or the plan of a program, and runs nothing (SAV-10). */
async function saveByName(
  { engine, caller, args }: Pick<ToolCall, "engine" | "caller" | "args">,
  save: unknown,
): Promise<Answer> {
  const wanted = `the name and what else is kept: {"name": "weekly_report", "description": …, "parameters": [labels], "shared": true}`;
  if (typeof save !== "object" || save === null || Array.isArray(save))
    throw fail("plasm-bad-request", `save must be an object, ${wanted}.`);
  const { name, description, parameters, shared, ...others } = save as Record<string, unknown>;
  const told = ["name", "description", "parameters", "shared"];
  refuseUnknown(Object.keys(others), { of: "save", told });
  const excess = ["force", "wait", "mode"].find((one) => args[one] !== undefined);
  if (excess !== undefined)
    throw fail("plasm-bad-request", `save keeps a plan and runs nothing: leave ${excess} out.`);
  const address = sessionAddress(args);
  const { program, plan_commit_ref: ref } = args;
  if (program !== undefined && ref !== undefined) {
    const text = "save keeps the plan of plan_commit_ref, or of program: leave one of them out.";
    throw fail("plasm-bad-request", text);
  }
  const saved = await engine.programs.save(caller, address, {
    ...(program === undefined ? { planCommitRef: ref } : { program }),
    name,
    description,
    parameters,
    shared,
  });
  return { text: savedAnswer(saved), meta: { saved: savedRow(saved) } };
}

/** The tool that runs programs live, after the gate: those sent, or what was planned under a ref (OPS-3, OPS-34). */
export const plasmRun: Tool = {
  name: "plasm_run",
  definition: {
    name: "plasm_run",
    title: "Run",
    description: "Run a program live, or page(h), wait(h), cancel(h).",
    inputSchema: {
      type: "object",
      required: ["logical_session_ref"],
      properties: {
        logical_session_ref: { type: "string" },
        program: { type: "string" },
        plan_commit_ref: { type: "string", description: "pcN, instead of program" },
        force: { type: "boolean", description: "Skip review" },
        wait: { type: "boolean", description: "false: answer with a handle" },
        save: { type: "object", description: "{name, parameters: [label]}: keep, not run" },
      },
    },
  },
  untold: ["mode"],
  call: async ({ engine, caller, args, signal, onProgress }) => {
    const address = sessionAddress(args);
    const { program, plan_commit_ref: planCommitRef, force, wait, save } = args;
    if (save !== undefined) return saveByName({ engine, caller, args }, save);
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

/**
 * The dry run; with `explain` it executes the reads of the plan, too (OPS-38). It ignores `wait` and `force` and never runs live, whatever it is given (OPS-34, G13).
 */
const plasm: Tool = {
  name: "plasm",
  definition: {
    name: "plasm",
    title: "Plan",
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

/**
 * The tool that puts a plan before the person, in a card of their client: what it would change, before and after (SURF-45). It explains the
 * plan, and decides nothing. Offered where a client shows cards alone.
 */
export const plasmShow: Tool = {
  name: "plasm_show",
  definition: {
    name: "plasm_show",
    title: "Show the plan",
    description: "Show a plan to the person, with values before and after. Changes nothing.",
    inputSchema: {
      type: "object",
      required: ["logical_session_ref", "plan_commit_ref"],
      properties: {
        logical_session_ref: { type: "string" },
        plan_commit_ref: { type: "string" },
      },
    },
    annotations: { readOnlyHint: true },
  },
  untold: [],
  call: async ({ engine, caller, args, signal }) => {
    const { plan_commit_ref: planCommitRef } = args;
    if (planCommitRef === undefined) {
      throw fail("plasm-bad-request", "plan_commit_ref is missing: the pcN of a plan.");
    }
    return engine.explain(caller, sessionAddress(args), {
      planCommitRef,
      ...(signal === undefined ? {} : { signal }),
    });
  },
};

const plasmContext: Tool = {
  name: "plasm_context",
  definition: {
    name: "plasm_context",
    title: "Session",
    description:
      "Open or extend a session; call first. Returns logical_session_ref and the table. Without seeds the intent chooses.",
    inputSchema: {
      type: "object",
      required: ["intent"],
      properties: {
        intent: { type: "string" },
        seeds: {
          type: "array",
          items: {
            type: "object",
            properties: {
              api: { type: "string" },
              entity: { type: "string" },
              account: { type: "string" },
            },
          },
        },
        replay: { type: "boolean", description: "Send tables again" },
        detail: { type: "boolean", description: "What tables leave out, too" },
        notation: { enum: ["symbols", "names"] },
        read_only: { type: "boolean" },
        grafts: { type: "object" },
      },
    },
    annotations: { destructiveHint: false },
  },
  untold: ["principal"],
  call: async ({ engine, caller, args, known }) => {
    const { seeds, replay, detail, notation, read_only: readOnly, principal, grafts } = args;
    const { intent } = args;
    // It is optional on HTTP only, so a missing one must not reach the engine as none (B10).
    if (intent === undefined) throw refuseNoText("intent", intent, WANTED_INTENT);
    const asked = { intent, seeds, replay, detail, notation, readOnly, principal, grafts };
    const request = known === undefined ? asked : { ...asked, known };
    return engine.context(caller, request);
  },
};

/** Every tool, in the order `tools/list` shows them (SURF-3); the list never changes (SURF-1). */
export const TOOLS: readonly Tool[] = Object.freeze([
  plasmContext,
  plasm,
  plasmRun,
  discoverCapabilities,
  graftedContextFetch,
]);
