import type { Plan } from "@plasm/core";
import type { RunOutcome } from "../run/run-types.ts";
import { run, type Setting } from "./fixture-run.ts";
import { planProgram } from "./run-program.ts";

/** A program's plan and its run. */
export interface TextRun extends RunOutcome {
  readonly plan: Plan;
}

/** Plans a program over the catalogs of a setting and runs it. */
export async function runText(setting: Setting, text: string): Promise<TextRun> {
  const plan = planProgram(text, setting.catalogs);
  return { ...(await run(setting, plan.nodes, plan.returns)), plan };
}
