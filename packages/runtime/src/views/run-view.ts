import type { Json, JsonObject } from "@plasm/core";
import type { ViewNode } from "@plasm/core/internal";
import { RunStop } from "../limits/limits.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import {
  fillTemplate,
  firstField,
  type NodeRows,
  type PlannedNode,
  templateRow,
  type ViewPlan,
} from "./view-plan.ts";

/**
 * A bound value: what it is, and the node and field it was taken from where its type and its absence
 * matter.
 */
export interface BoundValue {
  readonly value: Json;
  readonly from:
    | { readonly node: string; readonly field: string }
    | { readonly scope: string }
    | null;
}

/** Runs one node's capability with its bound values. Throws RunFailure, RunStop. */
export type ReadNode = (
  node: ViewNode,
  bound: ReadonlyMap<string, BoundValue>,
) => Promise<NodeRows>;

/** A node that could not start since one that it needs did not end well. */
class NeedFailed extends Error {
  override readonly name = "NeedFailed";
}

/**
 * Runs the nodes of a view: each once those it needs have ended, the others meanwhile (RUN-100). `scope`
 * holds what is given. All end before a failure is told, so that it does not depend on which came first.
 * Throws RunFailure, its node named, or RunStop.
 */
export async function runNodes(
  plan: ViewPlan,
  scope: JsonObject,
  read: ReadNode,
): Promise<ReadonlyMap<string, NodeRows>> {
  const started = new Map<string, Promise<NodeRows>>();
  const start = (planned: PlannedNode): Promise<NodeRows> => {
    const { id } = planned.node;
    const known = started.get(id);
    if (known !== undefined) return known;
    const needed = plan.nodes.filter(({ node }) => planned.needs.includes(node.id));
    const inputs = needed.map((each) => [each.node.id, start(each)] as const);
    const rows = runNode(plan, planned.node, scope, inputs, read);
    started.set(id, rows);
    return rows;
  };
  const ended = await Promise.allSettled(plan.nodes.map(start));
  const reasons = ended.flatMap((each): unknown[] =>
    each.status === "rejected" && !(each.reason instanceof NeedFailed) ? [each.reason] : [],
  );
  if (reasons.length > 0) throw reasons[0];
  const rows = plan.nodes.map(async (each) => [each.node.id, await start(each)] as const);
  return new Map(await Promise.all(rows));
}

async function runNode(
  plan: ViewPlan,
  node: ViewNode,
  scope: JsonObject,
  inputs: readonly (readonly [string, Promise<NodeRows>])[],
  read: ReadNode,
): Promise<NodeRows> {
  const needed = await neededRows(inputs);
  try {
    return await read(node, bindValues(plan, node, scope, needed));
  } catch (error) {
    throw error instanceof RunFailure ? named(error, plan, node) : error;
  }
}

async function neededRows(
  inputs: readonly (readonly [string, Promise<NodeRows>])[],
): Promise<ReadonlyMap<string, NodeRows>> {
  try {
    return new Map(await Promise.all(inputs.map(async ([id, rows]) => [id, await rows] as const)));
  } catch (error) {
    if (error instanceof RunFailure || error instanceof RunStop || error instanceof NeedFailed) {
      throw new NeedFailed();
    }
    throw error;
  }
}

/** A failing node fails its view, named (RUN-100). */
function named(error: RunFailure, { view }: ViewPlan, node: ViewNode): RunFailure {
  const { failure: what, row } = error;
  const message = `Node ${node.id} of view ${view.key}: ${what.message}`;
  return new RunFailure({ ...what, message }, row);
}

/** What a node is called with; a scope parameter that was not given is left out. */
function bindValues(
  plan: ViewPlan,
  node: ViewNode,
  scope: JsonObject,
  needed: ReadonlyMap<string, NodeRows>,
): ReadonlyMap<string, BoundValue> {
  const bound = new Map<string, BoundValue>();
  for (const [name, bind] of node.bind) {
    switch (bind.kind) {
      case "scope": {
        const value = Object.hasOwn(scope, bind.param) ? scope[bind.param] : undefined;
        if (value !== undefined && value !== null) {
          bound.set(name, { value, from: { scope: bind.param } });
        }
        break;
      }
      case "literal":
        bound.set(name, { value: bind.value, from: null });
        break;
      case "node_field": {
        const from = { node: bind.node, field: bind.field };
        bound.set(name, { value: fieldOf(needed, bind.node, bind.field), from });
        break;
      }
      case "computed": {
        const names = bindNames(plan, scope, needed);
        const value = fillTemplate(plan.template(bind.template), names, `of bind ${name}`);
        bound.set(name, { value, from: null });
      }
    }
  }
  return bound;
}

function fieldOf(needed: ReadonlyMap<string, NodeRows>, node: string, field: string): Json {
  const rows = needed.get(node);
  if (rows === undefined) throw new Error(`a node reads ${node}, which did not run before it`);
  const value = firstField(rows, field);
  if (value !== undefined) return value;
  throw new RunFailure(
    failure(
      "null_value",
      `The first row of node ${node} does not say its ${field}.`,
      "bind to a field that the node's capability fills",
    ),
  );
}

/** What templates of binds see: scope, earlier nodes' first rows, `nodes` (RUN-101). */
function bindNames(
  { view }: ViewPlan,
  scope: JsonObject,
  needed: ReadonlyMap<string, NodeRows>,
): JsonObject {
  const rows = [...needed].map(([id, each]) => [id, each.rows.map(templateRow)] as const);
  const first = rows.map(([id, all]) => [id, all[0] ?? null] as const);
  const given = view.scope.map(({ name }) => [name, scope[name] ?? null] as const);
  return Object.fromEntries<Json>([["nodes", Object.fromEntries(rows)], ...first, ...given]);
}
