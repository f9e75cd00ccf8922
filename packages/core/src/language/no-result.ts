import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { diagnose } from "../diagnostics/messages.ts";
import { textMessages } from "../diagnostics/text-messages.ts";
import type { SourceText } from "../source/source-text.ts";
import { spanIn } from "../source/source-text.ts";
import type { Program } from "./ast.ts";
import type { Name } from "./ast-names.ts";

/**
 * The last label of a program that binds only, or null if it has a root, a continuation, something in
 * error, or no statement. If none of its nodes is an effect, it is `no_result` (LANG-012).
 */
export function labelWithoutRoot(program: Program): Name | null {
  let last: Name | null = null;
  for (const statement of program.statements) {
    if (statement.kind !== "Binding" || statement.node.kind === "Bad") return null;
    last = statement.label;
  }
  return last;
}

/** The mistake of a program without root and effect; the fix names its last label as root (LANG-012). */
export function noResult(source: SourceText, label: Name): Diagnostic {
  const end = source.text.length;
  const separator = source.text.endsWith("\n") ? "" : "\n";
  const edits = [{ span: { start: end, end }, replacement: separator + label.text }];
  return diagnose(textMessages.noResult, spanIn(source, end, end), { label: label.text }, edits);
}
