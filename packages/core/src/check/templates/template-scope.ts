import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose, diagnoseLater, type MessageEntry } from "../../diagnostics/messages.ts";
import { nameList, nearestName } from "../../diagnostics/nearest-name.ts";
import { templateMessages } from "../../diagnostics/step-messages.ts";
import type { TemplateName } from "../../templates/tree.ts";
import type { CheckContext } from "../check-context.ts";
import { columnNames } from "../columns/row-columns.ts";
import { createNameFormatter } from "../names/name-formatter.ts";
import type { RowType } from "../types.ts";
import type { Rows } from "../typed-program.ts";
import { indexLines, type LineIndex, spanAt, spanIn } from "../../base/source.ts";
import type { Span, TextRange } from "../../base/span.ts";
import type { Template } from "../../language/grammar/ast.ts";
import { heredocOffsets } from "../../language/grammar/strings.ts";

/** The name that holds the rows before the template, always as a list (LANG-080). */
export const ROWS = "rows";

/** What an outer name of a template means. */
export type NameInTemplate =
  | { readonly kind: "rows"; readonly rows: Rows; readonly isList: boolean }
  /** a label whose line is in error, or a name that only the template itself may give */
  | { readonly kind: "none" }
  | { readonly kind: "problem"; readonly problem: Diagnostic };

/** One template being checked. */
export interface TemplateScope {
  readonly context: CheckContext;
  readonly source: Rows;
  readonly text: TemplateText;
  /** the columns of `source` as corrections list them */
  columns(): string;
}

export function templateScope(
  context: CheckContext,
  source: Rows,
  text: TemplateText,
): TemplateScope {
  let columns: string | null = null;
  return {
    context,
    source,
    text,
    columns: () => (columns ??= columnsText(context, source.type)),
  };
}

/** The columns of rows as a correction lists them. */
export function columnsText(context: CheckContext, type: RowType, wanted = ""): string {
  if (type.open) return "any";
  const { exposure } = context;
  return createNameFormatter(exposure, exposure.notation === "symbols").names(
    columnNames(exposure, type),
    wanted,
  );
}

/** Finds what a name holds: the rows at hand, or those of a label bound above (LANG-080). */
export function nameInTemplate(scope: TemplateScope, name: TemplateName): NameInTemplate {
  const { context, source } = scope;
  const { root } = name;
  const label = root === ROWS ? null : context.labels.meaning(root);
  if (name.maybeSet) {
    const isFree = label !== null && label.kind !== "rows" && label.kind !== "bad";
    return isFree ? { kind: "none" } : problem(scope, name, templateMessages.twoMeanings);
  }
  if (label === null) return { kind: "rows", rows: source, isList: true };
  switch (label.kind) {
    case "rows":
      return { kind: "rows", rows: label.rows, isList: label.rows.type.card === "many" };
    case "bad":
      return { kind: "none" };
    case "own":
      return problem(scope, name, templateMessages.ownLabel);
    case "later":
      return problem(scope, name, templateMessages.laterLabel, () => ({
        args: { line: label.line },
        near: null,
      }));
    case "none": {
      return problem(scope, name, templateMessages.unknownName, (names) => {
        const near = nearestName(root, names);
        return { near, args: { nearest: near === null ? "" : `use ${near}. ` } };
      });
    }
  }
}

function problem(
  scope: TemplateScope,
  { root, start }: TemplateName,
  entry: MessageEntry,
  moreOf: (names: readonly string[]) => More = () => ({ args: {}, near: null }),
): Extract<NameInTemplate, { kind: "problem" }> {
  const { text, context } = scope;
  const span = text.span({ start, end: start + root.length });
  const labels = context.labels.namesHere();
  const found = diagnoseLater(entry, span, () => {
    const names = [ROWS, ...labels()];
    const { args: more, near } = moreOf(names);
    const args = {
      name: root,
      place: text.place(start),
      free: `${root}_`,
      names: nameList(names, root),
      columns: scope.columns(),
      ...more,
    };
    const edits = near === null ? undefined : [{ span, replacement: near }];
    return diagnose<MessageEntry>(entry, span, args, edits);
  });
  return { kind: "problem", problem: found };
}

/** What one kind of problem says besides, and the name that would do. */
interface More {
  readonly args: Readonly<Record<string, string | number>>;
  readonly near: string | null;
}

/** The body of a template, with the way back from its offsets to the program (ERR-002, LANG-081). */
interface TemplateText {
  readonly body: string;
  /** where a stretch of the body stands in the program */
  span(range: TextRange): Span;
  /** a place of the body in words: its line and column in the template */
  place(offset: number): string;
}

export function templateText(context: CheckContext, { body, span }: Template): TemplateText {
  const { source } = context;
  const offset = heredocOffsets(source.text, span.start, body);
  let lines: LineIndex | null = null;
  return {
    body,
    span: ({ start, end }) => spanIn(source, offset(start), offset(end)),
    place(at) {
      lines ??= indexLines(body);
      const { line, column } = spanAt(lines, at, at);
      return `line ${line}, column ${column} of the template`;
    },
  };
}
