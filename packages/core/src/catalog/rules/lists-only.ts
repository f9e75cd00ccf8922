import { oneOfKind } from "../../model/model.ts";
import { describeNode } from "../yaml/convert.ts";
import { choice } from "./part-view.ts";
import { allowedFor, fits } from "./preconditions.ts";
import type { Rule } from "./rule.ts";

/** CAT-146: lists_only stands on lists, and gives fields values of their types. */
export const listsOnlyRule: Rule = ({ catalog, domain, inDomain }) => {
  for (const [name, { lists_only: only }] of domain.capabilities) {
    const capability = catalog.cgs.capabilities.get(name);
    const path = ["capabilities", name, "lists_only"];
    if (capability === undefined || only === undefined || inDomain.faulty(path)) continue;
    const { kind, entity } = capability;
    if (kind !== "query" && kind !== "search") {
      inDomain.atKey(path, "CAT146", "place", { kind: oneOfKind(kind) });
      continue;
    }
    const fields = catalog.cgs.entities.get(entity)?.fields;
    for (const [found, value] of only) {
      const at = [...path, found];
      const type = fields?.get(found)?.type;
      const allowed = type === undefined ? null : allowedFor(type);
      if (type === undefined) {
        const names = choice(found, fields?.keys() ?? []);
        inDomain.atKey(at, "CAT146", "field", { found, entity, ...names });
      } else if (allowed === null) {
        inDomain.atKey(at, "CAT146", "type", { field: found, type: type.kind });
      } else if (!fits(value, type)) {
        const params = { found: describeNode(value), field: found, type: type.kind, allowed };
        inDomain.atValue(at, "CAT146", "value", params);
      }
    }
  }
};
