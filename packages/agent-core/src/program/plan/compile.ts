import { compileProgram, type Plan, type ProgramError, type ReadBudget } from "@plasm/core";
import { readDefinitions } from "@plasm/core/internal";
import { refuseNoText } from "../../errors/arguments.ts";
import { programProblem } from "../../errors/classify.ts";
import { Failure } from "../../errors/problem.ts";
import { type SessionView, untaughtIn } from "../../session/session-view.ts";
import { KeptPlans } from "./kept-plans.ts";
import type { UndoProgram } from "./undo-plan.ts";

/** What a program is that has no mistakes. */
export type CompiledProgram =
  | {
      readonly kind: "plan";
      readonly plan: Plan;
      /** what an `undo` does not take back, in words */
      readonly left?: readonly string[];
    }
  | {
      readonly kind: "continuation";
      readonly op: "page" | "wait" | "cancel";
      readonly handle: string;
      readonly limit: number | null;
    };

/**
 * What reads may ask for without review, unless policy says otherwise (PLAN-054): more than nearly all that
 * people ask for in words takes, and less than an API notices (docs/adr/0149).
 */
const UNREVIEWED_READS: ReadBudget = Object.freeze({ requests: 20, rows: 2_000 });

/** Those of this process, of all its engines: ids of sessions are random. */
const keptPlans = new KeptPlans();

/**
 * The one way from program text to plan, for dry and live runs alike (PLAN-001, OPS-4). Throws
 * Failure with every error of the program.
 */
export function compile(
  program: unknown,
  view: SessionView,
  plans = keptPlans,
): CompiledProgram | UndoProgram {
  if (typeof program !== "string") {
    throw refuseNoText("program", program, "one text, statements by line");
  }
  const plan = plans.of(program, view);
  if (plan !== null) return { kind: "plan", plan };
  const compiled = compileProgram(program, view.exposure, {
    untaught: untaughtIn(view),
    unreviewedReads: UNREVIEWED_READS,
  });
  if (compiled.kind === "errors") {
    const errors = compiled.errors.map(withoutDefinitions);
    throw new Failure(programProblem({ ...compiled, errors }));
  }
  if (compiled.kind === "plan") plans.keep(program, view, compiled.plan);
  if (compiled.kind !== "continuation") return compiled;
  const { op, handle, effects = [] } = compiled;
  return op === "undo" ? { kind: "undo", handle, effects } : { ...compiled, op };
}

/** What is suggested, as its author would write it: the definitions of saved programs are none of theirs. */
function withoutDefinitions(error: ProgramError): ProgramError {
  const { suggestedProgram } = error;
  if (suggestedProgram === null) return error;
  const { written, definitions } = readDefinitions(suggestedProgram);
  return definitions.size === 0 ? error : { ...error, suggestedProgram: written };
}
