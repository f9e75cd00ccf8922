import type {
  Capability,
  ListCount,
  ListSort,
  Output,
  PreflightScope,
  PreflightStep,
  Undo,
} from "../../model/model.ts";
import { capabilityLabel } from "../../model/lookups.ts";
import type { Precondition, PreconditionTest } from "../../model/precondition.ts";
import type {
  CapabilityDoc,
  CountDoc,
  OutputDoc,
  PreflightDoc,
  SortDoc,
  UndoDoc,
} from "../format/capability-shape.ts";
import type {
  InputFieldDoc,
  InputSchemaDoc,
  InputTypeDoc,
  PreconditionDoc,
  SlotDoc,
  ValidationDoc,
  VariantDoc,
} from "../format/input-shape.ts";
import { nodeToJson } from "../yaml/node.ts";
import { plainType, type ResolvedValues } from "./value-table.ts";
import type { InputField, InputSchema, InputType, Slot, Variant } from "../../model/input.ts";

export function buildCapability(
  name: string,
  doc: CapabilityDoc,
  values: ResolvedValues,
): Capability {
  return {
    name,
    label: capabilityLabel(name, doc.entity),
    kind: doc.kind === "singleton" ? "get" : doc.kind,
    needsIdentity: ["get", "update", "delete", "action"].includes(doc.kind),
    entity: doc.entity,
    ...(doc.detail === true ? { detail: true as const } : {}),
    description: doc.description,
    operationTerms: doc.discovery.operation_terms,
    targetTerms: doc.discovery.target_terms,
    parameters: doc.parameters.map((parameter) => buildSlot(parameter, values)),
    ...given("inputSchema", doc.input_schema && buildInputSchema(doc.input_schema, values)),
    ...given("provides", doc.provides.length === 0 ? undefined : doc.provides),
    ...given("output", doc.output && buildOutput(doc.output)),
    preflight: doc.preflight.map(buildPreflight),
    preconditions: doc.preconditions.map(buildPrecondition),
    ...given("undo", doc.undo === undefined ? undefined : buildUndo(doc.undo)),
    ...given("sort", doc.sort && buildSort(doc.sort)),
    ...given("count", doc.count && buildCount(doc.count)),
    ...given("listsOnly", doc.lists_only && mapValues(doc.lists_only, nodeToJson)),
    ...given("batch", doc.batch),
    scopeAggregateKeyPolicy: doc.scope_aggregate_key_policy,
  };
}

function buildUndo(doc: UndoDoc): Undo {
  const { by, args } = typeof doc === "string" ? { by: doc, args: new Map<string, string>() } : doc;
  if (by === "none") return { kind: "none" };
  return by === "restore" ? { kind: "restore", args } : { kind: "call", capability: by, args };
}

function buildSort({ param, columns, direction, ascending, descending }: SortDoc): ListSort {
  const both =
    direction === undefined ? {} : { direction: { param: direction, ascending, descending } };
  const words = mapValues(columns, (word) =>
    typeof word === "string"
      ? { ascending: word, descending: word }
      : { ...given("ascending", word.ascending), ...given("descending", word.descending) },
  );
  return { param, columns: words, ...both };
}

/** Of a file with faults, the one that is there. */
function buildCount({ path, header, capability = "", field = "" }: CountDoc): ListCount {
  if (path !== undefined) return { path };
  return header === undefined ? { capability, field } : { header };
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

function buildSlot(doc: SlotDoc, values: ResolvedValues): Slot {
  const inherited = doc.value_ref === undefined ? "" : values.descriptionOf(doc.value_ref);
  return {
    name: doc.name,
    input: slotInput(doc, values),
    required: doc.required,
    description: doc.description ?? inherited,
    role: doc.role,
    ...(doc.detail === true ? { detail: true as const } : {}),
  };
}

/** A slot has exactly one of both keys (CAT-090). */
function slotInput(doc: SlotDoc, values: ResolvedValues): InputType {
  if (doc.input_type !== undefined) return buildInputType(doc.input_type, values);
  return { kind: "value", type: values.typeOf(doc.value_ref ?? "") };
}

function buildInputField(doc: InputFieldDoc, values: ResolvedValues): InputField {
  return {
    ...buildSlot(doc, values),
    ...given("defaultValue", doc.default && nodeToJson(doc.default)),
    wireJsonPath: doc.wire_json_path,
    ...given("wireArrayElementKey", doc.wire_array_element_key),
  };
}

function buildInputType(doc: InputTypeDoc, values: ResolvedValues): InputType {
  switch (doc.type) {
    case "none":
      return { kind: "none" };
    case "value":
      return { kind: "value", type: plainType(doc.field_type, doc.allowed_values) };
    case "object":
      return {
        kind: "object",
        fields: doc.fields.map((field) => buildInputField(field, values)),
        additionalFields: doc.additional_fields,
      };
    case "array":
      return {
        kind: "array",
        element: buildInputType(doc.element_type, values),
        ...given("minLength", doc.min_length),
        ...given("maxLength", doc.max_length),
      };
    case "union":
      return {
        kind: "union",
        wireField: doc.variants[0]?.wire.field ?? "",
        variants: doc.variants.map((variant) => buildVariant(variant, values)),
      };
  }
}

function buildVariant(doc: VariantDoc, values: ResolvedValues): Variant {
  return {
    name: doc.name,
    ...given("constructorSymbol", doc.constructor_symbol),
    description: doc.description,
    wireValue: nodeToJson(doc.wire.value),
    fields: doc.fields.map((field) => buildInputField(field, values)),
  };
}

function buildInputSchema(doc: InputSchemaDoc, values: ResolvedValues): InputSchema {
  return {
    input: buildInputType(doc.input_type, values),
    description: doc.description,
    examples: doc.examples.map(nodeToJson),
    allowNull: doc.validation?.allow_null ?? false,
    validated: doc.validation !== undefined,
    predicates: (doc.validation?.predicates ?? []).map(buildPredicate),
    crossFieldRules: (doc.validation?.cross_field_rules ?? []).map((rule) => ({
      ruleType: rule.rule_type,
      fields: rule.fields,
      ...given("errorMessage", rule.error_message),
    })),
  };
}

function buildPredicate(
  doc: ValidationDoc["predicates"][number],
): InputSchema["predicates"][number] {
  return {
    fieldPath: doc.field_path,
    operator: doc.operator,
    value: nodeToJson(doc.value),
    ...given("errorMessage", doc.error_message),
  };
}

/** The member if there is a value, else nothing: for spreading into exact optional properties. */
export function given<const K extends string, V>(
  key: K,
  value: V | undefined,
): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
}

/** A map with the same keys and other values. */
export function mapValues<V, W>(
  map: ReadonlyMap<string, V>,
  change: (value: V, key: string) => W,
): ReadonlyMap<string, W> {
  return new Map([...map].map(([key, value]) => [key, change(value, key)]));
}
