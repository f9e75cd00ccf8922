import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import { stepMessages } from "../../diagnostics/step-messages.ts";
import type { Name } from "../../language/ast-names.ts";
import type { Speaker } from "../names/speaker.ts";

/** The error of a name that is no column of `rows`, with the nearest and all there are. */
export function unknownColumn(
  speaker: Speaker,
  at: Name,
  wire: string,
  columnsOf: () => readonly string[],
  rowsOf: () => string,
): Diagnostic {
  return diagnoseLater(stepMessages.unknownColumn, at.span, () => {
    const rows = rowsOf();
    const columns = columnsOf();
    const near = nearestName(wire, columns);
    const args = {
      name: speaker.name(wire),
      rows,
      nearest: speaker.nearest(columns, wire),
      columns: speaker.names(columns, wire),
    };
    const edits = near === null ? undefined : [{ span: at.span, replacement: speaker.code(near) }];
    return diagnose(stepMessages.unknownColumn, at.span, args, edits);
  });
}
