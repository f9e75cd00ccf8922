import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import type { Sort, SortKey } from "../../language/ast-steps.ts";
import { type CheckContext, textOf } from "../check-context.ts";
import { joinedRows } from "../columns/joined-rows.ts";
import { readColumn } from "../columns/read-column.ts";
import { resolvePath } from "../columns/resolve-path.ts";
import type { Rows } from "../typed-program.ts";
import { checkComparable } from "./comparable.ts";

/** `.sort(…)`: a stable order by columns, nulls last (LANG-065). */
export function sortRows(context: CheckContext, source: Rows, step: Sort): Rows {
  const keys = step.keys.map((key, at) => {
    if (at > 0 && failDirection(context, source, key, step.keys[at - 1])) {
      return { path: [key.path.segments[0]?.text ?? ""], desc: false };
    }
    const column = readColumn(context, source.type, key.path);
    if (column.ok) checkComparable(context, source, key.path, column, "sorted");
    return { path: column.path, desc: key.desc };
  });
  const { type } = source;
  const paths = keys.map(({ path }) => path);
  const joined = joinedRows(context, source, paths);
  return { kind: "sort", stage: context.stage, span: step.span, type, source: joined, keys };
}

const DIRECTION = /^(?:asc|desc)(?:ending)?$/i;

/** `sort(length, DESC)`: where no column has that name, it is a direction written otherwise (LANG-014). */
function failDirection(
  context: CheckContext,
  source: Rows,
  { path, desc }: SortKey,
  before: SortKey | undefined,
): boolean {
  const [word, more] = path.segments;
  if (word === undefined || more !== undefined || desc || !DIRECTION.test(word.text)) return false;
  if (resolvePath(context, source.type, path).kind !== "unknown") return false;
  const plain = /^asc/i.test(word.text) ? "asc" : "desc";
  const edits = [{ span: word.span, replacement: plain }];
  const args = {
    word: word.text,
    form: `.sort(${before === undefined ? "" : textOf(context, before.path.span)} ${plain})`,
  };
  context.found.add(diagnose(syntaxMessages.sortWord, word.span, args, edits));
  return true;
}
