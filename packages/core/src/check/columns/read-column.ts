import type { Path } from "../../language/grammar/ast-values.ts";
import type { CheckContext } from "../check-context.ts";
import type { ColumnType, RowType } from "../types.ts";
import { resolvePath } from "./resolve-path.ts";
import { unreadableColumn } from "./unknown-column.ts";

/** A column a step names. `ok` is false if it is in error, reported, and stands in as json (ERR-005). */
export interface NamedColumn {
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
