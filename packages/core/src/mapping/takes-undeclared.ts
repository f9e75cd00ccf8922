import type { Capability } from "../schema/capability.ts";
import { slotsOf } from "../schema/slots-of.ts";
import type { Catalog } from "./catalog.ts";
import { variablesRead } from "./variables.ts";

/**
 * Whether a capability takes arguments that it does not declare (RUN-013): its template sends the whole
 * input, which is no argument of its own, and no `input_schema` forbids them.
 */
export function takesUndeclared(catalog: Catalog, capability: Capability): boolean {
  const template = catalog.cml.get(capability.name);
  if (template === undefined || !variablesRead(template).includes("input")) return false;
  if (slotsOf(capability).some(({ name }) => name === "input")) return false;
  const input = capability.inputSchema?.input;
  return input === undefined || (input.kind === "object" && input.additionalFields);
}
