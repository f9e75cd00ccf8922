import {
  canonicalJson,
  type Catalog,
  type Json,
  type JsonObject,
  keyText,
  testValue,
  type ValueType,
  type ViewOutput,
} from "@plasm/core";
import { isScalar } from "../json-kinds.ts";
import { fillTemplate, firstField, type NodeRows, type ViewPlan } from "./view-plan.ts";

/** What a view's nodes gave, with the scope they ran in. */
export interface ViewAnswer {
  readonly catalog: Catalog;
  readonly plan: ViewPlan;
  /** what is given of the scope */
  readonly scope: JsonObject;
  readonly nodes: ReadonlyMap<string, NodeRows>;
}

const JSON_TYPE: ValueType = Object.freeze({ kind: "json" });

/** The rows of a node; every node has run when outputs are made. */
export function rowsOf({ nodes }: ViewAnswer, id: string): NodeRows {
  const rows = nodes.get(id);
  if (rows === undefined) throw new Error(`a view has no rows of node ${id}`);
  return rows;
}

/** The type of a field of a node's rows. */
export function nodeFieldType({ catalog, plan }: ViewAnswer, id: string, field: string): ValueType {
  const node = plan.view.nodes.find((each) => each.id === id);
  const capability = catalog.cgs.capabilities.get(node?.capability ?? "");
  const entity = catalog.cgs.entities.get(capability?.entity ?? "");
  return entity?.fields.get(field)?.type ?? JSON_TYPE;
}

/** The outputs of a view by name; one whose field the first row does not know is left out (RUN-100). */
export function viewOutputs(answer: ViewAnswer): ReadonlyMap<string, Json> {
  const made = new Map<string, Json>();
  for (const [name, output] of answer.plan.outputs) {
    const value = outputValue(answer, name, output, made);
    if (value !== undefined) made.set(name, value);
  }
  return made;
}

function outputValue(
  answer: ViewAnswer,
  name: string,
  output: ViewOutput,
  made: ReadonlyMap<string, Json>,
): Json | undefined {
  switch (output.kind) {
    case "scope":
      return answer.scope[output.param] ?? null;
    case "node_row_count":
      return rowsOf(answer, output.node).rows.length;
    case "node_row_count_positive":
      return rowsOf(answer, output.node).rows.length > 0;
    case "node_field":
      return firstField(rowsOf(answer, output.node), output.field);
    case "node_field_histogram_json":
      return histogram(
        rowsOf(answer, output.node),
        output.field,
        nodeFieldType(answer, output.node, output.field),
      );
    case "node_any_row_field_equals": {
      const type = nodeFieldType(answer, output.node, output.field);
      return rowsOf(answer, output.node).rows.some(({ fields }) =>
        testValue(fields.get(output.field), "=", output.equals, type),
      );
    }
    case "computed": {
      const template = answer.plan.template(output.template);
      return fillTemplate(template, outputNames(answer, made), `of output ${name}`);
    }
  }
}

/** JSON text of value → count, values in the order of their text; rows without one count as `null`. */
function histogram({ rows }: NodeRows, field: string, type: ValueType): string {
  const text = (value: Json): string => {
    if (value === null || isScalar(value)) return String(value);
    return type.kind === "entity_ref" ? keyText(value) : canonicalJson(value);
  };
  const counts = new Map<string, number>();
  for (const { fields } of rows) {
    const key = text(fields.get(field) ?? null);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return canonicalJson(Object.fromEntries(counts));
}

/** What templates of outputs see: the scope, then the outputs; what was not given is none (RUN-101). */
function outputNames({ plan, scope }: ViewAnswer, made: ReadonlyMap<string, Json>): JsonObject {
  const outputs = [...plan.view.output.keys()].map(
    (name) => [name, made.get(name) ?? null] as const,
  );
  const given = plan.view.scope.map(({ name }) => [name, scope[name] ?? null] as const);
  return Object.fromEntries<Json>([...outputs, ...given]);
}
