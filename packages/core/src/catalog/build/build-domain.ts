import type {
  Auth,
  Cgs,
  Derive,
  EmbeddedStep,
  Entity,
  Field,
  FurtherKey,
  Materialize,
  OAuth,
  Relation,
  ScopeRule,
  SecretSource,
  Webhook,
} from "../../model/model.ts";
import type {
  AuthDoc,
  FurtherKeyDoc,
  OAuthDoc,
  ScopeRuleDoc,
  WebhookDoc,
} from "../format/auth-shape.ts";
import {
  type DeriveDoc,
  type DomainDoc,
  type EntityDoc,
  type FieldDoc,
  type MaterializeDoc,
  type RelationDoc,
  declaresKey,
} from "../format/domain-shape.ts";
import { buildCapability, given, mapValues } from "./build-capability.ts";
import { buildOverlay, buildView } from "./build-view.ts";
import { type ResolvedValues, resolveValues } from "./value-table.ts";

/** domain.yaml as the graph the engine works with, value references and defaults resolved. */
export function buildDomain(doc: DomainDoc): Cgs {
  const values = resolveValues(doc.values);
  return {
    version: doc.version,
    httpBackend: doc.http_backend,
    auth: buildAuth(doc.auth),
    ...given("oauth", doc.oauth && buildOAuth(doc.oauth)),
    entities: mapValues(doc.entities, (entity, name) => buildEntity(name, entity, values)),
    capabilities: mapValues(doc.capabilities, (each, name) => buildCapability(name, each, values)),
    views: mapValues(doc.views, (view, key) => buildView(key, view, values)),
    ...given("overlay", doc.schema_overlay && buildOverlay(doc.schema_overlay, values)),
    webhooks: mapValues(doc.webhooks, (each, name) => buildWebhook(name, each)),
    registryAliases: doc.registry_aliases,
    label: doc.label,
    tags: doc.tags,
    description: doc.description,
    allowOrigins: doc.allow_origins.map(({ origin, send_auth }) => ({
      origin,
      sendAuth: send_auth,
    })),
    notDoneStatuses: doc.not_done_statuses,
  };
}

function buildEntity(name: string, doc: EntityDoc, values: ResolvedValues): Entity {
  return {
    name,
    description: doc.description,
    idField: doc.id_field ?? doc.key_vars[0] ?? "id",
    hasKey: declaresKey(doc),
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

function buildField(name: string, doc: FieldDoc, values: ResolvedValues): Field {
  return {
    name,
    type: values.typeOf(doc.value_ref),
    description: doc.description ?? values.descriptionOf(doc.value_ref),
    required: doc.required,
    ...(doc.detail === true ? { detail: true as const } : {}),
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

function buildAuth(doc: AuthDoc): Auth {
  if (doc.scheme === "none") return { scheme: doc.scheme };
  const also = (doc.also ?? []).map(buildKey);
  switch (doc.scheme) {
    case "api_key_header":
      return {
        scheme: doc.scheme,
        header: doc.header,
        prefix: doc.prefix,
        optionalEnv: doc.optional_env,
        also,
        ...secret(doc.env, doc.hosted_kv),
      };
    case "api_key_query":
      return {
        scheme: doc.scheme,
        param: doc.param,
        optionalEnv: doc.optional_env,
        also,
        ...secret(doc.env, doc.hosted_kv),
      };
    case "bearer_token":
    case "oauth_bearer":
      return {
        scheme: doc.scheme,
        optionalEnv: doc.optional_env,
        also,
        ...secret(doc.env, doc.hosted_kv),
      };
    case "sigv4":
      return {
        scheme: doc.scheme,
        service: doc.service,
        region: doc.region,
        also,
        ...secret(doc.env, doc.hosted_kv),
      };
    case "oauth2_client_credentials":
      return {
        scheme: doc.scheme,
        tokenUrl: doc.token_url,
        clientId: secret(doc.client_id_env, doc.client_id_hosted_kv),
        clientSecret: secret(doc.client_secret_env, doc.client_secret_hosted_kv),
        scopes: doc.scopes,
        also,
      };
  }
}

function buildKey(doc: FurtherKeyDoc): FurtherKey {
  const source = { name: doc.name, ...secret(doc.env, doc.hosted_kv) };
  return doc.scheme === "api_key_header"
    ? { scheme: doc.scheme, header: doc.header, prefix: doc.prefix, ...source }
    : { scheme: doc.scheme, param: doc.param, ...source };
}

function secret(env: string | undefined, hostedKv: string | undefined): SecretSource {
  return { ...given("env", env), ...given("hostedKv", hostedKv) };
}

function buildWebhook(name: string, doc: WebhookDoc): Webhook {
  return {
    name,
    description: doc.description,
    scheme: doc.scheme,
    header: doc.header.toLowerCase(),
    prefix: doc.prefix,
    ...given("separator", doc.separator),
    encoding: doc.encoding,
    signed: doc.signed,
    secretEncoding: doc.secret_encoding,
    ...given("timestampHeader", doc.timestamp_header?.toLowerCase()),
    ...given("timestampPrefix", doc.timestamp_prefix),
    toleranceSeconds: doc.tolerance_seconds,
    ...given("idHeader", doc.id_header?.toLowerCase()),
    ...given("challenge", doc.challenge),
    ...secret(doc.env, doc.hosted_kv),
  };
}

function buildOAuth(doc: OAuthDoc): OAuth {
  return {
    provider: doc.provider,
    ...given("issuer", doc.issuer),
    ...given("authorizeUrl", doc.authorize_url),
    ...given("tokenUrl", doc.token_url),
    ...given("deviceUrl", doc.device_url),
    ...given("revokeUrl", doc.revoke_url),
    ...given("clientId", doc.client_id),
    scopes: mapValues(doc.scopes, (scope) => ({
      label: scope.label,
      notes: scope.notes,
      docsUrl: scope.docs_url,
    })),
    defaultScopeSets: doc.default_scope_sets,
    capabilityRequirements: mapValues(doc.requirements.capabilities, buildRule),
    relationRequirements: mapValues(doc.requirements.relations, buildRule),
  };
}

/** A rule has exactly one of both keys (CAT-113). */
function buildRule(doc: ScopeRuleDoc): ScopeRule {
  const items = (all: readonly (string | ScopeRuleDoc)[]): readonly (string | ScopeRule)[] =>
    all.map((item) => (typeof item === "string" ? item : buildRule(item)));
  return doc.any_of === undefined
    ? { allOf: items(doc.all_of ?? []) }
    : { anyOf: items(doc.any_of) };
}
