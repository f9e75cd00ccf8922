import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import type { Span } from "../../source/span.ts";
import type { CheckContext } from "../check-context.ts";

/** Constructs of the language that this engine cannot plan yet, with what serves meanwhile. */
const INSTEAD = {
  singleton: ["singleton()", "write .limit(1), or name the row by its key"],
  aggregate: ["aggregate(…)", "return the rows with the columns needed, like [id], and count them"],
  group_by: ["group_by(…)", "return the rows sorted by that column, like .sort(state)"],
  distinct: ["distinct(…)", "return the rows sorted by that column, like .sort(state)"],
  derive: ["=>", "write a projection, like [id, name]"],
  template: ["A template", "return the rows as they are, with a projection like [id, name]"],
  data: ["A binding to a value", "write the value where it is used"],
} as const;

export type NotYet = keyof typeof INSTEAD;

/** Reports a construct that cannot be planned yet; what is built on it reports nothing more. */
export function reportNotYet(context: CheckContext, construct: NotYet, span: Span): null {
  const [what, instead] = INSTEAD[construct];
  context.found.add(diagnose(nameMessages.notYet, span, { what, instead }));
  return null;
}
