import { type Capability, oneOfKind } from "../../model/model.ts";
import { TOTAL_HEADERS } from "../../mapping/total-headers.ts";
import { compareCodePoints } from "../../base/text.ts";
import type { CountDoc } from "../format/capability-shape.ts";
import type { KeyPath } from "../key-path.ts";
import { choice } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";

/** CAT-145: count stands on lists and says in one way where the number of their rows is told. */
export const countRule: Rule = (context) => {
  const { catalog, domain, inDomain } = context;
  for (const [name, { count }] of domain.capabilities) {
    const list = catalog.cgs.capabilities.get(name);
    const path = ["capabilities", name, "count"];
    if (list === undefined || count === undefined || inDomain.faulty(path)) continue;
    if (list.kind !== "query" && list.kind !== "search") {
      inDomain.atKey(path, "CAT145", "place", { kind: oneOfKind(list.kind) });
      continue;
    }
    const ways = [count.path, count.header, count.capability].filter((way) => way !== undefined);
    if (ways.length !== 1 || (count.capability === undefined) !== (count.field === undefined)) {
      const found = Object.entries(count).flatMap(([key, value]) =>
        value === undefined ? [] : key,
      );
      inDomain.atKey(path, "CAT145", "one", { found: found.join(" and ") || "nothing" });
    } else if (count.capability === undefined) checkAnswer(context, list, count, path);
    else checkCapability(context, count, path);
  }
};

/** What a list's own answer says: of a request, and in a header that answers are kept with. */
function checkAnswer(
  { catalog, inDomain }: RuleContext,
  { name }: Capability,
  { header }: CountDoc,
  path: KeyPath,
): void {
  const key = header === undefined ? "path" : "header";
  const transport = catalog.cml.get(name)?.transport;
  if (transport !== undefined && transport !== "http" && transport !== "graphql") {
    inDomain.atKey([...path, key], "CAT145", "answer", { capability: name, found: key });
  } else if (header !== undefined && !TOTAL_HEADERS.includes(header.toLowerCase())) {
    const params = { found: header, ...choice(header, TOTAL_HEADERS) };
    inDomain.atValue([...path, key], "CAT145", "header", params);
  }
}

/** A get that needs no key, and a field of what it answers that is a whole number. */
function checkCapability(
  { catalog: { cgs }, inDomain }: RuleContext,
  { capability = "", field = "" }: CountDoc,
  path: KeyPath,
): void {
  const counting = cgs.capabilities.get(capability);
  if (counting?.kind !== "get" || counting.needsIdentity) {
    const gets = [...cgs.capabilities.values()].filter(
      ({ kind, needsIdentity }) => kind === "get" && !needsIdentity,
    );
    const names = gets.map(({ name }) => name).toSorted(compareCodePoints);
    const params = { found: capability, ...choice(capability, names) };
    inDomain.atValue([...path, "capability"], "CAT145", "capability", params);
    return;
  }
  const fields = [...(cgs.entities.get(counting.entity)?.fields ?? [])];
  const numbers = fields.flatMap(([name, { type }]) => (type.kind === "integer" ? [name] : []));
  if (numbers.includes(field)) return;
  const params = { found: field, entity: counting.entity, ...choice(field, numbers) };
  inDomain.atValue([...path, "field"], "CAT145", "field", params);
}
