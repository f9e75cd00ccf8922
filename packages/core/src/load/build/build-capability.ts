import type { Capability, Output } from "../../schema/capability.ts";
import { capabilityLabel } from "../../schema/capability-label.ts";
import type { Precondition, PreconditionTest } from "../../schema/precondition.ts";
import type { PreflightScope, PreflightStep } from "../../schema/preflight.ts";
import type { CapabilityDoc, OutputDoc } from "../format/capability-shape.ts";
import type { PreconditionDoc } from "../format/precondition-shape.ts";
import type { PreflightDoc } from "../format/preflight-shape.ts";
import { nodeToJson } from "../yaml/node-to-json.ts";
import { buildInputSchema, buildSlot } from "./build-input.ts";
import { given, mapValues } from "./given.ts";
import type { ValueTable } from "./value-table.ts";

export function buildCapability(name: string, doc: CapabilityDoc, values: ValueTable): Capability {
  return {
    name,
    label: capabilityLabel(name, doc.entity),
    kind: doc.kind === "singleton" ? "get" : doc.kind,
    needsIdentity: ["get", "update", "delete", "action"].includes(doc.kind),
    entity: doc.entity,
    description: doc.description,
    operationTerms: doc.discovery.operation_terms,
    targetTerms: doc.discovery.target_terms,
    parameters: doc.parameters.map((parameter) => buildSlot(parameter, values)),
    ...given("inputSchema", doc.input_schema && buildInputSchema(doc.input_schema, values)),
    ...given("provides", doc.provides.length === 0 ? undefined : doc.provides),
    ...given("output", doc.output && buildOutput(doc.output)),
    preflight: doc.preflight.map(buildPreflight),
    preconditions: doc.preconditions.map(buildPrecondition),
    scopeAggregateKeyPolicy: doc.scope_aggregate_key_policy,
  };
}

function buildOutput(doc: OutputDoc): Output {
  return {
    shape: outputShape(doc),
    ...given("decoder", doc.decoder),
    ...given("idempotent", doc.idempotent),
  };
}

function outputShape(doc: OutputDoc): Output["shape"] {
  switch (doc.type) {
    case "side_effect":
      return { type: doc.type, description: doc.description };
    case "entity":
      return { type: doc.type, entityType: doc.entity_type };
    case "collection":
      return { type: doc.type, entityType: doc.entity_type, ...given("maxCount", doc.max_count) };
    case "status":
      return { type: doc.type, successIndicators: doc.success_indicators.map(nodeToJson) };
    case "custom":
      return { type: doc.type, schema: nodeToJson(doc.schema) };
  }
}

function buildPreflight(doc: PreflightDoc): PreflightStep {
  switch (doc.kind) {
    case "query_pick":
      return {
        kind: doc.kind,
        ...given("when", doc.when),
        query: doc.query,
        scope: mapValues(doc.scope, buildScope),
        pick: { field: doc.pick.field, equalsParam: doc.pick.equals_param },
        merge: doc.merge,
      };
    case "label_ids_delta":
      return {
        kind: doc.kind,
        addWhen: doc.add_when,
        removeWhen: doc.remove_when,
        lookup: doc.lookup,
        fromPreflight: doc.from_preflight,
        merge: doc.merge,
      };
    default:
      return doc;
  }
}

function buildPrecondition(doc: PreconditionDoc): Precondition {
  const { field, description } = doc;
  return { ...given("param", doc.param), field, test: preconditionTest(doc), description };
}

/** A precondition has exactly one of the four tests (CAT-143). */
function preconditionTest(doc: PreconditionDoc): PreconditionTest {
  if (doc.eq !== undefined) return { op: "eq", value: nodeToJson(doc.eq) };
  if (doc.in !== undefined) return { op: "in", values: doc.in.map(nodeToJson) };
  if (doc.not_in !== undefined) return { op: "not_in", values: doc.not_in.map(nodeToJson) };
  return { op: "exists", exists: doc.exists ?? true };
}

type ScopeDoc =
  Extract<PreflightDoc, { readonly kind: "query_pick" }>["scope"] extends ReadonlyMap<
    string,
    infer S
  >
    ? S
    : never;

/** A scope has exactly one of the three forms (CAT-141). */
function buildScope(doc: ScopeDoc): PreflightScope {
  if (doc.from_param !== undefined) return { fromParam: doc.from_param };
  if (doc.from_preflight !== undefined) return { fromPreflight: doc.from_preflight };
  return { literal: doc.literal === undefined ? null : nodeToJson(doc.literal) };
}
