import {
  canonicalJson,
  type Catalog,
  type Entity,
  type Json,
  type JsonObject,
  type ValueType,
} from "@plasm/core";
import {
  keyParts,
  keyText,
  testValue,
  type ViewOutput,
  type ViewRelationOutput,
} from "@plasm/core/internal";
import { convertValue } from "../decode/convert-value.ts";
import type { DiagnosticLog } from "../base/diagnostic.ts";
import {
  type EntityRow,
  type Identity,
  makeIdentity,
  type Reference,
} from "../decode/entity-row.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import { isScalar } from "../base/json-kinds.ts";
import { fillTemplate, firstField, type NodeRows, type ViewPlan } from "./view-plan.ts";

/** Whose row a view makes, and what its call carries on (RUN-044). */
export interface ViewOrigin {
  readonly entity: Entity;
  /** the identity that a get was asked for */
  readonly requested: Identity | null;
  readonly ambient: JsonObject;
  /** the capabilities that this very view serves: none of them need be asked again */
  readonly servedBy: readonly string[];
}

/** The row of a view: outputs, relation outputs, identity from scope and outputs (RUN-100). Throws RunFailure. */
export function viewRow(answer: ViewAnswer, origin: ViewOrigin, log: DiagnosticLog): EntityRow {
  const { catalog, plan, scope } = answer;
  const { entity } = origin;
  const outputs = viewOutputs(answer);
  const fields = typedFields(entity, outputs, log);
  const identity = viewIdentity(answer, origin, fields);
  for (const [part, value] of Object.entries(identity?.key ?? {})) {
    if ((fields.get(part) ?? null) === null) fields.set(part, typed(entity, part, value, log));
  }
  const references = outputReferences(answer, entity);
  const edges = new Map<string, readonly EntityRow[]>();
  for (const output of plan.view.relationOutputs) {
    const rows = relationOutput(answer, output);
    edges.set(output.relation, rows);
    if (output.cardinality === "many") continue;
    const [only] = rows;
    if (only === undefined) references.set(output.relation, null);
    else if (only.identity !== null) {
      references.set(output.relation, { identity: only.identity, embedded: only });
    }
  }
  return {
    entryId: catalog.entryId,
    entity: entity.name,
    identity,
    ambient: { ...origin.ambient, ...scope, ...identity?.key },
    fields,
    references,
    edges,
    loadedBy: new Set(origin.servedBy),
    wire: Object.fromEntries(outputs),
  };
}

function typed(entity: Entity, name: string, value: Json, log: DiagnosticLog): Json {
  const type = entity.fields.get(name)?.type;
  if (type === undefined) return value;
  const converted = convertValue(value, type);
  if (converted.problem !== null) {
    log.add("value_unconverted", `${entity.name}.${name}: ${converted.problem}`);
  }
  return converted.value;
}

/** Outputs in the declared types of their fields (RUN-033): templates give text. */
function typedFields(
  entity: Entity,
  outputs: ReadonlyMap<string, Json>,
  log: DiagnosticLog,
): Map<string, Json> {
  return new Map([...outputs].map(([name, value]) => [name, typed(entity, name, value, log)]));
}

function viewIdentity(
  { scope }: ViewAnswer,
  { entity, requested }: ViewOrigin,
  fields: ReadonlyMap<string, Json>,
): Identity | null {
  if (entity.implicitRequestIdentity && requested !== null) return requested;
  const parts = keyParts(entity).map(
    (part) => [part, fields.get(part) ?? scope[part] ?? requested?.key[part]] as const,
  );
  return makeIdentity(entity, Object.fromEntries(parts));
}

/** References taken from a node's first row: they keep what came with them there. */
function outputReferences(answer: ViewAnswer, entity: Entity): Map<string, Reference | null> {
  const references = new Map<string, Reference | null>();
  for (const [name, output] of answer.plan.view.output) {
    if (output.kind !== "node_field") continue;
    const type = entity.fields.get(name)?.type;
    const reference = rowsOf(answer, output.node).rows[0]?.references.get(output.field);
    if (type?.kind !== "entity_ref" || reference === undefined || reference === null) continue;
    if (reference.identity.text.startsWith(`${type.target}:`)) references.set(name, reference);
  }
  return references;
}

/** The rows of a relation output, in the node's order (RUN-100). Throws RunFailure. */
function relationOutput(answer: ViewAnswer, output: ViewRelationOutput): readonly EntityRow[] {
  const rows = boundRows(answer, output);
  if (output.cardinality === "one" && rows.length > 1) throw notOne(answer, output, rows.length);
  return rows;
}

function boundRows(answer: ViewAnswer, output: ViewRelationOutput): readonly EntityRow[] {
  const { binding } = output;
  const { rows } = rowsOf(answer, binding.node);
  switch (binding.kind) {
    case "node_all_rows":
      return rows;
    case "node_single_row":
      if (rows.length !== 1) throw notOne(answer, output, rows.length);
      return rows;
    case "first_node_row_where":
    case "node_rows_where": {
      const type = nodeFieldType(answer, binding.node, binding.whereField);
      const found = rows.filter(({ fields }) =>
        testValue(fields.get(binding.whereField), "=", binding.equals, type),
      );
      return binding.kind === "node_rows_where" ? found : found.slice(0, 1);
    }
  }
}

function notOne(answer: ViewAnswer, output: ViewRelationOutput, found: number): RunFailure {
  const { key } = answer.plan.view;
  const { relation, binding } = output;
  return new RunFailure(
    failure(
      "singleton_count",
      `Node ${binding.node} of view ${key} gave ${found} rows, where ${relation} takes one.`,
      "ask for something else, or correct the view in the catalog",
    ),
  );
}

/** What a view's nodes gave, with the scope they ran in. */
interface ViewAnswer {
  readonly catalog: Catalog;
  readonly plan: ViewPlan;
  /** what is given of the scope */
  readonly scope: JsonObject;
  readonly nodes: ReadonlyMap<string, NodeRows>;
}

const JSON_TYPE: ValueType = Object.freeze({ kind: "json" });

/** The rows of a node; every node has run when outputs are made. */
function rowsOf({ nodes }: ViewAnswer, id: string): NodeRows {
  const rows = nodes.get(id);
  if (rows === undefined) throw new Error(`a view has no rows of node ${id}`);
  return rows;
}

/** The type of a field of a node's rows. */
function nodeFieldType({ catalog, plan }: ViewAnswer, id: string, field: string): ValueType {
  const node = plan.view.nodes.find((each) => each.id === id);
  const capability = catalog.cgs.capabilities.get(node?.capability ?? "");
  const entity = catalog.cgs.entities.get(capability?.entity ?? "");
  return entity?.fields.get(field)?.type ?? JSON_TYPE;
}

/** The outputs of a view by name; one whose field the first row does not know is left out (RUN-100). */
function viewOutputs(answer: ViewAnswer): ReadonlyMap<string, Json> {
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
