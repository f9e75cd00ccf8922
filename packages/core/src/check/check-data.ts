import type { Data } from "../language/ast.ts";
import type { Value } from "../language/ast-values.ts";
import type { CheckContext } from "./check-context.ts";
import { sameType } from "./columns/same-type.ts";
import type { Card, Column, ColumnType, RowType } from "./row-type.ts";
import { reportDuplicates } from "./steps/duplicates.ts";
import { reportNotYet } from "./steps/not-yet.ts";
import type { Rows } from "./typed-program.ts";
import { freeType, readFree } from "./values/free-value.ts";
import { repeatedEntries } from "./values/repeated-entries.ts";

const JSON_TYPE: ColumnType = { entryId: null, type: { kind: "json" } };

/** `label = literal`: text, a scalar or an object is one row, a list a row per item (LANG-046). */
export function checkData(context: CheckContext, data: Data): Rows | null {
  if (!context.features.derive) return reportNotYet(context, "data", data.span);
  reportDuplicateColumns(context, data.value);
  const value = withColumnsOnce(data.value);
  const reading = readFree(context, value);
  for (const problem of reading.problems) context.found.add(problem);
  if (reading.value === null) return null;
  const type = dataType(context, value);
  return { kind: "data", stage: context.stage, span: data.span, type, value: reading.value };
}

function dataType(context: CheckContext, value: Value): RowType {
  if (value.kind === "StringValue" || value.kind === "HeredocValue") {
    return rowsOf("one", [{ name: "content", type: freeType(context, value) }]);
  }
  if (value.kind !== "ListValue") return rowsOf("one", rowColumns(context, value));
  const columns = new Map<string, ColumnType | null>();
  for (const item of value.items) {
    for (const [name, cell] of rowCells(item)) {
      const known = columns.get(name) ?? null;
      // Null fits every type.
      const type = cell.kind === "NullValue" ? known : freeType(context, cell);
      const isMixed = known !== null && type !== null && !sameType(known, type);
      columns.set(name, isMixed ? JSON_TYPE : type);
    }
  }
  return rowsOf(
    "many",
    [...columns].map(([name, type]) => ({ name, type: type ?? JSON_TYPE })),
  );
}

function rowColumns(context: CheckContext, value: Value): readonly Column[] {
  return rowCells(value).map(([name, cell]) => ({ name, type: freeType(context, cell) }));
}

/** The rows of data: the items of a list, or the value itself. */
const itemsOf = (value: Value): readonly Value[] =>
  value.kind === "ListValue" ? value.items : [value];

/** A column that one row names twice is an error, as in derived rows (LANG-063). */
function reportDuplicateColumns(context: CheckContext, value: Value): void {
  for (const item of itemsOf(value)) {
    if (item.kind !== "ObjectValue") continue;
    const named = item.entries.map(({ key }) => ({ at: key.span, name: key.text }));
    reportDuplicates(context, named);
  }
}

/** Data with the first of columns of one name in each row, so that nothing is reported twice. */
function withColumnsOnce(value: Value): Value {
  if (value.kind === "ListValue") return { ...value, items: value.items.map(rowOnce) };
  return rowOnce(value);
}

function rowOnce(item: Value): Value {
  if (item.kind !== "ObjectValue") return item;
  const repeated = new Set(repeatedEntries(item.entries));
  return { ...item, entries: item.entries.filter((entry) => !repeated.has(entry)) };
}

/** The cells of one item: an object's members, or `value`. */
function rowCells(value: Value): readonly (readonly [name: string, cell: Value])[] {
  if (value.kind !== "ObjectValue") return [["value", value]];
  return value.entries.map((entry) => [entry.key.text, entry.value]);
}

function rowsOf(card: Card, columns: readonly Column[]): RowType {
  return { card, entity: null, columns, open: false, removedBy: null, lostBy: null };
}
