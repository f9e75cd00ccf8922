import { compileProgram, type Plan } from "@plasm/core";
import { programProblem } from "../errors/classify.ts";
import { Failure } from "../errors/failure.ts";
import { refuseNoText } from "../errors/refuse-type.ts";
import type { SessionView } from "../session/session-view.ts";
import { untaughtIn } from "../session/untaught-in.ts";

export type Compiled =
  | { readonly kind: "plan"; readonly plan: Plan }
  | {
      readonly kind: "continuation";
      readonly op: "page" | "wait" | "cancel";
      readonly handle: string;
      readonly limit: number | null;
    };

/**
 * The one way from program text to plan, for dry and live runs alike (PLAN-001, OPS-4). Throws
 * Failure with every error of the program.
 */
export function compile(program: unknown, view: SessionView): Compiled {
  if (typeof program !== "string") {
    throw refuseNoText("program", program, "one text, statements by line");
  }
  const compiled = compileProgram(program, view.exposure, { untaught: untaughtIn(view) });
  if (compiled.kind === "errors") throw new Failure(programProblem(compiled));
  return compiled;
}
