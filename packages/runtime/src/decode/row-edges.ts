import { capabilitiesOf, type Entity, type Json, type JsonObject, keyParts } from "@plasm/core";
import { type DecodeContext, entityOf } from "./decode-context.ts";
import type { EntityRow } from "./entity-row.ts";
import { hasMember, isArray } from "../json-kinds.ts";
import { type DecodeRow, referenceCell } from "./row-references.ts";
import { type EmbeddedRelation, wireShape } from "./wire-shape.ts";

/** The rows a response embeds under a relation's path; undefined if the path is absent (RUN-037). */
function embeddedValues(wire: Json, { path }: EmbeddedRelation): readonly Json[] | undefined {
  const [first] = path;
  if (first !== undefined && "key" in first && !hasMember(wire, first.key)) return undefined;
  let level: readonly Json[] = [wire];
  for (const step of path) {
    if ("wildcard" in step) {
      level = level.flatMap((value) => (isArray(value) ? value : []));
      continue;
    }
    const holders = level.filter((value) => hasMember(value, step.key));
    if (holders.length === 0 && level.length > 0) return undefined;
    level = holders.map((value) => (hasMember(value, step.key) ? (value[step.key] ?? null) : null));
  }
  return level.filter((value) => value !== null);
}

const pointsAt = (target: Entity, part: string, owner: Entity): boolean => {
  const type = target.fields.get(part)?.type;
  if (type?.kind === "entity_ref" && type.target === owner.name) return true;
  return part.replaceAll("_", "").toLowerCase() === `${owner.name.toLowerCase()}id`;
};

/**
 * What embedded rows start from: the parent's ambient and identity under the parent's name, and for
 * key parts of their own the parent's field of that name. A simple parent's id never stands in for
 * theirs (RUN-037, RUN-044, RUN-047).
 */
function childAmbient(parent: EntityRow, owner: Entity, target: Entity): JsonObject {
  const ambient: Record<string, Json> = { ...parent.ambient };
  const ownerParts = keyParts(owner);
  if (ownerParts.length === 1) delete ambient[owner.idField];
  const parts = keyParts(target);
  const shared = parts.length > 1 ? parts : [];
  for (const part of shared) {
    const value = parent.fields.get(part);
    if (value !== undefined && value !== null) ambient[part] = value;
  }
  if (parent.identity === null) return ambient;
  const own = referenceCell({ identity: parent.identity, embedded: null });
  ambient[owner.name.toLowerCase()] = own;
  ambient[`${owner.name.toLowerCase()}_id`] = own;
  for (const part of shared) if (pointsAt(target, part, owner)) ambient[part] = own;
  return ambient;
}

const folded = (name: string): string => name.replaceAll("_", "").toLowerCase();

/**
 * The fields by which embedded rows refer to the row they stand in: those called like its entity (RUN-037). Others of
 * that type may mean another row of it, and of rows that have a get of their own that alone is asked.
 */
function parentFields(
  { catalog }: DecodeContext,
  parent: EntityRow,
  owner: Entity,
  target: Entity,
): JsonObject {
  const hasGet = capabilitiesOf(catalog.cgs, target.name).some(
    ({ kind, needsIdentity }) => kind === "get" && needsIdentity,
  );
  if (parent.identity === null || hasGet || owner.name === target.name) return {};
  const own = referenceCell({ identity: parent.identity, embedded: null });
  const names = new Set([folded(owner.name), `${folded(owner.name)}id`]);
  const fields = [...target.fields.values()].filter(({ name, type }) => {
    return type.kind === "entity_ref" && type.target === owner.name && names.has(folded(name));
  });
  return Object.fromEntries(fields.map(({ name }) => [name, own]));
}

/** Decodes the rows of every `from_parent_get` relation that the row's wire form holds (RUN-037). */
export function decodeEdges(
  context: DecodeContext,
  decode: DecodeRow,
  row: EntityRow,
  owner: Entity,
): void {
  for (const embedded of wireShape(owner).embedded) {
    const values = embeddedValues(row.wire, embedded);
    if (values === undefined) continue;
    const { relation } = embedded;
    if (values.length === 0) {
      row.edges.set(relation.name, []);
      continue;
    }
    const entity = entityOf(context, relation.target);
    const ambient = childAmbient(row, owner, entity);
    const scope = parentFields(context, row, owner, entity);
    const rows = values.map((value, index) =>
      decode(context, value, { entity, provides: null, ambient, requested: null, scope, index }),
    );
    row.edges.set(relation.name, rows);
  }
}
