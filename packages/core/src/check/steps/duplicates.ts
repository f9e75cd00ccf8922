import { diagnose } from "../../diagnostics/messages.ts";
import { stepMessages } from "../../diagnostics/step-messages.ts";
import type { Span } from "../../source/span.ts";
import type { CheckContext } from "../check-context.ts";

/** A column a step makes, and where it is named. */
export interface NamedPlace {
  readonly at: Span;
  readonly name: string;
}

/** Reports columns of one name, with both positions (LANG-063). */
export function reportDuplicates(context: CheckContext, named: readonly NamedPlace[]): void {
  const first = new Map<string, Span>();
  for (const { at, name } of named) {
    const before = first.get(name);
    if (before === undefined) first.set(name, at);
    else {
      const args = {
        name,
        first: `${before.line}:${before.column}`,
        second: `${at.line}:${at.column}`,
      };
      context.found.add(diagnose(stepMessages.duplicateColumn, at, args));
    }
  }
}
