import type { CheckContext } from "./check-context.ts";
import type { NoteCode, ProgramNote } from "./typed-program.ts";

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
