import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import { stepMessages } from "../../diagnostics/step-messages.ts";
import type { Name, Path } from "../../language/grammar/ast-values.ts";
import { type NameFormatter, speakerLike } from "../names/name-formatter.ts";
import type { EntityKey } from "../../catalog/federation.ts";
import { deniedCapability, usableCapabilities } from "../access.ts";
import type { CheckContext } from "../check-context.ts";
import { deniedProblem } from "../names/problems.ts";

/** The error of a name that is no column of `rows`, with the nearest and all there are. */
export function unknownColumn(
  speaker: NameFormatter,
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

/** A field of another entity, which a path names and which cannot be a column here. */
interface ForeignField {
  /** wire names, the reference first */
  readonly path: readonly string[];
  readonly target: string;
  readonly entryId: string;
}

/**
 * Why a field of another entity is no column: nothing reads a row of that entity by its key, so that no step
 * leads there either (LANG-053, RUN-051).
 */
export function unreadableColumn(
  context: CheckContext,
  path: Path,
  { path: [name = "", ...field], target, entryId }: ForeignField,
): Diagnostic {
  const speaker = speakerLike(context.exposure, path.segments[0]?.text ?? "");
  const written = path.segments.map((segment) => segment.text);
  const shown = written.join(".");
  if (!context.features.join) {
    const fields = field.map((each) => speaker.code(each)).join(".");
    const args = { path: shown, name: speaker.code(name), field: fields };
    return diagnose(stepMessages.foreignColumn, path.span, args);
  }
  const key: EntityKey = { entryId, entity: target };
  const denied = deniedCapability(context, key, ["get"]);
  if (denied !== null) return deniedProblem(context, key, denied, path.span);
  const reference = written.slice(0, written.length - field.length).join(".");
  const args = { path: shown, target: speaker.entity(key), name: reference };
  const lists = usableCapabilities(context, key)
    .filter(({ kind }) => kind === "query" || kind === "search")
    .map(({ label }) => label);
  if (lists.length === 0) return diagnose(stepMessages.unreadableColumn, path.span, args);
  const labels = speaker.methods(key, lists, "");
  return diagnose(stepMessages.columnOfLists, path.span, { ...args, lists: labels });
}
