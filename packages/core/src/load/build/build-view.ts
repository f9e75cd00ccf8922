import type {
  View,
  ViewBind,
  ViewOutput,
  ViewRelationBinding,
  ViewRelationOutput,
} from "../../schema/view.ts";
import type { ViewDoc } from "../format/view-shape.ts";
import { nodeToJson } from "../yaml/node-to-json.ts";
import { given, mapValues } from "./given.ts";
import type { ValueTable } from "./value-table.ts";

type EntriesOf<M> = M extends ReadonlyMap<string, infer V> ? V : never;
type BindDoc = EntriesOf<ViewDoc["nodes"][number]["bind"]>;
type OutputDoc = EntriesOf<ViewDoc["output"]>;
type RelationDoc = ViewDoc["relation_outputs"][number];

export function buildView(key: string, doc: ViewDoc, values: ValueTable): View {
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
