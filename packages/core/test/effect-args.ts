import { ALL_FEATURES } from "../src/policy/policy.ts";
import type { ProgramError } from "../src/diagnostics/diagnostic.ts";
import type { Exposure } from "../src/symbols/exposure.ts";
import { errorsOf, planOf } from "./plan-of.ts";

const settings = { features: ALL_FEATURES };

/** The arguments of a program's only effect. */
export function effectArgs(text: string, exposure: Exposure): unknown {
  const { nodes } = planOf(text, exposure, settings);
  const effects = nodes.filter((node) => node.effect_class !== "read" && "args" in node);
  const [effect] = effects;
  if (effect === undefined || effects.length > 1 || !("args" in effect)) throw new Error(text);
  return effect.args;
}

/** An error as tables hold it: the marked text, and message with correction. */
export interface ToldError {
  readonly code: string;
  readonly marks: string;
  /** the rest of the program from where it stands */
  readonly after: string;
  readonly says: string;
  readonly suggests: string | null;
}

/** The errors of a program, each as tables hold it. */
export function toldErrors(text: string, exposure: Exposure): readonly ToldError[] {
  return errorsOf(text, exposure, settings).map((error: ProgramError) => ({
    code: error.code,
    marks: text.slice(error.span.start, error.span.end),
    after: text.slice(error.span.start),
    says: `${error.message} ${error.correction}`,
    suggests: error.suggestedProgram,
  }));
}
