import type { Plan } from "@plasm/core";
import type { ProgressEvent } from "@plasm/runtime";
import type { Step } from "../records/operation-record.ts";

/** A node as lines name it: its binding's label, else its entity (OPS-18). */
export function labelOfNode(plan: Plan, id: string): string | null {
  const label = plan.summary.nodes[id]?.label ?? null;
  if (label !== null) return label;
  const node = plan.nodes.find((one) => one.id === id);
  if (node === undefined) return null;
  if (node.result.entity !== null) return node.result.entity;
  if (node.kind === "for_each") return node.body.catalog.entity;
  return "catalog" in node ? node.catalog.entity : null;
}

/** Follows a run through its plan: how many nodes are finished, which one runs, how many rows it has. */
export class StepWatch {
  readonly #plan: Plan;
  readonly #finished = new Set<string>();
  readonly #started = new Set<string>();
  readonly #rows = new Map<string, number>();
  #current: string | null = null;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** Takes in an event of the run and gives where that stands now. */
  note(event: ProgressEvent): Step {
    const { node } = event;
    switch (event.kind) {
      case "node_started":
        this.#start(node);
        break;
      case "rows_read":
        this.#rows.set(node, event.rows);
        break;
      case "node_read":
      case "node_ended":
        this.#rows.set(node, event.rows);
        this.#finish(node);
        break;
      case "request_sent":
        break;
    }
    return this.#step();
  }

  /** A node asks its inputs for rows: they are under way, the first of them more than itself. */
  #start(node: string): void {
    if (this.#started.has(node) || this.#finished.has(node)) return;
    this.#started.add(node);
    for (const { from, to } of this.#plan.edges) {
      if (to === node) this.#start(from);
    }
  }

  /** A node that has given all that is needed of it needs no more of its inputs. */
  #finish(node: string): void {
    if (this.#finished.has(node)) return;
    this.#finished.add(node);
    for (const { from, to } of this.#plan.edges) {
      if (to === node) this.#finish(from);
    }
  }

  #step(): Step {
    const order = this.#plan.topological_order;
    const running = order.find((id) => this.#started.has(id) && !this.#finished.has(id));
    this.#current = running ?? this.#current ?? order[0] ?? null;
    const current = this.#current;
    return {
      k: Math.min(order.length, this.#finished.size + 1),
      of: order.length,
      label: current === null ? null : labelOfNode(this.#plan, current),
      rows: current === null ? 0 : (this.#rows.get(current) ?? 0),
    };
  }
}
