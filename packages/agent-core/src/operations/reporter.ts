import type { Plan } from "@plasm/core";
import type { ProgressEvent } from "@plasm/runtime";
import type { OwnedRun } from "../live-run/stored-effect-log.ts";
import type { Stored } from "../ports.ts";
import type { OperationRecord, Step } from "../records/operation-record.ts";
import { changeOperation, hasEnded } from "./change-operation.ts";
import type { OperationDeps } from "./operation-deps.ts";
import { observe, type Progress, progressFrom } from "./progress.ts";
import { StepWatch } from "./step-watch.ts";

/**
 * Tells how far one attempt at an operation is: each event is stored, then announced (OPS-20). What
 * happens while one is being stored is told by the next.
 */
export class Reporter {
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
    this.#watch = new StepWatch(plan);
    this.#progress = progressFrom(record.event, record.step, deps.store.now());
    this.#stored = record.event;
    this.#told = record.n !== null;
  }

  get step(): Step {
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
