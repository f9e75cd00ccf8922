import type { DomainDoc } from "../format/domain-shape.ts";
import { type KeyPath, keyPathText } from "../key-path.ts";
import { declaredSlots } from "./bound-names.ts";

/** A place that names a value: the path to its `value_ref` (or to the name itself), and the name. */
export interface ValueReference {
  readonly value: string;
  readonly path: KeyPath;
}

/** Every field, parameter, input field, view scope and overlay place that names a value. */
export function valueUses(domain: DomainDoc): readonly ValueReference[] {
  return [...fieldUses(domain), ...slotUses(domain), ...viewUses(domain), ...overlayUses(domain)];
}

/**
 * The values that something uses, directly or as an array's element, with one place that does
 * (catalog format, section 4).
 */
export function valuesInUse(domain: DomainDoc): ReadonlyMap<string, string> {
  const used = new Map<string, string>();
  for (const { value, path } of valueUses(domain)) {
    const slot = keyPathText(path.at(-1) === "value_ref" ? path.slice(0, -1) : path);
    if (!used.has(value)) used.set(value, slot);
    const element = domain.values.get(value)?.items?.value_ref;
    if (element !== undefined && !used.has(element)) used.set(element, slot);
  }
  return used;
}

function fieldUses(domain: DomainDoc): readonly ValueReference[] {
  return [...domain.entities].flatMap(([entity, { fields }]) =>
    [...fields].map(([name, field]) => ({
      value: field.value_ref,
      path: ["entities", entity, "fields", name, "value_ref"],
    })),
  );
}

function slotUses(domain: DomainDoc): readonly ValueReference[] {
  return [...domain.capabilities].flatMap(([name, capability]) =>
    declaredSlots(name, capability).flatMap(({ slot, path }) =>
      slot.value_ref === undefined ? [] : [{ value: slot.value_ref, path: [...path, "value_ref"] }],
    ),
  );
}

function viewUses(domain: DomainDoc): readonly ValueReference[] {
  return [...domain.views].flatMap(([key, view]) =>
    view.scope.map((scope, at) => ({
      value: scope.value_ref,
      path: ["views", key, "scope", at, "value_ref"],
    })),
  );
}

function overlayUses(domain: DomainDoc): readonly ValueReference[] {
  const entity = domain.schema_overlay?.entity;
  if (entity === undefined) return [];
  const path = ["schema_overlay", "entity"];
  const fixed = [...entity.static_fields].map(([name, field]) => ({
    value: field.value_ref,
    path: [...path, "static_fields", name, "value_ref"],
  }));
  const dynamic = entity.dynamic_fields;
  if (dynamic === undefined) return fixed;
  const types = [...dynamic.type_map].map(([wire, value]) => ({
    value,
    path: [...path, "dynamic_fields", "type_map", wire],
  }));
  const fallback = { value: dynamic.default, path: [...path, "dynamic_fields", "default"] };
  return [...fixed, ...types, fallback];
}
