import { isPaged } from "../mapping/is-paged.ts";
import type { InputType } from "../schema/input.ts";
import { hasUnion, takesUnion } from "../schema/union-input.ts";
import type { ValueType } from "../values/value-type.ts";
import { fieldUses } from "./call-cells.ts";
import type { ContractPart } from "./contract.ts";
import type { EntityFacts } from "./entity-facts.ts";
import type { ExecutableRow } from "./row.ts";

/**
 * The parts of the contract that what one entity teaches calls for (TEACH-32); core is always due. Where
 * nothing is written, structured text counts only as what reads take.
 */
export function partsCalledFor(
  facts: EntityFacts,
  readOnly: boolean,
  rows: readonly ExecutableRow[],
): ReadonlySet<ContractPart> {
  const { searches, queries, creates, methods, catalog } = facts;
  const parts = new Set<ContractPart>(["core"]);
  const mutates = creates.length + methods.length > 0;
  const paged = [...queries, ...searches].some((list) => {
    const template = catalog.cml.get(list.name);
    return template !== undefined && isPaged(template);
  });
  const shown = [...fieldUses(facts, facts.columns), ...rows.flatMap((row) => row.uses)];
  const uses = readOnly ? shown.filter(({ place }) => place.kind !== "field") : shown;
  if (searches.length > 0) parts.add("search");
  if (uses.some(({ input }) => isStructured(input))) parts.add("text");
  if (uses.some(({ input }) => hasUnion(input))) parts.add("unions");
  if ([...creates, ...methods].some(takesUnion)) parts.add("unions");
  if (rows.some(({ opt, here }) => here.length > 0 || opt.some((path) => path.includes(".")))) {
    parts.add("unions");
  }
  if (mutates) parts.add("effects");
  if (mutates || paged) parts.add("continuations");
  for (const part of partsGained(rows)) parts.add(part);
  return parts;
}

/** The parts that relation rows call for, those an entity gains later included. */
export function partsGained(rows: readonly ExecutableRow[]): ReadonlySet<ContractPart> {
  const many = rows.some(
    ({ kind, result }) => kind === "relation" && result.kind === "rows" && result.card === "many",
  );
  return new Set<ContractPart>(many ? ["continuations"] : []);
}

/** Whether a slot holds structured text, at any depth: markdown, document, html, json_text, blob. */
function isStructured(input: InputType): boolean {
  switch (input.kind) {
    case "none":
      return false;
    case "value":
      return isStructuredValue(input.type);
    case "array":
      return isStructured(input.element);
    case "object":
      return input.fields.some((field) => isStructured(field.input));
    case "union":
      return input.variants.some((variant) =>
        variant.fields.some((field) => isStructured(field.input)),
      );
  }
}

function isStructuredValue(type: ValueType): boolean {
  if (type.kind === "string") return type.semantics !== "short";
  if (type.kind === "array") return isStructuredValue(type.items);
  return type.kind === "blob";
}
