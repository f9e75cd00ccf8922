import type { Entity } from "../../schema/entity.ts";
import type { Derive, Field } from "../../schema/field.ts";
import type { EmbeddedStep, Materialize, Relation } from "../../schema/relation.ts";
import type { EntityDoc } from "../format/entity-shape.ts";
import type { DeriveDoc, FieldDoc } from "../format/field-shape.ts";
import type { MaterializeDoc, RelationDoc } from "../format/relation-shape.ts";
import { given, mapValues } from "./given.ts";
import type { ValueTable } from "./value-table.ts";

export function buildEntity(name: string, doc: EntityDoc, values: ValueTable): Entity {
  return {
    name,
    description: doc.description,
    idField: doc.id_field ?? doc.key_vars[0] ?? "id",
    ...given("idFrom", doc.id_from),
    ...given("idFormat", doc.id_format),
    keyVars: doc.key_vars,
    implicitRequestIdentity: doc.implicit_request_identity,
    fields: mapValues(doc.fields, (field, key) => buildField(key, field, values)),
    relations: mapValues(doc.relations, (relation, key) => buildRelation(key, relation)),
    aliases: doc.expression_aliases,
    abstract: doc.abstract,
    domainProjectionExamples: doc.domain_projection_examples,
    ...given("primaryRead", doc.primary_read),
    ...given("primaryQuery", doc.primary_query),
    ...given("primarySearch", doc.primary_search),
    discoveryNames: doc.discovery.names,
    qualifierNames: doc.discovery.qualifier_names,
  };
}

function buildField(name: string, doc: FieldDoc, values: ValueTable): Field {
  return {
    name,
    type: values.typeOf(doc.value_ref),
    description: doc.description ?? values.descriptionOf(doc.value_ref),
    required: doc.required,
    ...given("path", doc.path),
    ...given("derive", doc.derive && buildDerive(doc.derive)),
    presentation: doc.agent_presentation,
    ...given("mimeTypeHint", doc.mime_type_hint),
    ...given("attachmentMedia", doc.attachment_media),
  };
}

function buildDerive(doc: DeriveDoc): Derive {
  switch (doc.type) {
    case "segments_after_prefix":
      return {
        type: doc.type,
        prefix: doc.prefix,
        alternatePrefixes: doc.alternate_prefixes,
        partIndex: doc.part_index,
      };
    case "name_value_array_lookup":
      return {
        type: doc.type,
        equals: doc.equals,
        matchKeyField: doc.match_key_field,
        valueField: doc.value_field,
        caseInsensitive: doc.case_insensitive,
      };
    case "object_key_lookup":
      return { type: doc.type, key: doc.key, caseInsensitive: doc.case_insensitive };
    case "colon_pair_prefer_keys_else_block_refs":
      return {
        type: doc.type,
        preferKeys: doc.prefer_keys,
        blocksKey: doc.blocks_key,
        refField: doc.ref_field,
        segment: doc.segment,
      };
  }
}

function buildRelation(name: string, doc: RelationDoc): Relation {
  return {
    name,
    target: doc.target,
    cardinality: doc.cardinality,
    description: doc.description,
    ...given("materialize", buildMaterialize(doc.materialize)),
    qualifierTerms: doc.discovery.qualifier_terms,
    ...given("traversalWeight", doc.discovery.traversal_weight),
  };
}

/** `unavailable` is the default: written out it means what its absence means. */
function buildMaterialize(doc: MaterializeDoc): Materialize | undefined {
  switch (doc.kind) {
    case "unavailable":
      return undefined;
    case "from_parent_get":
      return {
        kind: doc.kind,
        path: doc.path.map(buildStep),
        ...given("keyInto", doc.key_into),
        ...given("valueInto", doc.value_into),
      };
    default:
      return doc;
  }
}

function buildStep(step: { readonly key?: string; readonly wildcard?: true }): EmbeddedStep {
  return step.key === undefined ? { wildcard: true } : { key: step.key };
}
