import { type Capability, oneOfKind } from "../../model/model.ts";
import { declaredSlotType, type Slot } from "../../model/input.ts";
import { sortsAlike } from "../../model/lookups.ts";
import type { SortDoc } from "../format/capability-shape.ts";
import type { KeyPath } from "../key-path.ts";
import { choice } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";

/** CAT-144: sort stands on lists, and names parameters, what they take, and fields whose order is the same everywhere. */
export const sortRule: Rule = (context) => {
  const { catalog, domain, inDomain } = context;
  for (const [name, { sort }] of domain.capabilities) {
    const capability = catalog.cgs.capabilities.get(name);
    const path = ["capabilities", name, "sort"];
    if (capability === undefined || sort === undefined || inDomain.faulty(path)) continue;
    const { kind } = capability;
    if (kind !== "query" && kind !== "search") {
      inDomain.atKey(path, "CAT144", "place", { kind: oneOfKind(kind) });
      continue;
    }
    checkColumns(context, capability, sort, path);
    if (sort.direction === undefined) continue;
    const words = [sort.ascending, sort.descending];
    checkParameter(context, capability, [...path, "direction"], sort.direction, words);
  }
};

function checkColumns(
  context: RuleContext,
  capability: Capability,
  sort: SortDoc,
  path: KeyPath,
): void {
  const { catalog, inDomain } = context;
  const words = [...sort.columns.values()].flatMap((word) =>
    typeof word === "string" ? [word] : [word.ascending ?? [], word.descending ?? []].flat(),
  );
  checkParameter(context, capability, [...path, "param"], sort.param, words);
  const fields = catalog.cgs.entities.get(capability.entity)?.fields;
  for (const [name, word] of sort.columns) {
    const at = [...path, "columns", name];
    const field = fields?.get(name);
    if (field === undefined) {
      const params = { found: name, entity: capability.entity };
      inDomain.atKey(at, "CAT144", "field", { ...params, ...choice(name, fields?.keys() ?? []) });
    } else if (!sortsAlike(field.type)) {
      inDomain.atKey(at, "CAT144", "type", { field: name, type: field.type.kind });
    } else if (typeof word === "string" && sort.direction === undefined) {
      const example = `{ascending: ${word}, descending: …}`;
      inDomain.atValue(at, "CAT144", "ways", { found: word, example });
    }
  }
}

/** A parameter there is, which takes these words. */
function checkParameter(
  { inDomain }: RuleContext,
  capability: Capability,
  path: KeyPath,
  found: string,
  words: readonly string[],
): void {
  const { parameters } = capability;
  const slot = parameters.find(({ name }) => name === found);
  if (slot === undefined) {
    const named = choice(
      found,
      parameters.map(({ name }) => name),
    );
    inDomain.atValue(path, "CAT144", "parameter", { found, capability: capability.name, ...named });
    return;
  }
  const type = declaredSlotType(slot)?.kind ?? "none";
  if (!["string", "select", "boolean"].includes(type)) {
    inDomain.atValue(path, "CAT144", "word", { found, type });
    return;
  }
  const takes = wordsOf(slot);
  for (const word of words) {
    if (takes === null || takes.includes(word)) continue;
    const params = { found: word, param: found, ...choice(word, takes) };
    inDomain.atValue(path, "CAT144", "value", params);
  }
}

/** The words that a parameter takes; null for any. */
function wordsOf(slot: Slot): readonly string[] | null {
  const type = declaredSlotType(slot);
  if (type?.kind === "boolean") return ["false", "true"];
  return type?.kind === "select" && type.options.length > 0 ? type.options : null;
}
