import { capabilitySlots } from "../../mapping/capability-slots.ts";
import { capabilitiesOf } from "../../schema/capabilities-of.ts";
import type { Rule } from "../rule.ts";

/** CAT-073: at most one query and one search of an entity have no required parameter. */
export const openListsRule: Rule = ({ catalog, inDomain }) => {
  for (const entity of catalog.cgs.entities.keys()) {
    for (const kind of ["query", "search"] as const) {
      const open = capabilitiesOf(catalog.cgs, entity)
        .filter((capability) => capability.kind === kind)
        .filter(
          (capability) => !capabilitySlots(catalog, capability).slots.some((slot) => slot.required),
        )
        .map(({ name }) => name);
      const [, second] = open;
      if (second === undefined || open.some((name) => inDomain.faulty(["capabilities", name]))) {
        continue;
      }
      const found = open.join(", ");
      const params = { entity, count: open.length, kind, found };
      inDomain.atKey(["capabilities", second], "CAT073", "many", params);
    }
  }
};
