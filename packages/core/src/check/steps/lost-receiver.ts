import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import type { Call } from "../../language/ast-steps.ts";
import type { CheckContext } from "../check-context.ts";
import type { Rows } from "../typed-program.ts";
import { operatorForm } from "./operator-forms.ts";

/** A call on rows without identity: nothing can be called on them (LANG-069). */
export function lostReceiver(context: CheckContext, rows: Rows, step: Call): null {
  const { lostBy } = rows.type;
  const grouped = lostBy?.includes("group_by") === true && step.name.text === "count";
  const form = grouped
    ? "n=count inside it: .group_by(column, n=count)"
    : operatorForm(step.name.text);
  const problem =
    form !== undefined
      ? diagnose(nameMessages.methodIsOperator, step.name.span, {
          name: step.name.text,
          operator: form,
        })
      : diagnose(nameMessages.relationLost, step.name.span, {
          name: step.name.text,
          step: lostBy ?? "this step",
        });
  context.found.add(problem);
  return null;
}
