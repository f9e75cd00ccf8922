import { expressionMessages } from "../../diagnostics/expression-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import type { Path, Value } from "../../language/grammar/ast-values.ts";
import type { ColumnSource } from "../../language/grammar/ast.ts";
import { type CheckContext, type Columns, programText } from "../check-context.ts";
import type { Rows, TypedColumn } from "../typed-program.ts";
import type { ColumnType, RowType } from "../types.ts";
import { type Expression, inDays } from "../values/expression-parts.ts";
import { readExpression } from "../values/expression.ts";
import { readValue } from "../values/read-value.ts";
import { isWhole } from "../values/typed-parts.ts";
import { resolvePath } from "./resolve-path.ts";
import { unreadableColumn } from "./unknown-column.ts";

/** A column a step names. `ok` is false if it is in error, reported, and stands in as json (ERR-005). */
interface NamedColumn {
  readonly ok: boolean;
  readonly path: readonly string[];
  readonly type: ColumnType;
}

/** Binds a path of a step to a column of the rows, and reports if there is none (LANG-063). */
export function readColumn(context: CheckContext, rows: RowType, path: Path): NamedColumn {
  const meaning = resolvePath(context, rows, path);
  if (meaning.kind === "column") return { ok: true, path: meaning.path, type: meaning.type };
  if (meaning.kind === "foreign") {
    context.found.add(unreadableColumn(context, path, meaning));
  } else {
    context.found.add(meaning.problem);
  }
  const names = path.segments.map((segment) => segment.text);
  return { ok: false, path: names, type: { entryId: null, type: { kind: "json" } } };
}

/** What a step reads of each row, with its type. `ok` is false if it is in error, reported (ERR-005). */
export interface NamedSource {
  readonly ok: boolean;
  readonly column: TypedColumn;
  readonly type: ColumnType;
  /** the name of the column, if it is one */
  readonly name: string | null;
}

/** Runs a part of the check in which values may name the columns of rows (LANG-048). */
export function withColumns<Result>(
  context: CheckContext,
  type: RowType,
  read: (columns: Columns) => Result,
): Result {
  const outer = context.columns;
  const columns: Columns = { type, paths: [] };
  context.columns = columns;
  const result = read(columns);
  context.columns = outer;
  return result;
}

/** Binds what a step reads: a column, or a value computed from columns, and reports what is wrong (LANG-063). */
export function readSource(context: CheckContext, rows: Rows, source: ColumnSource): NamedSource {
  if (source.kind === "Path") {
    const { ok, path, type } = readColumn(context, rows.type, source);
    return { ok, column: path, type, name: path.join(".") };
  }
  const { value, type, problems } = computedColumn(context, rows.type, source);
  for (const problem of problems) context.found.add(problem);
  if (problems.length === 0 && value.kind === "cell") {
    return { ok: true, column: value.path, type, name: value.path.join(".") };
  }
  const ok = problems.length === 0 && isWhole(value);
  return { ok, column: ok ? value : [programText(context, source.span)], type, name: null };
}

function computedColumn(context: CheckContext, rows: RowType, source: Value): Expression {
  return withColumns(context, rows, () => {
    const read = readExpression(context, source, readValue);
    if (read.word === undefined) return inDays(source, read);
    const args = { word: read.word, fix: "name a column of these rows" };
    const problem = diagnose(expressionMessages.bareWord, source.span, args);
    return { ...read, problems: [...read.problems, problem] };
  });
}
