import { diagnose } from "../diagnostics/messages.ts";
import { textMessages } from "../diagnostics/text-messages.ts";
import { codePointName } from "./characters.ts";
import type { Reporting } from "./oddities.ts";

/** NUL, and halves of surrogate pairs, which are no Unicode text. */
const FORBIDDEN = /\0+|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Reports units that may stand nowhere, strings and comments included (LANG-002), and answers the text
 * with blanks in their place, so that offsets stay.
 */
export function withoutForbiddenUnits(p: Reporting): string {
  return p.text.replace(FORBIDDEN, (units: string, start: number) => {
    const span = p.span(start, start + units.length);
    const args = { point: codePointName(units, 0) };
    p.report(diagnose(textMessages.forbiddenUnit, span, args, [{ span, replacement: "" }]));
    return " ".repeat(units.length);
  });
}
