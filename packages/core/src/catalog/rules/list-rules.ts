import { compareCodePoints } from "../../base/text.ts";
import { isPaged } from "../../mapping/open-lists.ts";
import { TOTAL_HEADERS, declaredPageSize } from "../../mapping/page-names.ts";
import { type Slot, declaredSlotType } from "../../model/input.ts";
import { keyParts, provides, sortsAlike } from "../../model/lookups.ts";
import { type Capability, oneOfKind } from "../../model/model.ts";
import type { BatchDoc, CountDoc, SortDoc } from "../format/capability-shape.ts";
import type { KeyPath } from "../key-path.ts";
import { describeNode } from "../yaml/convert.ts";
import { choice } from "./part-view.ts";
import { allowedFor, fits } from "./preconditions.ts";
import type { Rule, RuleContext } from "./rule.ts";

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

/** CAT-147: batch stands on lists that need nothing else, and names a parameter of values and what they are of. */
export const batchRule: Rule = (context) => {
  const { catalog, domain, inDomain } = context;
  for (const [name, { batch }] of domain.capabilities) {
    const list = catalog.cgs.capabilities.get(name);
    const path = ["capabilities", name, "batch"];
    if (list === undefined || batch === undefined || inDomain.faulty(path)) continue;
    if (list.kind !== "query" && list.kind !== "search") {
      inDomain.atKey(path, "CAT147", "place", { kind: oneOfKind(list.kind) });
      continue;
    }
    checkValues(context, list, batch, path);
    checkField(context, list, batch, path);
    const template = catalog.cml.get(name);
    if (template !== undefined && isPaged(template) && declaredPageSize(template) === null) {
      inDomain.atKey(path, "CAT147", "pages", { capability: name });
    }
  }
};

/** The parameter takes a list and is the only one that is needed. */
function checkValues(
  { inDomain }: RuleContext,
  { name: capability, parameters }: Capability,
  { param }: BatchDoc,
  path: KeyPath,
): void {
  const lists = parameters.flatMap((slot) =>
    declaredSlotType(slot)?.kind === "array" ? [slot.name] : [],
  );
  if (!lists.includes(param)) {
    const params = { found: param, capability, ...choice(param, lists) };
    inDomain.atValue([...path, "param"], "CAT147", "parameter", params);
  }
  const needed = parameters.filter(({ name, required }) => required && name !== param);
  if (needed.length > 0) {
    const found = needed.map(({ name }) => name).join(", ");
    inDomain.atKey(path, "CAT147", "needed", { capability, param, found });
  }
}

/** The field is the key of the list's rows, or a reference that they have. */
function checkField(
  { catalog: { cgs }, inDomain }: RuleContext,
  list: Capability,
  { field }: BatchDoc,
  path: KeyPath,
): void {
  const entity = cgs.entities.get(list.entity);
  if (entity === undefined) return;
  const key = keyParts(entity);
  const references = [...entity.fields].flatMap(([name, { type }]) =>
    type.kind === "entity_ref" && provides(list, name) ? [name] : [],
  );
  const fields = [...(key.length === 1 ? key : []), ...references];
  if (fields.includes(field)) return;
  const names = { found: field, entity: entity.name, capability: list.name };
  inDomain.atValue([...path, "field"], "CAT147", "field", { ...names, ...choice(field, fields) });
}

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
