import type { Data } from "../language/ast.ts";
import type { Value } from "../language/ast-values.ts";
import type { CheckContext } from "./check-context.ts";
import { sameType } from "./columns/same-type.ts";
import type { Card, Column, ColumnType, RowType } from "./row-type.ts";
import { reportNotYet } from "./steps/not-yet.ts";
import type { Rows } from "./typed-program.ts";
import { freeType, readFree } from "./values/free-value.ts";

const JSON_TYPE: ColumnType = { entryId: null, type: { kind: "json" } };

/** `label = literal`: text, a scalar or an object is one row, a list a row per item (LANG-046). */
export function checkData(context: CheckContext, data: Data): Rows | null {
  if (!context.features.derive) return reportNotYet(context, "data", data.span);
  const reading = readFree(context, data.value);
  for (const problem of reading.problems) context.found.add(problem);
  if (reading.value === null) return null;
  const type = dataType(context, data.value);
  return { kind: "data", stage: context.stage, span: data.span, type, value: reading.value };
}

function dataType(context: CheckContext, value: Value): RowType {
  if (value.kind === "StringValue" || value.kind === "HeredocValue") {
    return rowsOf("one", [{ name: "content", type: freeType(context, value) }]);
  }
  if (value.kind !== "ListValue") return rowsOf("one", rowColumns(context, value));
  const columns = new Map<string, ColumnType>();
  for (const item of value.items) {
    for (const { name, type } of rowColumns(context, item)) {
      const known = columns.get(name) ?? type;
      columns.set(name, sameType(known, type) ? type : JSON_TYPE);
    }
  }
  return rowsOf(
    "many",
    [...columns].map(([name, type]) => ({ name, type })),
  );
}

/** The columns of one item: an object's keys, or `value`. */
function rowColumns(context: CheckContext, value: Value): readonly Column[] {
  if (value.kind === "ObjectValue") {
    return value.entries.map((entry) => ({
      name: entry.key.text,
      type: freeType(context, entry.value),
    }));
  }
  return [{ name: "value", type: freeType(context, value) }];
}

function rowsOf(card: Card, columns: readonly Column[]): RowType {
  const lostBy = "the binding to a value";
  return { card, entity: null, columns, open: false, removedBy: null, lostBy };
}
