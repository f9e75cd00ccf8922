import type { Plan } from "@plasm/core";
import type { ProgressEvent } from "@plasm/runtime";
import type { OwnedRun } from "../effects/effect-log.ts";
import type { Stored } from "../../store-port.ts";
import type { OperationRecord, OperationStep } from "../../records/operations.ts";
import { changeOperation, hasEnded } from "./find-operation.ts";
import type { OperationDeps } from "../deps.ts";

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
  #requests: number;
  /** what earlier attempts had sent */
  readonly #before: number;

  constructor(plan: Plan, requests = 0) {
    this.#plan = plan;
    this.#before = requests;
    this.#requests = requests;
  }

  /** Takes in an event of the run and gives where that stands now. */
  note(event: ProgressEvent): OperationStep {
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
        this.#requests = this.#before + event.requests;
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

  #step(): OperationStep {
    const order = this.#plan.topological_order;
    const running = order.find((id) => this.#started.has(id) && !this.#finished.has(id));
    this.#current = running ?? this.#current ?? order[0] ?? null;
    const current = this.#current;
    return {
      k: Math.min(order.length, this.#finished.size + 1),
      of: order.length,
      label: current === null ? null : labelOfNode(this.#plan, current),
      rows: current === null ? 0 : (this.#rows.get(current) ?? 0),
      requests: this.#requests,
    };
  }
}

/** OPS-20: rows alone are an event only if the last one is this long ago, in ms. */
export const ROWS_EVERY_MS = 2_000;

/** What was told of a running operation, and what is true of it now. */
interface Progress {
  /** number of the last event, from 1 */
  readonly event: number;
  readonly told: OperationStep;
  /** when that event was, in ms */
  readonly toldAt: number;
  readonly now: OperationStep;
}

/** An operation of which the event `event` has been told, with a step that does not go back (OPS-32). */
export const progressFrom = (event: number, step: OperationStep, at: number): Progress => ({
  event,
  told: step,
  toldAt: at,
  now: step,
});

const moved = (from: OperationStep, to: OperationStep): boolean =>
  to.rows !== from.rows || to.label !== from.label;

/**
 * Takes in what is seen of a run. A new step is an event at once, rows only if 2 s have passed since
 * the last one, so that there are at most 2 + steps + Σ(step seconds / 2) of them (OPS-20). Pure.
 */
export function observe(
  progress: Progress,
  seen: OperationStep,
  at: number,
): { readonly progress: Progress; readonly emitted: boolean } {
  const k = Math.max(progress.now.k, seen.k);
  const now = { ...seen, k };
  const late = at - progress.toldAt >= ROWS_EVERY_MS;
  const emitted = k > progress.told.k || (late && moved(progress.told, now));
  if (!emitted) return { progress: { ...progress, now }, emitted };
  return { progress: { event: progress.event + 1, told: now, toldAt: at, now }, emitted };
}

/**
 * Tells how far one attempt at an operation is: each event is stored, then announced (OPS-20). What
 * happens while one is being stored is told by the next.
 */
export class ProgressReporter {
  readonly #deps: OperationDeps;
  readonly #run: OwnedRun;
  readonly #watch: StepWatch;
  #progress: Progress;
  #stored: number;
  #told: boolean;
  #writing: Promise<void> | null = null;
  /** the record as this process left it */
  #known: Stored<OperationRecord> | null = null;
  #announcing = false;

  constructor(deps: OperationDeps, run: OwnedRun, plan: Plan, record: OperationRecord) {
    this.#deps = deps;
    this.#run = run;
    this.#watch = new StepWatch(plan, record.step.requests);
    this.#progress = progressFrom(record.event, record.step, deps.store.now());
    this.#stored = record.event;
    this.#told = record.n !== null;
  }

  get step(): OperationStep {
    return this.#progress.now;
  }

  /** Whether news of the operation that are heard right now are its own, so that nothing else has changed. */
  get announcing(): boolean {
    return this.#announcing;
  }

  /** Takes in an event of the run. */
  note(event: ProgressEvent): void {
    const seen = this.#watch.note(event);
    const { progress } = observe(this.#progress, seen, this.#deps.store.now());
    this.#progress = progress;
    this.#write();
  }

  /** Somebody was told its handle, so that its events are of use from now on (OPS-39). */
  publish(): void {
    this.#told = true;
    this.#write();
  }

  /** Resolves when what was to be stored is. */
  async settle(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
  }

  #write(): void {
    if (!this.#told || this.#writing !== null || this.#progress.event === this.#stored) return;
    const { warn } = this.#deps;
    this.#writing = this.#store()
      .catch((cause: unknown) => warn("The progress of an operation could not be stored", cause))
      .finally(() => {
        this.#writing = null;
        this.#write();
      });
  }

  async #store(): Promise<void> {
    const { event, told } = this.#progress;
    this.#stored = event;
    const { store, queue, news } = this.#deps;
    const held = (record: OperationRecord): boolean =>
      record.owner === this.#run.owner && !hasEnded(record.state);
    const changed = await changeOperation(
      store,
      this.#run,
      (record) => (held(record) ? { ...record, event, step: told } : null),
      this.#known,
    );
    this.#known = changed;
    if (changed === null || !held(changed.value)) return;
    this.#announcing = true;
    queue.announce(this.#run);
    this.#announcing = false;
    await news.tell(this.#run, changed.value);
  }
}
