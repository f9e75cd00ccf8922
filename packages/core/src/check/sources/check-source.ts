import { conditionMessages } from "../../diagnostics/condition-messages.ts";
import type { Offer } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import { catalogOf, type EntityKey } from "../../catalog/federation.ts";
import type { KeySource, SearchSource, Source } from "../../language/grammar/ast.ts";
import { capabilitySlots } from "../../mapping/capability-slots.ts";
import type { Capability } from "../../model/model.ts";
import { deniedCapability, usableCapabilities } from "../access.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { columnsOf } from "../columns/row-columns.ts";
import { inputSample } from "../inputs/input-text.ts";
import { bindHead } from "../names/bind-head.ts";
import { cursorProblem, deniedProblem } from "../names/problems.ts";
import { speakerLike } from "../names/name-formatter.ts";
import { entityRows } from "../types.ts";
import { filterRows } from "../steps/filter.ts";
import type { GetRows, ListRows, Rows, TypedValue } from "../typed-program.ts";
import { readKeyArgs } from "../values/key-args.ts";
import { readValue } from "../values/read-value.ts";
import { UNKNOWN_VALUE } from "../values/value-reading.ts";

/**
 * What a chain starts from: rows, or a bare entity whose meaning depends on the first step
 * (LANG-025). Null: in error, reported.
 */
export type CheckedSource =
  | { readonly kind: "rows"; readonly rows: Rows }
  /** `_`, on which only a method is called (LANG-071) */
  | { readonly kind: "cursor"; readonly rows: Rows }
  | { readonly kind: "entity"; readonly rows: ListRows };

/** Checks the source of a chain (LANG-020, LANG-028, LANG-029). */
export function checkSource(context: CheckContext, source: Source): CheckedSource | null {
  if (source.kind === "Bad") return null;
  const head = bindHead(context, source.name);
  if (head.kind === "bad") return null;
  if (head.kind === "cursor") {
    if (source.kind === "NameSource") return head;
    context.found.add(cursorProblem(source.name.span, "_"));
    return null;
  }
  switch (source.kind) {
    case "NameSource":
      return head.kind === "label"
        ? { kind: "rows", rows: head.rows }
        : { kind: "entity", rows: listOf(context, head.key, source) };
    case "BraceSource": {
      const from = head.kind === "label" ? head.rows : listOf(context, head.key, source);
      return { kind: "rows", rows: filterRows(context, from, source.pred, source.pred.span) };
    }
    case "KeySource":
      if (head.kind === "label") return labelAsKey(context, source);
      return asRows(getOf(context, head.key, source));
    case "SearchSource":
      if (head.kind === "label") return labelSearch(context, source, head.rows);
      return asRows(searchOf(context, head.key, source));
  }
}

function asRows(rows: Rows | null): CheckedSource | null {
  return rows === null ? null : { kind: "rows", rows };
}

function listOf(
  context: CheckContext,
  entity: EntityKey,
  source: Exclude<Source, { kind: "Bad" }>,
  search: TypedValue | null = null,
): ListRows {
  const end = source.kind === "BraceSource" ? source.name.span : source.span;
  return {
    kind: "list",
    stage: context.stage,
    span: end,
    type: entityRows(entity, "many"),
    entity,
    search,
    by: null,
    args: new Map(),
    nameSpan: source.name.span,
  };
}

function getOf(context: CheckContext, entity: EntityKey, source: KeySource): GetRows | null {
  const reading = readKeyArgs(context, entity, source.name, source.args, source.span, readValue);
  for (const problem of reading.problems) context.found.add(problem);
  if (reading.key === null) return null;
  return {
    kind: "get",
    stage: context.stage,
    span: source.span,
    type: entityRows(entity, "one"),
    entity,
    key: reading.key,
    by: null,
    args: new Map(),
    nameSpan: source.name.span,
  };
}

function searchOf(context: CheckContext, entity: EntityKey, source: SearchSource): Rows | null {
  const text = searchText(context, source);
  const searches = usableCapabilities(context, entity).filter(({ kind }) => kind === "search");
  if (searches.length === 0) {
    const denied = deniedCapability(context, entity, ["search"]);
    context.found.add(
      denied === null
        ? noSearch(context, entity, source)
        : deniedProblem(context, entity, denied, source.name.span),
    );
    return null;
  }
  const list = listOf(context, entity, source, text);
  if (source.pred === undefined) return list;
  return filterRows(context, list, source.pred, source.pred.span);
}

function searchText(context: CheckContext, source: SearchSource): TypedValue {
  const { text } = source;
  const type = { entryId: null, type: { kind: "string", semantics: "short" } } as const;
  const slot = { shown: "the search", type, nullable: false, use: "wire" } as const;
  const reading = readValue(context, text, slot);
  for (const problem of reading.problems) context.found.add(problem);
  return reading.value ?? UNKNOWN_VALUE;
}

function noSearch(context: CheckContext, entity: EntityKey, source: SearchSource) {
  const speaker = speakerLike(context.exposure, source.name.text);
  const name = speaker.entity(entity);
  const [column] = columnsOf(context.exposure, entityRows(entity, "many"))
    .filter(([, { type }]) => type.kind === "string")
    .map(([wire]) => wire)
    .filter((wire, _, all) => wire === "name" || !all.includes("name"));
  const queries = usableCapabilities(context, entity).filter(({ kind }) => kind === "query");
  const listed = queries.map(({ label }) => speaker.method(entity, label)).join(", ");
  const written = programText(context, source.text.span);
  const forms = `queries: ${listed === "" ? "none" : listed}`;
  const found = diagnose(conditionMessages.noSearch, source.name.span, { name, forms });
  if (column === undefined) return found;
  const test = `${speaker.code(column)}~${written}`;
  const lists = ["", ...queries.map((query) => requiredBy(context, entity, query, speaker.code))];
  const offers = lists.flatMap((required): readonly Offer[] => {
    const form = `${source.name.text}{${required}${test}}`;
    const { text } = context.source;
    const inPlace = text.slice(0, source.span.start) + form + text.slice(source.span.end);
    const correction = `test a text column: ${form}. ${forms}`;
    return [inPlace, form].map((program) => ({ program, correction }));
  });
  return Object.assign(found, { offers });
}

/** What a query cannot be without, as conditions before others. */
function requiredBy(
  { exposure }: CheckContext,
  { entryId }: EntityKey,
  query: Capability,
  code: (wire: string) => string,
): string {
  const { slots } = capabilitySlots(catalogOf(exposure.catalogs, entryId), query);
  return slots
    .filter(({ required }) => required)
    .map(({ name, input }) => `${code(name)}=${inputSample(exposure, entryId, input, code)}, `)
    .join("");
}

function labelAsKey(context: CheckContext, source: KeySource): null {
  const args = { label: source.name.text };
  context.found.add(diagnose(valueMessages.labelAsKey, source.name.span, args));
  return null;
}

function labelSearch(context: CheckContext, source: SearchSource, rows: Rows): null {
  const { text: name } = source.name;
  const [column] =
    columnsOf(context.exposure, rows.type).find(([, { type }]) => type.kind === "string") ?? [];
  const form =
    column === undefined
      ? "keep a text column of its rows, and test that with ~"
      : `test its rows: ${name}{${column}~${programText(context, source.text.span)}}`;
  const args = { name, form };
  context.found.add(diagnose(conditionMessages.labelSearch, source.name.span, args));
  return null;
}
