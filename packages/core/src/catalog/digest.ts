import { canonicalJson, sha256Hex } from "../base/canonical-json.ts";
import { compareCodePoints } from "../base/text.ts";
import { type Json, type JsonObject, isObject } from "../values/value-type.ts";
import { domain, type DomainDoc } from "./format/domain-shape.ts";
import { template, type TemplateDoc } from "./format/template-shape.ts";

/** The long form of a catalog that its digest is made of, without keys equal to their default. */
interface CanonicalCatalog {
  readonly format: 1;
  readonly cgs: Json;
  readonly cml: Json;
}

/** The canonical form of both files (RUN-170). */
function canonicalCatalog(
  doc: DomainDoc,
  mappings: ReadonlyMap<string, TemplateDoc>,
): CanonicalCatalog {
  const cgs = dropContextualDefaults(domain.canonical(doc) as JsonObject, doc);
  const cml = Object.fromEntries(
    [...mappings].map(([name, each]) => [name, template.canonical(each)] as const),
  );
  return { format: 1, cgs, cml };
}

/**
 * `sha256:` and the hash of a catalog's canonical form (RUN-170): of what is loaded, and of the names of what
 * was left out.
 */
export function catalogDigest(
  doc: DomainDoc,
  mappings: ReadonlyMap<string, TemplateDoc>,
  dropped: readonly string[] = [],
): string {
  const canonical = canonicalCatalog(doc, mappings);
  const whole =
    dropped.length === 0
      ? canonical
      : { ...canonical, dropped: [...dropped].sort(compareCodePoints) };
  return `sha256:${sha256Hex(canonicalJson({ ...whole }))}`;
}

/**
 * Drops from a canonical domain what equals a default that depends on other keys (RUN-170):
 * `id_field`, a field's `path`, and descriptions that repeat their value's.
 * The id field keeps a written path, since RUN-043 asks whether there is one.
 */
function dropContextualDefaults(canonical: JsonObject, doc: DomainDoc): JsonObject {
  const describe = inheritedDescription(doc);
  const entities = mapMembers(canonical["entities"], (entity, name) => {
    const declared = doc.entities.get(name);
    const first = declared?.key_vars[0] ?? "id";
    const idField = declared?.id_field ?? first;
    const fields = mapMembers(entity["fields"], (field, key) => {
      const path = field["path"];
      const own = Array.isArray(path) && path.length === 1 && path[0] === key && key !== idField;
      return describe(own ? without(field, "path") : field);
    });
    const kept = declared?.id_field === first ? without(entity, "id_field") : entity;
    return { ...kept, fields };
  });
  const capabilities = mapMembers(canonical["capabilities"], (capability) => ({
    ...capability,
    ...mapList(capability, "parameters", (slot) => walkSlot(slot, describe)),
    ...mapObject(capability, "input_schema", (schema) => ({
      ...schema,
      ...mapObject(schema, "input_type", (input) => walkInput(input, describe)),
    })),
  }));
  return { ...canonical, entities, capabilities };
}

type Change = (object: JsonObject) => JsonObject;

function inheritedDescription(doc: DomainDoc): Change {
  return (slot) => {
    const ref = slot["value_ref"];
    const inherited = typeof ref === "string" ? doc.values.get(ref)?.description : "";
    return slot["description"] === (inherited ?? "") ? without(slot, "description") : slot;
  };
}

function walkSlot(slot: JsonObject, describe: Change): JsonObject {
  const own = describe(slot);
  return { ...own, ...mapObject(own, "input_type", (input) => walkInput(input, describe)) };
}

function walkInput(input: JsonObject, describe: Change): JsonObject {
  return {
    ...input,
    ...mapObject(input, "element_type", (element) => walkInput(element, describe)),
    ...mapList(input, "fields", (field) => walkSlot(field, describe)),
    ...mapList(input, "variants", (variant) => ({
      ...variant,
      ...mapList(variant, "fields", (field) => walkSlot(field, describe)),
    })),
  };
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== key));
}

function mapMembers(
  value: Json | undefined,
  change: (member: JsonObject, key: string) => JsonObject,
): JsonObject {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      isObject(member) ? change(member, key) : member,
    ]),
  );
}

function mapObject(object: JsonObject, key: string, change: Change): JsonObject {
  const member = object[key];
  return isObject(member) ? { [key]: change(member) } : {};
}

function mapList(object: JsonObject, key: string, change: Change): JsonObject {
  const member = object[key];
  if (!Array.isArray(member)) return {};
  return { [key]: member.map((item: Json) => (isObject(item) ? change(item) : item)) };
}
