import { canonicalJson, type Capability, type Catalog, type Entity, type Field } from "@plasm/core";
import {
  capabilitiesOf,
  type ProjectedEntity,
  type ProjectedField,
  type ProjectedOverlay,
  type SchemaOverlay,
  sha256Hex,
  type RequestTemplate,
} from "@plasm/core/internal";

/**
 * A catalog with what its overlay adds: entities of their own with the capabilities of the template, or
 * fields of the template entity (RUN-103). Pure and cheap; the digest is the caller's (RUN-171).
 */
export function applyOverlay(catalog: Catalog, overlay: ProjectedOverlay): Catalog {
  const rule = catalog.cgs.overlay;
  const template = catalog.cgs.entities.get(rule?.entity.fromTemplate ?? "");
  if (rule === undefined || template === undefined) return catalog;
  const entities = new Map(catalog.cgs.entities);
  const capabilities = new Map(catalog.cgs.capabilities);
  const cml = new Map(catalog.cml);
  for (const each of overlay.entities) {
    if (rule.mode === "augment_base") {
      entities.set(template.name, withFields(template, each));
      for (const capability of decoded(catalog, rule)) {
        capabilities.set(capability.name, providing(capability, each.fields));
      }
      continue;
    }
    const clones = clonesFor(catalog, rule, overlay, each, capabilities);
    for (const { capability, mapping } of clones) {
      capabilities.set(capability.name, capability);
      cml.set(capability.name, mapping);
    }
    entities.set(each.name, ownEntity(template, each, clones));
  }
  const cgs = { ...catalog.cgs, entities, capabilities };
  return Object.freeze({ ...catalog, cgs: Object.freeze(cgs), cml, overlay });
}

/** The capabilities whose rows the overlay is about: those listed, else the template's reads. */
function decoded(catalog: Catalog, rule: SchemaOverlay): readonly Capability[] {
  const listed = rule.decode?.capabilities ?? [];
  if (listed.length > 0) {
    return listed.flatMap((name) => catalog.cgs.capabilities.get(name) ?? []);
  }
  const reads = ["query", "search", "get"];
  return capabilitiesOf(catalog.cgs, rule.entity.fromTemplate).filter(({ kind }) =>
    reads.includes(kind),
  );
}

interface Clone {
  readonly of: string;
  readonly capability: Capability;
  readonly mapping: RequestTemplate;
}

/** The template's capabilities under an entity of the overlay, their scope parameters bound. */
function clonesFor(
  catalog: Catalog,
  rule: SchemaOverlay,
  overlay: ProjectedOverlay,
  entity: ProjectedEntity,
  taken: ReadonlyMap<string, Capability>,
): readonly Clone[] {
  const statics = overlay.scopes.find((scope) => scope.entity === entity.name)?.statics ?? {};
  const scoped = (rule.decode?.scopeParams ?? []).flatMap((name) => {
    const value = statics[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const fixedArgs = Object.fromEntries(scoped);
  return decoded(catalog, rule).flatMap((base) => {
    const mapping = catalog.cml.get(base.name);
    if (mapping === undefined || mapping.transport === "view") return [];
    const name = `${entity.name.toLowerCase()}_${base.label.replaceAll("-", "_")}`;
    const parameters = base.parameters.filter((slot) => !Object.hasOwn(fixedArgs, slot.name));
    const own = {
      ...base,
      name: freeName(name, taken),
      entity: entity.name,
      parameters,
      fixedArgs,
    };
    return [{ of: base.name, capability: providing(own, entity.fields), mapping }];
  });
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  while (taken.has(free)) free = `${free}_`;
  return free;
}

/** A read that lists what it provides gives the overlay's fields, too. */
function providing(capability: Capability, fields: readonly ProjectedField[]): Capability {
  const { provides } = capability;
  if (provides === undefined || provides.length === 0) return Object.freeze(capability);
  const names = fields.map(({ name }) => name);
  return Object.freeze({ ...capability, provides: [...new Set([...provides, ...names])] });
}

function ownEntity(template: Entity, projected: ProjectedEntity, clones: readonly Clone[]): Entity {
  const { primaryRead, primaryQuery, primarySearch, ...rest } = withFields(template, projected);
  const cloned = (name: string | undefined): string | undefined =>
    clones.find(({ of }) => of === name)?.capability.name;
  const [read, query, search] = [primaryRead, primaryQuery, primarySearch].map(cloned);
  return Object.freeze({
    ...rest,
    name: projected.name,
    aliases: projected.aliases,
    abstract: false,
    ...(read === undefined ? {} : { primaryRead: read }),
    ...(query === undefined ? {} : { primaryQuery: query }),
    ...(search === undefined ? {} : { primarySearch: search }),
  });
}

function withFields(entity: Entity, { fields }: ProjectedEntity): Entity {
  const all = new Map(entity.fields);
  for (const field of fields) all.set(field.name, fieldOf(field));
  return Object.freeze({ ...entity, fields: all });
}

/** Names of the API are data: an overlay's field has no text beside its own name (RUN-143). */
function fieldOf({ name, type, path, lookup }: ProjectedField): Field {
  return Object.freeze({
    name,
    type,
    description: "",
    required: false,
    path,
    presentation: "default",
    ...(lookup === undefined
      ? {}
      : {
          derive: {
            type: "name_value_array_lookup",
            equals: lookup.equals,
            matchKeyField: lookup.matchKeyField,
            valueField: lookup.valueField,
            caseInsensitive: false,
          } as const,
        }),
  });
}

/** What changes a catalog beyond its files. */
export interface DigestParts {
  readonly base: string;
  /** the deployment's backend, or null for the catalog's own */
  readonly backend: string | null;
  readonly overlay: ProjectedOverlay | null;
}

/** The digest that waves, plan nodes, cursors, caches and snapshots carry (RUN-171). */
export function effectiveDigest({ base, backend, overlay }: DigestParts): string {
  if (backend === null && overlay === null) return base;
  return `sha256:${sha256Hex(canonicalJson({ base, backend, overlay }))}`;
}
