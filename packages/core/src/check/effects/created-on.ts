import type { EntityKey } from "../../federation/entity-key.ts";
import { catalogOf } from "../../federation/entity-of.ts";
import type { Call } from "../../language/ast-steps.ts";
import type { Catalog } from "../../mapping/catalog.ts";
import { pathVariables } from "../../mapping/variables.ts";
import { capabilityByLabel } from "../../schema/capabilities-of.ts";
import type { Capability } from "../../schema/capability.ts";
import { entitySymbol } from "../../symbols/symbol-of.ts";
import type { CheckContext } from "../check-context.ts";
import { nameMeaning } from "../names/symbol-name.ts";

/** A create of another entity whose path names the row it is called on, and the name it has there. */
export interface CreatedOn {
  readonly capability: Capability;
  readonly variable: string;
}

/**
 * The create that a call on a row of `receiver` names by its symbol, or by its label if that is unique
 * among such creates; null if there is none. The receiver has no capability of that label (LANG-025).
 */
export function createdOn(
  context: CheckContext,
  receiver: EntityKey,
  step: Call,
): CreatedOn | null {
  const { exposure } = context;
  const { entryId } = receiver;
  const catalog = catalogOf(exposure.catalogs, entryId);
  const meaning = nameMeaning(exposure.symbols, step.name.text);
  if (meaning.kind === "method") {
    const { key } = meaning;
    const named = capabilityByLabel(catalog.cgs, key.entity, key.label);
    return key.entryId === entryId && named !== undefined ? onRow(catalog, named, receiver) : null;
  }
  if (meaning.kind !== "name" || meaning.symbolic) return null;
  const fitting = [...catalog.cgs.capabilities.values()]
    .filter(({ label, entity }) => {
      const exposed = entitySymbol(exposure.symbols, { entryId, entity }) !== null;
      return label === meaning.text && exposed;
    })
    .flatMap((capability) => onRow(catalog, capability, receiver) ?? []);
  const [only, ...others] = fitting;
  return only !== undefined && others.length === 0 ? only : null;
}

function onRow(catalog: Catalog, capability: Capability, receiver: EntityKey): CreatedOn | null {
  const template = catalog.cml.get(capability.name);
  if (capability.kind !== "create" || template === undefined) return null;
  const variable = `${receiver.entity.toLowerCase()}_id`;
  return pathVariables(template).includes(variable) ? { capability, variable } : null;
}
