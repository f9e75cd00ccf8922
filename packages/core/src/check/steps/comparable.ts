import { diagnose } from "../../diagnostics/messages.ts";
import { stepMessages } from "../../diagnostics/step-messages.ts";
import type { Path } from "../../language/ast-names.ts";
import { compareCodePoints } from "../../text/compare-code-points.ts";
import type { ValueType } from "../../values/value-type.ts";
import type { CheckContext } from "../check-context.ts";
import type { NamedColumn } from "../columns/read-column.ts";
import { columnsOf } from "../columns/row-columns.ts";
import { speakerLike } from "../names/speaker.ts";
import { typeText } from "../type-text.ts";
import type { Rows } from "../typed-program.ts";

/** Reports a column whose values have no order and no equality: arrays and blobs (LANG-065). */
export function checkComparable(
  context: CheckContext,
  source: Rows,
  path: Path,
  column: NamedColumn,
  what: "sorted" | "grouped" | "told apart",
): void {
  if (isComparable(column.type.type)) return;
  const speaker = speakerLike(context.exposure, path.segments[0]?.text ?? "");
  const name = column.path.join(".");
  const fitting = columnsOf(context.exposure, source.type)
    .filter(([, { type }]) => isComparable(type))
    .map(([each]) => each)
    .toSorted(compareCodePoints);
  const args = {
    name: speaker.name(name),
    type: typeText(context.exposure, column.type),
    what,
    columns: speaker.names(fitting, name),
  };
  context.found.add(diagnose(stepMessages.badColumnType, path.span, args));
}

function isComparable(type: ValueType): boolean {
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
