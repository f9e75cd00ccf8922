import { capabilitySlots } from "../../mapping/capability-slots.ts";
import { capabilitiesOf } from "../../schema/capabilities-of.ts";
import type { Capability } from "../../schema/capability.ts";
import { providedFields } from "../../schema/provided-fields.ts";
import { compareCodePoints } from "../../text/compare-code-points.ts";
import type { Rule, RuleContext } from "../rule.ts";

/** CAT-079: where several gets could read an identity, the file says which one does. */
export const getsRule: Rule = (context) => {
  const { catalog, inDomain } = context;
  for (const entity of catalog.cgs.entities.values()) {
    const gets = capabilitiesOf(catalog.cgs, entity.name).filter((capability) =>
      readsByIdentity(context, capability),
    );
    const plain = `${entity.name.toLowerCase()}_get`;
    if (gets.length < 2 || entity.primaryRead !== undefined) continue;
    if (gets.some(({ name }) => name === plain)) continue;
    const breadth = (get: Capability): number => providedFields(catalog.cgs, get).length;
    const [used] = gets.toSorted(
      (a, b) => breadth(b) - breadth(a) || compareCodePoints(a.name, b.name),
    );
    inDomain.atKey(["entities", entity.name], "CAT079", "several", {
      entity: entity.name,
      found: gets.map(({ name }) => name).join(", "),
      used: used?.name ?? plain,
    });
  }
};

function readsByIdentity({ catalog }: RuleContext, capability: Capability): boolean {
  if (capability.kind !== "get" || !capability.needsIdentity) return false;
  return !capabilitySlots(catalog, capability).slots.some((slot) => slot.required);
}
