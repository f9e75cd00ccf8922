import { keyPath, list, mapOf, setList } from "../shape/lists.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { anything, boolean, integer, text, word } from "../shape/scalars.ts";
import type { NodePlace, Read, ReadContext, Shape } from "../shape/shape.ts";
import { orFunction, tagged } from "../shape/tagged.ts";
import { inputSchema, parameter, precondition } from "./input-shape.ts";
import { nameList } from "../../diagnostics/nearest-name.ts";
import { nearestText } from "../reporter.ts";
import { describeNode } from "../yaml/convert.ts";
import type { YamlNode } from "../yaml/node.ts";

const fromPreflight = object({ prefix: required(text), path: required(keyPath) });

/** The format's kinds, and the functions that are registered (CAT-002, RUN-105). */
function unknownKind(
  node: YamlNode,
  { path }: NodePlace,
  { report, functions }: ReadContext,
  words: readonly string[],
): boolean {
  if (node.kind !== "text") return false;
  const all = [...words, ...functions];
  report({ at: node.at, path }, "CAT002", "unknown", {
    found: describeNode(node),
    nearest: nearestText(node.value, all),
    allowed: nameList(all, node.value),
  });
  return true;
}

const kinds = {
  hydrate_invoke_target: { get: required(text), prefix: required(text) },
  hydrate_entity_ref_param: {
    param: required(text),
    get: required(text),
    merge: required(mapOf(text)),
  },
  query_pick: {
    when: optional(text),
    query: required(text),
    scope: withDefault(
      mapOf(
        object({
          from_param: optional(text),
          from_preflight: optional(fromPreflight),
          literal: optional(anything),
        }),
      ),
      new Map(),
    ),
    pick: required(object({ field: required(text), equals_param: required(text) })),
    merge: required(mapOf(text)),
  },
  label_ids_delta: {
    add_when: required(text),
    remove_when: required(text),
    lookup: required(text),
    from_preflight: required(fromPreflight),
    merge: withDefault(text, "labelIds"),
  },
} as const;

/** A step of `preflight` (catalog format, section 11), or a registered function (RUN-105). */
export const preflightStep = orFunction(tagged("kind", kinds, { unknownWord: unknownKind }), {
  when: optional(text),
  params: withDefault(list(text), []),
  merge: required(mapOf(text)),
});

export type PreflightDoc = Read<typeof preflightStep>;

const outputKeys = { decoder: optional(text), idempotent: optional(boolean) };

const output = tagged("type", {
  side_effect: { description: withDefault(text, ""), ...outputKeys },
  entity: { entity_type: required(text), ...outputKeys },
  collection: { entity_type: required(text), max_count: optional(integer(1)), ...outputKeys },
  status: { success_indicators: withDefault(list(anything), []), ...outputKeys },
  custom: { schema: required(anything), ...outputKeys },
});

export type OutputDoc = Read<typeof output>;

const noTerms: readonly string[] = [];

const bothWays = object({ ascending: optional(text), descending: optional(text) });

/** What is sent to sort by a column: a word, or one for each direction where that is in it. */
const sortWord: Shape<string | Read<typeof bothWays>> = {
  expected: "a word, or a map with ascending, descending",
  form: { kind: "either", forms: [text.form, bothWays.form] },
  read: (node, place, context) =>
    node.kind === "text" ? node.value : bothWays.read(node, place, context),
  canonical: (value) => (typeof value === "string" ? value : bothWays.canonical(value)),
};

/** How a list is asked for its rows in an order (CAT-144). */
const sort = object({
  param: required(text),
  columns: required(mapOf(sortWord)),
  direction: optional(text),
  ascending: withDefault(text, "asc"),
  descending: withDefault(text, "desc"),
});

export type SortDoc = Read<typeof sort>;

/** Where the number of a list's rows is told without their being read (CAT-145). */
const count = object({
  path: optional(keyPath),
  header: optional(text),
  capability: optional(text),
  field: optional(text),
});

export type CountDoc = Read<typeof count>;

/** How a list is asked for the rows of several values of a field at once (CAT-147). */
const batch = object({
  param: required(text),
  field: required(text),
  most: required(integer(2)),
});

export type BatchDoc = Read<typeof batch>;

const undoCall = object({ by: required(text), args: withDefault(mapOf(text), new Map()) });

/** What takes an effect back: `none`, `restore` or a capability, alone or with what fills its parameters (CAT-148). */
const undo: Shape<string | Read<typeof undoCall>> = {
  expected: "none, restore, a capability, or a map with by, args",
  form: { kind: "either", forms: [text.form, undoCall.form] },
  read: (node, place, context) =>
    node.kind === "text" ? node.value : undoCall.read(node, place, context),
  canonical: (value) => (typeof value === "string" ? value : undoCall.canonical(value)),
};

export type UndoDoc = Read<typeof undo>;

/** An entry of `capabilities` (catalog format, section 7). */
export const capability = object(
  {
    kind: required(
      word(["query", "search", "get", "create", "update", "delete", "action", "singleton"]),
    ),
    entity: required(text),
    detail: optional(boolean),
    description: withDefault(text, ""),
    discovery: withDefault(
      object({
        operation_terms: withDefault(setList(text), []),
        target_terms: withDefault(setList(text), []),
      }),
      { operation_terms: noTerms, target_terms: noTerms },
    ),
    parameters: withDefault(list(parameter), []),
    input_schema: optional(inputSchema),
    provides: withDefault(list(text), []),
    output: optional(output),
    preflight: withDefault(list(preflightStep), []),
    preconditions: withDefault(list(precondition), []),
    undo: optional(undo),
    sort: optional(sort),
    count: optional(count),
    lists_only: optional(mapOf(anything)),
    batch: optional(batch),
    scope_aggregate_key_policy: withDefault(word(["retain", "omit_when_redundant"]), "retain"),
  },
  {
    unknown: (entry, place, context) => {
      if (entry.key !== "invoke_preflight") return false;
      context.report(
        { at: entry.keyAt, path: [...place.path, entry.key] },
        "CAT080",
        "removed",
        {},
      );
      return true;
    },
  },
);

export type CapabilityDoc = Read<typeof capability>;
