import { diagnose } from "../../diagnostics/messages.ts";
import { stepMessages } from "../../diagnostics/step-messages.ts";
import type { Sort, SortKey } from "../../language/ast-steps.ts";
import { compareCodePoints } from "../../text/compare-code-points.ts";
import type { ValueType } from "../../values/value-type.ts";
import type { CheckContext } from "../check-context.ts";
import { type NamedColumn, readColumn } from "../columns/read-column.ts";
import { columnsOf } from "../columns/row-columns.ts";
import { speakerLike } from "../names/speaker.ts";
import { typeText } from "../type-text.ts";
import type { Rows } from "../typed-program.ts";

/** `.sort(…)`: a stable order by columns, nulls last (LANG-065). */
export function sortRows(context: CheckContext, source: Rows, step: Sort): Rows {
  const keys = step.keys.map((key) => {
    const column = readColumn(context, source.type, key.path);
    if (column.ok) checkSortable(context, source, key, column);
    return { path: column.path, desc: key.desc };
  });
  const { type } = source;
  return { kind: "sort", stage: context.stage, span: step.span, type, source, keys };
}

function checkSortable(
  context: CheckContext,
  source: Rows,
  key: SortKey,
  column: NamedColumn,
): void {
  if (isSortable(column.type.type)) return;
  const speaker = speakerLike(context.exposure, key.path.segments[0]?.text ?? "");
  const name = column.path.join(".");
  const fitting = columnsOf(context.exposure, source.type)
    .filter(([, type]) => isSortable(type.type))
    .map(([each]) => each)
    .toSorted(compareCodePoints);
  const args = {
    name: speaker.name(name),
    type: typeText(context.exposure, column.type),
    columns: speaker.names(fitting, name),
  };
  context.found.add(diagnose(stepMessages.badSortType, key.path.span, args));
}

function isSortable(type: ValueType): boolean {
  switch (type.kind) {
    case "array":
    case "multi_select":
    case "blob":
      return false;
    case "string":
    case "uuid":
    case "number":
    case "integer":
    case "boolean":
    case "select":
    case "date":
    case "json":
    case "entity_ref":
      return true;
  }
}
