import type { DiagnosticCollector } from "../diagnostics/diagnostic.ts";
import type { SourceText } from "../base/source.ts";
import type { TextRange } from "../base/span.ts";
import type { AccessRules } from "./access.ts";
import type { Labels } from "./labels.ts";
import type { RowType } from "./types.ts";
import type { And } from "../language/grammar/ast-values.ts";
import type {
  NoteCode,
  ProgramNote,
  Rows,
  TotalValue,
  TypedBinding,
  TypedPred,
  TypedRoot,
} from "./typed-program.ts";
import type { Program } from "../language/grammar/ast.ts";
import type { ProgramDefinition } from "../language/definitions.ts";
import type { ValueForms } from "./saved/value-forms.ts";

/** The rows whose row `_` is, and the paths that the body reads of it. */
export interface RowCursor {
  readonly rows: Rows;
  readonly paths: (readonly string[])[];
  /** what the body asks of rows related to it */
  readonly totals: TotalValue[];
}

/** The rows of the step at hand, whose columns values may name, and the paths they read (LANG-048). */
export interface Columns {
  readonly type: RowType;
  readonly paths: (readonly string[])[];
}

/** The saved programs that a program carries, and how many calls of them have been checked. */
export interface SavedCalls {
  readonly definitions: ReadonlyMap<string, ProgramDefinition>;
  /** those that the call at hand is within, the outermost first */
  readonly within: readonly string[];
  readonly spent: { calls: number; characters: number };
  /** names that results of calls have */
  readonly results: Set<string>;
}

/** What statements come to. */
export interface CheckedStatements {
  readonly bindings: readonly TypedBinding[];
  readonly roots: readonly TypedRoot[];
}

/** What every part of the check reads, and where it leaves what it found. */
export interface CheckContext extends AccessRules {
  readonly source: SourceText;
  readonly labels: Labels;
  readonly found: DiagnosticCollector;
  readonly notes: ProgramNote[];
  /** Reads conditions inside a value: values stand in conditions, and conditions in values. */
  readonly readConditions: (context: CheckContext, rows: RowType, pred: And) => TypedPred;
  /** Checks the statements of a saved program in the place of its call; `given` are the rows of labels that the call binds. */
  readonly checkStatements: (
    context: CheckContext,
    program: Program,
    given: ReadonlyMap<string, Rows>,
  ) => CheckedStatements;
  /** what calls of saved programs need (SAV-13) */
  readonly saved: SavedCalls;
  /** the plain values that the program binds, by label */
  readonly forms: ValueForms;
  /** effects written so far, in source order (LANG-072) */
  readonly effects: Rows[];
  /** how many of them there are: the stage of what is written next (PLAN-004) */
  stage: number;
  /** the row a `=>` is at, inside its body (LANG-071) */
  cursor: RowCursor | null;
  /** the rows that a condition, key or aggregate is read for */
  columns: Columns | null;
  /** whether values are read that change a row which is there: what `replace` looks for stands there once (LANG-056) */
  edits: boolean;
}

/** The program text of a range. */
export function programText(context: CheckContext, range: TextRange): string {
  return context.source.text.slice(range.start, range.end);
}

/** Notes what the reader of a plan should know, once (PLAN-021). */
export function addNote(
  context: CheckContext,
  code: NoteCode,
  detail: string,
  severity: ProgramNote["severity"],
): void {
  if (context.notes.some((note) => note.code === code && note.detail === detail)) return;
  context.notes.push({ code, detail, severity });
}
