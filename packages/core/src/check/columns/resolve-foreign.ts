import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import { stepMessages } from "../../diagnostics/step-messages.ts";
import type { Name, Path } from "../../language/ast-names.ts";
import type { CheckContext } from "../check-context.ts";
import { wireName } from "../names/symbol-name.ts";
import { speakerLike } from "../names/speaker.ts";
import { type ColumnType, entityRows, type RowType } from "../row-type.ts";
import { typeText } from "../type-text.ts";
import { type Join, linkOf } from "./joins.ts";
import { columnMeaning, columnNames } from "./row-columns.ts";
import { unreadableColumn } from "./unreadable-column.ts";
import { unknownColumn } from "./unknown-column.ts";

const MOST_STEPS = 3;

/** A field of another entity, or what keeps a path from being one. */
export type ForeignMeaning =
  | { readonly kind: "column"; readonly path: readonly string[]; readonly type: ColumnType }
  | { readonly kind: "problem"; readonly problem: Diagnostic };

const JSON_TYPE: ColumnType = { entryId: null, type: { kind: "json" } };

/**
 * Follows a path over up to three to-one steps (LANG-053): `link` is where `own`, its first column,
 * leads, `rest` what is read there.
 */
export function resolveForeign(
  context: CheckContext,
  path: Path,
  own: readonly string[],
  link: Omit<Join, "path">,
  rest: readonly Name[],
): ForeignMeaning {
  const names = [...own];
  let rows = entityRows(link.target, "opt");
  let steps = 1;
  for (const [at, segment] of rest.entries()) {
    const name = wireName(context.exposure.symbols, segment.text);
    names.push(name);
    const further = rest.slice(at + 1);
    const column = columnMeaning(context.exposure, rows, name);
    if (further.length === 0 && column.kind === "column") {
      return { kind: "column", path: names, type: column.type };
    }
    if (column.kind === "column" && column.type.type.kind === "json") {
      const keys = further.map((key) => key.text);
      return { kind: "column", path: [...names, ...keys], type: JSON_TYPE };
    }
    const next = further.length === 0 ? null : linkOf(context, rows, name);
    if (next === null)
      return { kind: "problem", problem: deadEnd(context, path, rows, segment, further) };
    steps += 1;
    if (steps > MOST_STEPS) {
      const text = path.segments.map((each) => each.text).join(".");
      const problem = diagnose(stepMessages.tooFar, path.span, { path: text, most: MOST_STEPS });
      return { kind: "problem", problem };
    }
    rows = entityRows(next.target, "opt");
  }
  throw new Error("A foreign path has something behind its reference.");
}

/** Why a segment of a foreign path leads nowhere. */
function deadEnd(
  context: CheckContext,
  path: Path,
  rows: RowType,
  segment: Name,
  further: readonly Name[],
): Diagnostic {
  const speaker = speakerLike(context.exposure, segment.text);
  const name = wireName(context.exposure.symbols, segment.text);
  const { entity } = rows;
  const receiver = () => (entity === null ? "these rows" : speaker.entity(entity));
  const column = columnMeaning(context.exposure, rows, name);
  if (column.kind === "relation") {
    const args = { name: speaker.code(name), receiver: receiver() };
    return diagnose(nameMessages.relationAsValue, segment.span, args);
  }
  const [part] = further;
  if (column.kind === "column" && column.type.type.kind === "entity_ref" && further.length > 0) {
    const { entryId, type } = column.type;
    const field = further.map((each) => wireName(context.exposure.symbols, each.text));
    const foreign = { path: [name, ...field], target: type.target, entryId: entryId ?? "" };
    return unreadableColumn(context, path, foreign);
  }
  if (column.kind === "column" && part !== undefined) {
    const type = typeText(context.exposure, column.type);
    return diagnose(stepMessages.noParts, part.span, { name: segment.text, type, part: part.text });
  }
  const columns = () => columnNames(context.exposure, rows);
  return unknownColumn(speaker, segment, name, columns, receiver);
}
