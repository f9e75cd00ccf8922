import type { AnswerRows } from "../document/answer.ts";
import { listAbove, type Operation } from "../document/operation.ts";
import { folded, wordsOf } from "../names/words.ts";
import { clause, clauseBeside } from "../names/clause.ts";
import type { CapabilityDraft, DraftKind, SlotDraft } from "./capability-draft.ts";
import { type EntityDraft, ownNamesOf } from "./entity-draft.ts";
import { takeLabel } from "./labels.ts";
import { pagingOf } from "./paging.ts";
import { nounBefore, pathNames } from "./path-names.ts";
import { requestOf } from "./request-slots.ts";
import type { CapabilityScene } from "./capability-scene.ts";

const SEARCHES = new Set([
  "q",
  "query",
  "search",
  "searchterm",
  "term",
  "keyword",
  "keywords",
  "text",
]);

/** A mapping's `response` for a list: where its rows are. */
export function listResponse({ path, inner }: Pick<AnswerRows, "path" | "inner">): unknown {
  if (path.length === 0) return "bare_list";
  const held = inner === undefined ? {} : { item_inner_key: inner };
  return path.length === 1 ? { items: path[0], ...held } : { items_path: path, ...held };
}

/** The member of a row that the key goes into under which it stands in a map: its identity, where the row has none. */
function keyMember({ record: { properties } }: AnswerRows, { key }: EntityDraft): string {
  const part = key.at(-1);
  const own = part?.property ?? part?.name ?? "id";
  const names = [own, "key", "map_key"];
  return names.find((name) => !properties.has(name)) ?? own;
}

/** The same for a map of rows. */
const mapResponse = (path: readonly string[], member: string): unknown => ({
  ...(path.length === 1 ? { items: path[0] } : { items_path: path }),
  key_into: member,
});

/** The same for one row. */
export const rowResponse = (path: readonly string[]): unknown =>
  path.length === 0 ? "single" : { single: true, items_path: path };

const READS =
  /^(?:(?:list|gets?|returns?|fetch|retrieves?|show|finds?|read) )?(?:(?:an? |the )?list of (?:all )?)(?=\S)|^(?:list|gets?|returns?|fetch|retrieves?|show|finds?|read) (?:all |a single )?(?=\S)/i;

/** What is read, without the word for reading. */
function describe(
  { method, operationId, summary, segments, sent }: Operation,
  entity: EntityDraft,
  label: string,
): string {
  // What is asked by POST says that it reads (MAP-018).
  if ((sent?.method ?? method) === "POST")
    return clause(summary) || clause(wordsOf(operationId ?? "").join(" "));
  const words = segments.flatMap((one) => (one.kind === "literal" ? [one.value] : []));
  return clauseBeside(summary?.trim().replace(READS, ""), entity.name, label, ...words.slice(-1));
}

/** The label of a list that is one of several: by what it is of. */
function scopedLabel({ segments }: Operation): readonly string[] {
  const at = segments.findLastIndex(({ kind }) => kind === "variable");
  const noun = at === -1 ? [] : nounBefore(segments, at);
  return noun.length === 0 ? [] : [`of_${noun.join("_")}`];
}

function searched(slots: readonly SlotDraft[]): readonly SlotDraft[] {
  const at = slots.findIndex(
    ({ name, required, role }) => required && role === null && SEARCHES.has(folded(name)),
  );
  return slots.map((slot, index): SlotDraft => (index === at ? { ...slot, role: "search" } : slot));
}

/** A list: a query, or a search where it needs words. Why not, if it cannot be one. */
export function listCapability(
  scene: CapabilityScene,
  operation: Operation,
  rows: AnswerRows,
  entity: EntityDraft,
): CapabilityDraft | string {
  const paging = pagingOf(operation, rows);
  const made = requestOf({
    ...scene,
    entity,
    operation,
    anchored: 0,
    path: pathNames(operation, scene.entities.homes, ownNamesOf(entity)),
    paged: paging?.where === "body" ? new Set() : (paging?.used ?? new Set()),
    pagedBody: paging?.where === "body" ? paging.used : new Set(),
    kind: "list",
    fieldRefs: scene.fieldRefs(entity),
    fieldNames: scene.fieldNames(entity),
  });
  if (!made.ok) return made.why;
  const slots = searched(made.slots);
  const member = keyMember(rows, entity);
  const kind: DraftKind = slots.some(({ role }) => role === "search") ? "search" : "query";
  const open = !slots.some(({ required }) => required);
  const own =
    scene.entities.collections.get(operation.template) === entity && isBase(operation, entity);
  const wanted =
    own || open || kind === "search" || entity.home === null
      ? [kind, ...scopedLabel(operation)]
      : scopedLabel(operation);
  const label = takeLabel(scene.labelsOf(entity), operation, entity, wanted);
  scene.say(operation, made.left);
  return {
    label,
    kind,
    entity,
    operation,
    description: describe(operation, entity, label),
    slots,
    request: made.request,
    response: rows.isMap === true ? mapResponse(rows.path, member) : listResponse(rows),
    pagination: paging?.pagination ?? null,
    output: null,
    properties: new Set([
      ...rows.record.properties.keys(),
      ...(rows.isMap === true ? [member] : []),
    ]),
    remark: (paging?.used.size ?? 0) === 0 ? "No pages: the document tells of none." : null,
  };
}

const isBase = ({ template }: Operation, { home }: EntityDraft): boolean =>
  home !== null && listAbove(home) === template;

/** One row: a get where its path is the entity's own, else a read that says what it is of. */
export function rowOf(
  scene: CapabilityScene,
  operation: Operation,
  rows: AnswerRows,
  entity: EntityDraft,
): CapabilityDraft | string {
  const own = entity.home === operation.template && entity.key.length > 0;
  const made = requestOf({
    ...scene,
    entity,
    operation,
    anchored: own ? entity.key.length : 0,
    path: pathNames(operation, scene.entities.homes, ownNamesOf(entity)),
    paged: new Set(),
    kind: "read",
    fieldRefs: scene.fieldRefs(entity),
    fieldNames: scene.fieldNames(entity),
  });
  if (!made.ok) return made.why;
  const last = operation.segments.findLast((one) => one.kind === "literal" && one.value !== "");
  const word = last?.kind === "literal" ? last.value : "get";
  const home = entity.home === operation.template;
  const label = takeLabel(scene.labelsOf(entity), operation, entity, home ? ["get"] : [word]);
  scene.say(operation, made.left);
  return {
    label,
    kind: own ? "get" : "singleton",
    entity,
    operation,
    description: describe(operation, entity, label),
    slots: made.slots,
    request: made.request,
    response: rows.isFree ? { single: true, wrap_root_scalar: true } : rowResponse(rows.path),
    pagination: null,
    output: null,
    properties: new Set(rows.record.properties.keys()),
    remark: null,
  };
}
