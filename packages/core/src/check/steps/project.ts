import type { Project } from "../../language/ast-steps.ts";
import { clip } from "../../text/clip.ts";
import { type CheckContext, textOf } from "../check-context.ts";
import { joinedRows } from "../columns/joined-rows.ts";
import { readColumn } from "../columns/read-column.ts";
import type { Column } from "../row-type.ts";
import type { Rows } from "../typed-program.ts";
import { reportDuplicates } from "./duplicates.ts";

/** `[a, b]`: exactly these columns in this order; identity stays (LANG-061). */
export function projectRows(context: CheckContext, source: Rows, step: Project): Rows {
  const named = step.paths.map((path) => {
    const column = readColumn(context, source.type, path);
    return { at: path.span, name: column.path.join("."), ...column };
  });
  reportDuplicates(context, named);
  const paths = distinctPaths(named.map(({ path }) => path));
  const types = new Map(named.map(({ path, type }) => [path, type]));
  const columns = paths.map((path): Column => {
    const type = types.get(path) ?? { entryId: null, type: { kind: "json" } };
    return { name: path.join("."), type };
  });
  const removedBy = clip(textOf(context, step.span), 40);
  return {
    kind: "project",
    stage: context.stage,
    span: step.span,
    type: { ...source.type, columns, open: false, removedBy },
    source: joinedRows(context, source, paths),
    paths,
  };
}

function distinctPaths(paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const seen = new Set<string>();
  return paths.filter((path) => {
    const name = path.join(".");
    return !seen.has(name) && seen.add(name);
  });
}
