import { list, setList } from "../shape/list.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { anything, boolean, integer, text } from "../shape/scalars.ts";
import type { Read } from "../shape/shape.ts";
import { tagged } from "../shape/tagged.ts";
import { word } from "../shape/word.ts";
import { inputSchema, parameter } from "./input-shape.ts";
import { precondition } from "./precondition-shape.ts";
import { preflightStep } from "./preflight-shape.ts";

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

/** An entry of `capabilities` (catalog format, section 7). */
export const capability = object(
  {
    kind: required(
      word(["query", "search", "get", "create", "update", "delete", "action", "singleton"]),
    ),
    entity: required(text),
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
