import type { Singleton } from "../../language/ast-steps.ts";
import type { CheckContext } from "../check-context.ts";
import type { Rows } from "../typed-program.ts";
import { reportNotYet } from "./not-yet.ts";

/** `.singleton()`: exactly one row (LANG-068). Null: reported. */
export function singletonRows(context: CheckContext, source: Rows, step: Singleton): Rows | null {
  if (!context.features.singleton) return reportNotYet(context, "singleton", step.span);
  const type = { ...source.type, card: "one" } as const;
  return { kind: "singleton", stage: context.stage, span: step.span, type, source };
}
