import type { CheckContext } from "../check-context.ts";
import type { Rows, TypedPred } from "../typed-program.ts";
import { cellPaths } from "../values/typed-parts.ts";
import { type Join, joinsOf } from "./row-columns.ts";

/** The rows with what their paths need fetched: a join per to-one step, each once (LANG-064). */
export function joinedRows(
  context: CheckContext,
  source: Rows,
  paths: readonly (readonly string[])[],
): Rows {
  let rows = source;
  for (const path of paths) {
    for (const join of joinsOf(context, source.type, path)) {
      if (!isJoined(rows, join)) rows = withJoin(context, rows, join);
    }
  }
  return rows;
}

function withJoin(context: CheckContext, source: Rows, join: Join): Rows {
  const { stage } = context;
  return { kind: "join", stage, span: source.span, type: source.type, source, ...join };
}

/** Whether rows carry a join already, through steps that leave them whole. */
function isJoined(rows: Rows, { path }: Join): boolean {
  let at = rows;
  for (;;) {
    switch (at.kind) {
      case "join":
        if (at.path.join(".") === path.join(".")) return true;
        at = at.source;
        break;
      case "filter":
      case "limit":
      case "page_size":
      case "sort":
      case "distinct":
      case "singleton":
        at = at.source;
        break;
      case "project":
      case "aggregate":
      case "group_by":
      case "render":
      case "derive":
      case "for_each":
      case "effect":
      case "data":
      case "list":
      case "get":
      case "relation":
        return false;
    }
  }
}

/** The columns a condition reads. */
export function typedPredPaths(pred: TypedPred): readonly (readonly string[])[] {
  switch (pred.kind) {
    case "and":
    case "or":
      return pred.items.flatMap(typedPredPaths);
    case "not":
      return typedPredPaths(pred.pred);
    case "exists":
      return [pred.path];
    case "condition":
      return [pred.path, ...(pred.tested === null ? [] : cellPaths(pred.tested))];
    case "test":
      return cellPaths(pred.value);
    case "bad":
      return [];
  }
}
