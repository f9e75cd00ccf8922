import {
  type Entity,
  type Json,
  type JsonObject,
  keyParts,
  testValue,
  type ViewRelationOutput,
} from "@plasm/core";
import { convertValue } from "../decode/convert-value.ts";
import type { DiagnosticLog } from "../diagnostic.ts";
import { type EntityRow, type Identity, makeIdentity } from "../decode/entity-row.ts";
import { nodeFieldType, rowsOf, type ViewAnswer, viewOutputs } from "./view-outputs.ts";
import { failure, RunFailure } from "../run-failure.ts";

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
  const row: EntityRow = {
    entryId: catalog.entryId,
    entity: entity.name,
    identity,
    ambient: { ...origin.ambient, ...scope, ...identity?.key },
    fields,
    references: new Map(),
    edges: new Map(),
    loadedBy: new Set(origin.servedBy),
    wire: Object.fromEntries(outputs),
  };
  addReferences(answer, entity, row);
  for (const output of plan.view.relationOutputs) {
    const rows = relationOutput(answer, output);
    row.edges.set(output.relation, rows);
    if (output.cardinality === "many") continue;
    const [only] = rows;
    if (only === undefined) row.references.set(output.relation, null);
    else if (only.identity !== null) {
      row.references.set(output.relation, { identity: only.identity, embedded: only });
    }
  }
  return row;
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

/** A reference taken from a node's first row keeps what came with it there. */
function addReferences(answer: ViewAnswer, entity: Entity, row: EntityRow): void {
  for (const [name, output] of answer.plan.view.output) {
    if (output.kind !== "node_field") continue;
    const type = entity.fields.get(name)?.type;
    const reference = rowsOf(answer, output.node).rows[0]?.references.get(output.field);
    if (type?.kind !== "entity_ref" || reference === undefined || reference === null) continue;
    if (reference.identity.text.startsWith(`${type.target}:`)) row.references.set(name, reference);
  }
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
