import { diagnose } from "../../diagnostics/messages.ts";
import { stepMessages } from "../../diagnostics/step-messages.ts";
import type { Path } from "../../language/ast-names.ts";
import type { Project } from "../../language/ast-steps.ts";
import { clip } from "../../text/clip.ts";
import { type CheckContext, textOf } from "../check-context.ts";
import { readColumn } from "../columns/read-column.ts";
import type { Column } from "../row-type.ts";
import type { Rows } from "../typed-program.ts";

/** `[a, b]`: exactly these columns in this order; identity stays (LANG-061). */
export function projectRows(context: CheckContext, source: Rows, step: Project): Rows {
  const named = step.paths.map((path) => ({ at: path, ...readColumn(context, source.type, path) }));
  reportDuplicates(context, named);
  const paths = distinctPaths(named.map(({ path }) => path));
  const columns = paths.map((path): Column => {
    const found = named.find((each) => each.path === path);
    const type = found?.type ?? { entryId: null, type: { kind: "json" } };
    return { name: path.join("."), type };
  });
  const removedBy = clip(textOf(context, step.span), 40);
  return {
    kind: "project",
    stage: context.stage,
    span: step.span,
    type: { ...source.type, columns, open: false, removedBy },
    source,
    paths,
  };
}

interface NamedPath {
  readonly at: Path;
  readonly path: readonly string[];
}

/** Reports columns that are named twice, with both positions (LANG-063). */
export function reportDuplicates(context: CheckContext, named: readonly NamedPath[]): void {
  const first = new Map<string, Path>();
  for (const { at, path } of named) {
    const name = path.join(".");
    const before = first.get(name);
    if (before === undefined) first.set(name, at);
    else {
      const args = {
        name,
        first: `${before.span.line}:${before.span.column}`,
        second: `${at.span.line}:${at.span.column}`,
      };
      context.found.add(diagnose(stepMessages.duplicateColumn, at.span, args));
    }
  }
}

function distinctPaths(paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const seen = new Set<string>();
  return paths.filter((path) => {
    const name = path.join(".");
    return !seen.has(name) && seen.add(name);
  });
}
