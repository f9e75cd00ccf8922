import { formatErrors, type ProgramError } from "../src/diagnostics/diagnostic.ts";
import { compileProgram, type CompileSettings } from "../src/plan/compile.ts";
import type { Plan, PlanNode } from "../src/plan/ir.ts";
import type { Exposure } from "../src/symbols/exposure.ts";
import { quayExposure } from "./fixture-exposure.ts";
import { replay } from "./replay.ts";

/** The plan of a program; throws with its errors if it has some. */
export function planOf(
  text: string,
  exposure: Exposure = quayExposure,
  settings: CompileSettings = {},
): Plan {
  const compiled = compileProgram(text, exposure, settings);
  if (compiled.kind === "plan") return compiled.plan;
  if (compiled.kind === "errors") throw new Error(formatErrors(compiled));
  throw new Error(`${text} is a continuation.`);
}

/** The errors of a program; throws if it has none, or if what they advise leads nowhere (17.14, 17.18). */
export function errorsOf(
  text: string,
  exposure: Exposure = quayExposure,
  settings: CompileSettings = {},
): readonly ProgramError[] {
  const compiled = compileProgram(text, exposure, settings);
  if (compiled.kind === "errors") {
    const { faults } = replay({ program: text, exposure, settings }, compiled.errors);
    if (faults.length > 0) throw new Error(faults.join("\n"));
    return compiled.errors;
  }
  throw new Error(`${text} has no errors.`);
}

/** The codes of a program's errors with their places: `unknown_column 1:6`. */
export function codesOf(text: string, exposure: Exposure = quayExposure): readonly string[] {
  return errorsOf(text, exposure).map(({ code, span }) => `${code} ${span.line}:${span.column}`);
}

/** The commit id of a program. */
export function commitOf(text: string, exposure: Exposure = quayExposure): string {
  return planOf(text, exposure).commit;
}

/** The nodes of a program's plan, each without what every node has. */
export function nodesOf(text: string, exposure: Exposure = quayExposure): readonly object[] {
  return planOf(text, exposure).nodes.map((node) => ({ ...node }));
}

/** The only node of a plan; throws if there are more. */
export function onlyNode(text: string, exposure: Exposure = quayExposure): PlanNode {
  const { nodes } = planOf(text, exposure);
  const [node] = nodes;
  if (node === undefined || nodes.length > 1) throw new Error(`${nodes.length} nodes.`);
  return node;
}
