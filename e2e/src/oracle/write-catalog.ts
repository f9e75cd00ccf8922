import {
  type Capability,
  entityOf,
  type Entity,
  type Field,
  isList,
  type ListCapability,
  type Param,
  type Relation,
  type Segment,
  type World,
} from "./model.ts";

/** The two files of a catalog. They are JSON, which is YAML, too. */
export interface CatalogText {
  readonly domain: string;
  readonly mappings: string;
}

type Json = unknown;
type Typed = Pick<Field, "type" | "target" | "options">;

const STRINGS = { string_semantics: "short" } as const;

function valueOf({ type, target, options }: Typed): Json {
  switch (type) {
    case "text":
      return { type: "string", ...STRINGS };
    case "day":
      return { type: "date", value_format: "iso8601_date" };
    case "instant":
      return { type: "date", value_format: "rfc3339" };
    case "unix_sec":
    case "unix_ms":
      return { type: "date", value_format: type };
    case "words":
      return { type: "array", items: { value_ref: "text" } };
    case "options":
      return { type: "multi_select", allowed_values: options };
    case "select":
      return { type: "select", allowed_values: options };
    case "ref":
      return { type: "entity_ref", target };
    default:
      return { type };
  }
}

const valueName = ({ type, target }: Typed): string =>
  type === "ref" ? `ref_${String(target).toLowerCase()}` : type;

function values(world: World): Json {
  const typed = [
    ...world.entities.flatMap(({ fields }) => fields),
    ...world.capabilities.flatMap(({ params }) => params),
  ];
  const text = { type: "text", target: null, options: [] } as const;
  return Object.fromEntries([text, ...typed].map((each) => [valueName(each), valueOf(each)]));
}

const samePath = ({ name, path }: Field): boolean => path.length === 1 && path[0] === name;

const fieldEntry = (field: Field): Json => ({
  value_ref: valueName(field),
  ...(samePath(field) ? {} : { path: field.path }),
});

function materialize({ via, many }: Relation): Json {
  switch (via.kind) {
    case "query_scoped":
      return { kind: via.kind, capability: via.capability, param: via.param };
    case "from_parent_get": {
      const keys = via.path.map((key) => ({ key }));
      return { kind: via.kind, path: many ? [...keys, { wildcard: true }] : keys };
    }
    case "none":
      return undefined;
    default: {
      const { kind, capability, param, field } = via;
      return { kind, capability, bindings: { [param]: field } };
    }
  }
}

const relationEntry = (relation: Relation): Json => ({
  target: relation.target,
  cardinality: relation.many ? "many" : "one",
  materialize: materialize(relation),
});

const named = <T extends { readonly name: string }>(list: readonly T[], entry: (one: T) => Json) =>
  Object.fromEntries(list.map((one) => [one.name, entry(one)]));

const entityEntry = ({ description, key, fields, relations, primary }: Entity): Json => ({
  description,
  ...(primary === null ? {} : { primary_query: primary }),
  id_field: key.at(-1),
  ...(key.length > 1 ? { key_vars: key } : {}),
  fields: named(fields, fieldEntry),
  relations: named(relations, relationEntry),
});

/** What the rows of a list have, by name. */
const listed = ({ fields, relations }: Entity): readonly string[] => [
  ...fields.filter(({ detail }) => !detail).map(({ name }) => name),
  ...relations
    .filter(({ via }) => via.kind === "none" || (via.kind === "from_parent_get" && via.inLists))
    .filter(({ many, via }) => !many || via.kind !== "none")
    .map(({ name }) => name),
];

function provided(world: World, capability: Capability): readonly string[] | undefined {
  const entity = entityOf(world, capability.entity);
  if (isList(capability)) return capability.provides ? listed(entity) : undefined;
  if (capability.kind === "get") return undefined;
  return capability.reply === "row" ? entity.fields.map(({ name }) => name) : undefined;
}

function output(capability: Capability): Json {
  if (isList(capability) || capability.kind === "get" || capability.reply !== "nothing") {
    return capability.kind === "action" && capability.reply === "key"
      ? { type: "entity", entity_type: capability.entity }
      : undefined;
  }
  const description = `the ${capability.entity.toLowerCase()} is changed for good`;
  return capability.kind === "create" ? undefined : { type: "side_effect", description };
}

const paramEntry = (param: Param): Json => ({
  name: param.name,
  value_ref: valueName(param),
  required: param.required,
  role: param.role,
});

const catalogKind = (capability: Capability): string =>
  capability.kind === "get" ? capability.declared : capability.kind;

const capabilityEntry = (world: World, capability: Capability): Json => ({
  kind: catalogKind(capability),
  entity: capability.entity,
  parameters: capability.params.map(paramEntry),
  provides: provided(world, capability),
  output: output(capability),
});

function pagination({ paging }: ListCapability): Json {
  switch (paging.kind) {
    case "none":
    case "undeclared":
      return undefined;
    case "page":
      return { params: { page: { counter: paging.first } } };
    case "offset": {
      const size = paging.fixed === null ? {} : { [paging.fixed]: { fixed: paging.size } };
      return { params: { offset: { counter: 0 }, ...size } };
    }
    case "cursor": {
      const stop = paging.stop ? { stop_when: { field: "has_more", eq: false } } : {};
      const prefix = paging.deep ? { response_prefix: ["paging"] } : {};
      return { params: { cursor: { from_response: "next_cursor" } }, ...prefix, ...stop };
    }
    case "body_cursor":
      return {
        location: "body",
        body_merge_path: ["page"],
        response_prefix: ["paging"],
        params: { first: { fixed: paging.size }, after: { from_response: "next_cursor" } },
      };
    case "link":
      return { location: "link_header", params: { per_page: { fixed: paging.size } } };
    case "next_url":
      return {
        location: "response_next_url",
        response_next_url_field: "next",
        params: { per_page: { fixed: paging.size } },
      };
  }
}

function response(capability: Capability): Json {
  if (isList(capability)) {
    const { container } = capability;
    if (container.kind === "bare") return "bare_list";
    const inner = container.kind === "inner" ? { item_inner_key: container.inner } : {};
    const key = container.kind === "map" ? { key_into: container.into } : {};
    return { items_path: container.path, ...inner, ...key };
  }
  if (capability.kind === "get") {
    return capability.wrapped ? { items_path: ["data"], single: true } : "single";
  }
  return capability.reply === "nothing" ? undefined : "single";
}

const segment = (part: Segment): Json =>
  "literal" in part ? { type: "literal", value: part.literal } : { type: "var", name: part.name };

function members(capability: Capability, place: Param["place"]): Json {
  const placed = capability.params.filter((param) => param.place === place);
  if (placed.length === 0) return undefined;
  const fields = placed.map(({ name }) => [name, { type: "var", name }]);
  return { type: "object", fields };
}

const mappingEntry = (capability: Capability): Json => ({
  method: capability.method,
  path: capability.path.map(segment),
  query: members(capability, "query"),
  body: members(capability, "body"),
  response: response(capability),
  pagination: isList(capability) ? pagination(capability) : undefined,
});

/** Writes what the author of one of its catalogs would write of a world whose API answers at `backend`. */
export function writeCatalog(whole: World, catalog: string, backend: string): CatalogText {
  const entities = whole.entities.filter((each) => each.catalog === catalog);
  const capabilities = whole.capabilities.filter(({ entity }) =>
    entities.some(({ name }) => name === entity),
  );
  const world = { ...whole, entities, capabilities };
  const domain = {
    version: 1,
    http_backend: backend,
    auth: { scheme: "none" },
    values: values(world),
    entities: named(entities, entityEntry),
    capabilities: named(capabilities, (capability) => capabilityEntry(world, capability)),
  };
  return {
    domain: JSON.stringify(domain, null, 1),
    mappings: JSON.stringify(named(capabilities, mappingEntry), null, 1),
  };
}
