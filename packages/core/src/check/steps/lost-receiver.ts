import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import type { Call } from "../../language/ast-steps.ts";
import { nameList } from "../../diagnostics/nearest-name.ts";
import type { Name } from "../../language/ast-names.ts";
import type { CheckContext } from "../check-context.ts";
import { columnNames } from "../columns/row-columns.ts";
import type { RowType } from "../row-type.ts";
import type { Rows } from "../typed-program.ts";
import { operatorForm } from "./operator-forms.ts";

/** A call on rows without identity: nothing can be called on them (LANG-069). */
export function lostReceiver(context: CheckContext, rows: Rows, step: Call): null {
  const { lostBy } = rows.type;
  const grouped = lostBy?.includes("group_by") === true && step.name.text === "count";
  const form = grouped
    ? "n=count inside it: .group_by(column, n=count)"
    : operatorForm(step.name.text);
  context.found.add(
    form === undefined
      ? nowhere(context, rows.type, step.name)
      : diagnose(nameMessages.methodIsOperator, step.name.span, {
          name: step.name.text,
          operator: form,
        }),
  );
  return null;
}

/** A step or call on rows that are of no entity, or are no longer (LANG-069). */
export function nowhere(context: CheckContext, type: RowType, name: Name): Diagnostic {
  if (type.lostBy !== null) {
    const args = { name: name.text, step: type.lostBy };
    return diagnose(nameMessages.relationLost, name.span, args);
  }
  return diagnoseLater(nameMessages.rowsOfNoEntity, name.span, () => {
    const columns = nameList(columnNames(context.exposure, type), name.text);
    return diagnose(nameMessages.rowsOfNoEntity, name.span, { name: name.text, columns });
  });
}
