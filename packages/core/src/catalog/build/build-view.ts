import type {
  View,
  ViewBind,
  ViewOutput,
  ViewRelationBinding,
  ViewRelationOutput,
} from "../../model/model.ts";
import type { OverlayDoc, ViewDoc } from "../format/view-shape.ts";
import { nodeToJson } from "../yaml/node.ts";
import { given, mapValues } from "./build-capability.ts";
import type { ResolvedValues } from "./value-table.ts";
import type {
  DynamicFields,
  OverlayExtract,
  OverlaySource,
  OverlayStep,
  SchemaOverlay,
} from "../../model/overlay.ts";

type EntriesOf<M> = M extends ReadonlyMap<string, infer V> ? V : never;
type BindDoc = EntriesOf<ViewDoc["nodes"][number]["bind"]>;
type OutputDoc = EntriesOf<ViewDoc["output"]>;
type RelationDoc = ViewDoc["relation_outputs"][number];

export function buildView(key: string, doc: ViewDoc, values: ResolvedValues): View {
  return {
    key,
    description: doc.description,
    capability: doc.capability,
    entity: doc.entity,
    scope: doc.scope.map((scope) => ({
      name: scope.name,
      type: values.typeOf(scope.value_ref),
      required: scope.required,
      ...given("inject", scope.inject),
    })),
    nodes: doc.nodes.map((node) => ({
      id: node.id,
      capability: node.capability,
      bind: mapValues(node.bind, buildBind),
    })),
    output: mapValues(doc.output, buildOutput),
    relationOutputs: doc.relation_outputs.map(buildRelationOutput),
  };
}

function buildBind(doc: BindDoc): ViewBind {
  return doc.kind === "literal" ? { kind: doc.kind, value: nodeToJson(doc.value) } : doc;
}

function buildOutput(doc: OutputDoc): ViewOutput {
  if (doc.kind !== "node_any_row_field_equals") return doc;
  return { kind: doc.kind, node: doc.node, field: doc.field, equals: nodeToJson(doc.equals) };
}

function buildRelationOutput(doc: RelationDoc): ViewRelationOutput {
  return {
    relation: doc.relation,
    target: doc.target,
    cardinality: doc.cardinality,
    binding: buildRelationBinding(doc.binding),
  };
}

function buildRelationBinding(doc: RelationDoc["binding"]): ViewRelationBinding {
  switch (doc.kind) {
    case "first_node_row_where":
    case "node_rows_where":
      return {
        kind: doc.kind,
        node: doc.node,
        whereField: doc.where_field,
        equals: nodeToJson(doc.equals),
      };
    default:
      return doc;
  }
}

type StepDoc = NonNullable<OverlayDoc["source"]["steps"]>[number];
type DynamicDoc = NonNullable<OverlayDoc["entity"]["dynamic_fields"]>;

export function buildOverlay(doc: OverlayDoc, values: ResolvedValues): SchemaOverlay {
  const { entity } = doc;
  const dynamic = entity.dynamic_fields && buildDynamic(entity.dynamic_fields, values);
  return {
    source: buildSource(doc.source),
    mode: doc.projection.mode,
    itemsPath: doc.projection.items_path,
    ...given("nestedItemsPath", doc.projection.nested_items_path),
    entity: {
      fromTemplate: entity.from_template,
      ...given("name", entity.name?.template),
      ...given("scopeKey", entity.scope_key?.template),
      expressionAliases: entity.expression_aliases.map((alias) => alias.template),
      staticFields: mapValues(entity.static_fields, (field) => ({
        template: field.template,
        type: values.typeOf(field.value_ref),
      })),
      ...given("dynamicFields", dynamic),
    },
    ...given(
      "decode",
      doc.decode && {
        scopeParams: doc.decode.scope.params,
        scopeKey: doc.decode.scope.key.template,
        capabilities: doc.decode.capabilities,
      },
    ),
  };
}

/** A source has exactly one of `capability` and `steps` (CAT-150). */
function buildSource(doc: OverlayDoc["source"]): OverlaySource {
  if (doc.steps !== undefined) return { steps: doc.steps.map(buildStep) };
  return { capability: doc.capability ?? "", bind: doc.bind };
}

function buildStep(doc: StepDoc): OverlayStep {
  if (doc.for_each === undefined) {
    return {
      capability: doc.capability,
      collect: doc.collect ?? "",
      itemsPath: doc.items_path ?? [],
    };
  }
  return {
    capability: doc.capability,
    forEach: doc.for_each,
    bind: doc.bind,
    mergePath: doc.merge?.path ?? [],
  };
}

function buildDynamic(doc: DynamicDoc, values: ResolvedValues): DynamicFields {
  return {
    from: doc.from,
    ...given(
      "skip",
      doc.skip && { wireNamePath: doc.skip.wire_name_path, valuesIn: doc.skip.values_in },
    ),
    wireNamePath: doc.wire_name_path,
    wireTypePath: doc.wire_type_path,
    name: doc.name.template,
    typeMap: mapValues(doc.type_map, (name) => values.typeOf(name)),
    defaultType: values.typeOf(doc.default),
    extract: buildExtract(doc.extract),
  };
}

function buildExtract(doc: DynamicDoc["extract"]): OverlayExtract {
  if (doc.kind !== "name_value_array") return doc;
  return {
    kind: doc.kind,
    arrayPath: doc.array_path,
    matchKeyField: doc.match_key_field,
    matchEquals: doc.match_equals.template,
    valueField: doc.value_field,
  };
}
