import type { Edit } from "../../diagnostics/diagnostic.ts";
import type { Call } from "../../language/ast-steps.ts";
import type { Arg } from "../../language/ast-values.ts";
import { type CheckContext, textOf } from "../check-context.ts";
import { operatorHabit, type OperatorHabit } from "./operator-forms.ts";

/** The step of this language that a step of another one is, where its arguments leave no doubt (ERR-008). */
export function operatorEdits(context: CheckContext, step: Call): readonly Edit[] | undefined {
  const { takes, around } = operatorHabit(step.name.text) ?? {};
  if (takes === undefined || around === undefined) return undefined;
  const [first] = step.args;
  const last = step.args.at(-1);
  if (first === undefined || last === undefined) {
    return takes === "nothing" ? [{ span: step.span, replacement: around.join("") }] : undefined;
  }
  if (!step.args.every((arg) => fits(arg, takes))) return undefined;
  if (takes === "count" && step.args.length > 1) return undefined;
  const inner = textOf(context, { start: first.span.start, end: last.span.end });
  return [{ span: step.span, replacement: around.join(inner) }];
}

function fits({ name, value }: Arg, takes: NonNullable<OperatorHabit["takes"]>): boolean {
  switch (takes) {
    case "nothing":
      return false;
    case "names":
      return name === undefined && value.kind === "WordValue";
    case "conditions":
      return name !== undefined && value.kind !== "Bad";
    case "count":
      return name === undefined && value.kind === "NumberValue";
  }
}
