import { loadCatalog } from "../src/catalog/load-catalog.ts";
import type { Catalog } from "../src/mapping/template.ts";

/**
 * A type as tables write it: `str`, `markdown`, `int`, `num`, `bool`, `date`, `datetime`, `uuid`,
 * `unix_sec`, `unix_ms`, `json`, `blob`, `a|b`, `word` for a select that takes any, `{a|b}` for several
 * of its options, `[str]`, or `→Plot` for a reference.
 */
export type TypeSpec = string;

export interface EntitySpec {
  readonly description?: string;
  /** the id field, or the parts of a compound key; default `["id"]` */
  readonly key?: readonly string[];
  /** name → type, or type and description */
  readonly fields: Readonly<Record<string, TypeSpec | readonly [TypeSpec, string]>>;
  readonly relations?: Readonly<Record<string, object>>;
  /** further keys of the entity, as in domain.yaml */
  readonly more?: object;
}

export interface CapabilitySpec {
  readonly kind: string;
  readonly entity: string;
  readonly description?: string;
  /** slot → type; a name that ends in `?` is optional */
  readonly params?: Readonly<Record<string, TypeSpec>>;
  /** slots with a role other than filter */
  readonly roles?: Readonly<Record<string, string>>;
  /** path variables; the identity of the entity by default, where the kind has one */
  readonly path?: readonly string[];
  readonly paged?: boolean;
  /** further keys of the capability; `ref` gives the name of a value of a type */
  readonly more?: (ref: (type: TypeSpec) => string) => object;
  /** the whole mapping, in place of the one made here */
  readonly mapping?: object;
}

export interface CatalogSpec {
  readonly entities: Readonly<Record<string, EntitySpec>>;
  readonly capabilities: Readonly<Record<string, CapabilitySpec>>;
  /** further keys of domain.yaml */
  readonly more?: object;
}

/** A catalog of a few lines, loaded by the real loader; throws with the diagnostics if it is faulty. */
export function buildCatalog(entryId: string, spec: CatalogSpec): Catalog {
  return loadDocuments(entryId, catalogDocuments(spec));
}

/** Both files of a catalog as values. */
export interface CatalogDocuments {
  readonly domain: object;
  readonly mappings: object;
}

/** Loads the documents of a catalog; throws with the diagnostics if they are faulty. */
export function loadDocuments(entryId: string, { domain, mappings }: CatalogDocuments): Catalog {
  const loaded = loadCatalog({
    entryId,
    domain: { file: "domain.yaml", text: JSON.stringify(domain) },
    mappings: { file: "mappings.yaml", text: JSON.stringify(mappings) },
  });
  if (loaded.catalog === null) throw new Error(JSON.stringify(loaded.diagnostics, null, 2));
  return loaded.catalog;
}

/** The documents of both files, as the formats have them. */
export function catalogDocuments(spec: CatalogSpec): CatalogDocuments {
  const values: Record<string, object> = {};
  const ref = (type: TypeSpec): string => {
    const name = `v_${Array.from(type, (char) => char.codePointAt(0)?.toString(36)).join("_")}`;
    values[name] ??= valueDocument(type, ref);
    return name;
  };
  const entities = mapRecord(spec.entities, (entity) => entityDocument(entity, ref));
  const capabilities = mapRecord(spec.capabilities, (each) => capabilityDocument(each, ref));
  const mappings = mapRecord(spec.capabilities, (each) => mappingDocument(spec, each));
  const http_backend = "https://api.test.example";
  return {
    domain: { version: 1, http_backend, values, entities, capabilities, ...spec.more },
    mappings,
  };
}

function valueDocument(type: TypeSpec, ref: (type: TypeSpec) => string): object {
  if (type.startsWith("→")) return { type: "entity_ref", target: type.slice(1) };
  if (type.startsWith("[")) return { type: "array", items: { value_ref: ref(type.slice(1, -1)) } };
  if (type.startsWith("{")) {
    return { type: "multi_select", allowed_values: type.slice(1, -1).split("|") };
  }
  if (type === "word") return { type: "select" };
  if (type.startsWith("unix_")) return { type: "date", value_format: type };
  if (type.includes("|")) return { type: "select", allowed_values: type.split("|") };
  if (type === "int") return { type: "integer" };
  if (type === "num") return { type: "number" };
  if (type === "bool") return { type: "boolean" };
  if (type === "date") return { type: "date", value_format: "iso8601_date" };
  if (type === "datetime") return { type: "date", value_format: "rfc3339" };
  if (["uuid", "json", "blob"].includes(type)) return { type };
  return { type: "string", string_semantics: type === "str" ? "short" : type };
}

function entityDocument(spec: EntitySpec, ref: (type: TypeSpec) => string): object {
  const key = spec.key ?? ["id"];
  const fields = mapRecord(spec.fields, (field) => {
    const [type, description] = typeof field === "string" ? [field, ""] : field;
    return { value_ref: ref(type), description };
  });
  return {
    description: spec.description ?? "",
    id_field: key[key.length - 1],
    ...(key.length > 1 ? { key_vars: key } : {}),
    fields,
    relations: spec.relations ?? {},
    ...spec.more,
  };
}

function capabilityDocument(spec: CapabilitySpec, ref: (type: TypeSpec) => string): object {
  const parameters = Object.entries(spec.params ?? {}).map(([name, type]) => {
    const slot = plainName(name);
    const role = spec.roles?.[slot];
    const required = !name.endsWith("?");
    return { name: slot, value_ref: ref(type), required, ...(role === undefined ? {} : { role }) };
  });
  const { kind, entity, description = "" } = spec;
  return { kind, entity, description, parameters, ...spec.more?.(ref) };
}

function mappingDocument(spec: CatalogSpec, each: CapabilitySpec): object {
  if (each.mapping !== undefined) return each.mapping;
  const identified = ["get", "update", "delete", "action"].includes(each.kind);
  const key = spec.entities[each.entity]?.key ?? ["id"];
  const path = each.path ?? (identified ? key : []);
  const read = Object.keys(each.params ?? {})
    .map(plainName)
    .filter((name) => !path.includes(name));
  const fields = read.map((name) => [name, { type: "var", name }]);
  const reads = ["query", "search", "get", "singleton"].includes(each.kind);
  // An input that is no list of parameters is the body as it is.
  const sent = fields.length === 0 ? { type: "var", name: "input" } : { type: "object", fields };
  const hasInput = fields.length > 0 || (!reads && each.more !== undefined);
  return {
    method: reads ? "GET" : "POST",
    path: [{ type: "literal", value: "x" }, ...path.map((name) => ({ type: "var", name }))],
    ...(hasInput ? (reads ? { query: sent } : { body: sent }) : {}),
    ...(each.paged === true ? { pagination: { params: { page: { counter: 1 } } } } : {}),
  };
}

function plainName(name: string): string {
  return name.endsWith("?") ? name.slice(0, -1) : name;
}

function mapRecord<A, B>(
  record: Readonly<Record<string, A>>,
  make: (value: A) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value)]));
}
