import type { Capability, Json, JsonObject } from "@plasm/core";
import type { Clock } from "../ports.ts";
import { type FailureDetail, failure, type RunError } from "../base/run-failure.ts";
import { clip, jsonText } from "../base/json-kinds.ts";

/** How far an effect came (OPS-28). */
export type EffectStatus = "started" | "done" | "failed" | "in_doubt" | "skipped";

/**
 * One effect of a run (PLAN-073). `row` is the item index of a for_each, else null; `args` are
 * redacted; times are milliseconds since the epoch. An entry without outcome is in doubt; a
 * `skipped` one was never sent, so that its times are null.
 */
export interface EffectEntry {
  /** place among the run's effects, from 1 */
  readonly seq: number;
  readonly node: string;
  readonly row: number | null;
  readonly entryId: string;
  readonly entity: string;
  readonly capability: string;
  /** label of the capability, as programs write it */
  readonly label: string;
  /** identity text (RUN-046), or null for a create */
  readonly target: string | null;
  readonly args: JsonObject;
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
  readonly status: EffectStatus;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly httpStatus: number | null;
  /** rows the effect answered with, as `{ref, values}`; null unless it is done */
  readonly result: Json;
  readonly error: RunError | null;
  /** what takes it back, by label, once it is done; absent where nothing does (UNDO-02) */
  readonly undo?: string;
  /** the effect that it takes back, by the plan's ref and its number (UNDO-05) */
  readonly undoes?: { readonly ref: string; readonly seq: number };
}

/**
 * What is kept of an effect so that it can be taken back (UNDO-03, UNDO-04). `left` has a digest of each field as the effect
 * left it, null until it is done and where it leaves no row; `loose` are fields that the API changed unasked.
 */
export interface KeptForUndo {
  readonly key: JsonObject | null;
  readonly before: JsonObject | null;
  /** names of its arguments */
  readonly sent: readonly string[];
  readonly left: Readonly<Record<string, string>> | null;
  readonly loose: readonly string[];
}

/** An effect that a run means to perform, known by name alone: nothing of it is filled or sent. */
export type ExpectedEffect = Pick<
  EffectEntry,
  "node" | "row" | "entryId" | "entity" | "capability" | "label" | "target"
>;

/** An effect of an earlier attempt with what only its log has. */
type EarlierEffect = EffectEntry & {
  readonly rows?: JsonObject | null;
  readonly kept?: KeptForUndo | null;
};

/** How far an earlier attempt at a plan came, as its log has it (OPS-32). */
export interface EarlierAttempt {
  /** its effects, all of which came to an end, in order; rows of those that are done */
  readonly effects: readonly EarlierEffect[];
  readonly outputs: ReadonlyMap<string, JsonObject>;
}

/**
 * Where a run writes its effects down (OPS-28). `started` must be durable before the request
 * leaves, `ended` before the next effect starts; where one rejects, no further effect starts. Where `started` rejects
 * with a RunStop, the run is stopped and has not failed: it is another's to go on with.
 * What was never started is not written.
 */
export interface EffectLog {
  started(entry: EffectEntry, kept?: KeptForUndo | null): Promise<void>;
  /** `rows` are those of an effect that is done, as only this package reads them. */
  ended(entry: EffectEntry, rows: JsonObject | null, kept?: KeptForUndo | null): Promise<void>;
  /**
   * Rows of nodes that have finished, by node, ahead of an effect: what another attempt takes instead of
   * reading them again (OPS-28, OPS-32). Where it rejects, the effect does not start.
   */
  outputs?(rows: ReadonlyMap<string, JsonObject>): Promise<void>;
  /**
   * The items of a for_each, before the first of them starts: what a host can name as not started
   * after the process that ran them died (PLAN-072). Where it rejects, none starts.
   */
  expected?(effects: readonly ExpectedEffect[]): Promise<void>;
}

/** What is known of an effect before it is sent. */
export type EffectFacts = ExpectedEffect &
  Pick<EffectEntry, "args" | "fingerprint" | "idempotencyKey" | "undo" | "undoes">;

/** What is known of an effect afterwards. */
export type EffectEnd = Pick<EffectEntry, "httpStatus" | "result" | "error"> & {
  readonly status: Exclude<EffectStatus, "started" | "skipped">;
};

/** An entry of an earlier attempt as answers have it: its rows are for the run alone. */
function entryOf(kept: EarlierAttempt["effects"][number]): EffectEntry {
  const { rows: _rows, kept: _kept, ...entry } = kept;
  return Object.freeze(entry);
}

/** The effects of one run, in order, as its answer and its log have them (PLAN-072, PLAN-073). */
export class EffectRecorder {
  readonly #log: EffectLog | null;
  readonly #clock: Clock;
  readonly #entries: EffectEntry[];
  readonly #earlier: EarlierAttempt["effects"];
  /** Gives the rows of nodes that have finished since it was asked last. */
  finished: () => ReadonlyMap<string, JsonObject> = () => new Map();

  constructor(log: EffectLog | null, clock: Clock, earlier: EarlierAttempt["effects"] = []) {
    this.#log = log;
    this.#clock = clock;
    this.#earlier = earlier;
    this.#entries = earlier.map(entryOf);
  }

  get entries(): readonly EffectEntry[] {
    return this.#entries;
  }

  /** How an effect ended in an earlier attempt, or null if that did not come to it (OPS-32). */
  earlier(node: string, row: number | null): EarlierAttempt["effects"][number] | null {
    return this.#earlier.find((entry) => entry.node === node && entry.row === row) ?? null;
  }

  /** Writes down which items a for_each has, before its first effect; rejects where the log does. */
  async expect(all: readonly EffectFacts[]): Promise<void> {
    await this.#log?.expected?.(
      all.map(({ node, row, entryId, entity, capability, label, target }) => ({
        node,
        row,
        entryId,
        entity,
        capability,
        label,
        target,
      })),
    );
  }

  /** Writes down that an effect is about to be sent; rejects where the log does (OPS-28). */
  async start(facts: EffectFacts, kept: KeptForUndo | null = null): Promise<EffectEntry> {
    const entry = this.#entry(facts, "started", this.#clock.now(), null);
    if (this.#log === null) throw new Error("an effect runs without a log");
    const outputs = this.finished();
    if (outputs.size > 0) await this.#log.outputs?.(outputs);
    await this.#log.started(entry, kept);
    this.#entries.push(entry);
    return entry;
  }

  /** Writes down how it ended. The answer has it even where the log rejects. */
  async end(
    started: EffectEntry,
    how: EffectEnd,
    rows: JsonObject | null = null,
    kept: KeptForUndo | null = null,
  ): Promise<void> {
    const entry: EffectEntry = Object.freeze({ ...started, ...how, endedAt: this.#clock.now() });
    this.#entries[this.#entries.indexOf(started)] = entry;
    await this.#log?.ended(entry, rows, kept);
  }

  /** Notes an effect that was certainly not sent; `error` is what kept it from being sent, if it did. */
  skip(facts: EffectFacts, error: RunError | null): void {
    this.#entries.push(this.#entry(facts, "skipped", null, error));
  }

  #entry(
    facts: EffectFacts,
    status: EffectStatus,
    startedAt: number | null,
    error: RunError | null,
  ): EffectEntry {
    const outcome = { status, startedAt, endedAt: null, httpStatus: null, result: null, error };
    return Object.freeze({ seq: this.#entries.length + 1, ...facts, ...outcome });
  }
}

/** The effect an error speaks of. */
export interface EffectName {
  readonly kind: Capability["kind"];
  readonly label: string;
  readonly entity: string;
  /** identity text, or null */
  readonly target: string | null;
  readonly args: JsonObject;
}

/** An effect as messages name it: `update Boat:b1`, `create Boat`. */
export const effectText = ({ label, entity, target }: EffectName): string =>
  `${label} ${target ?? entity}`;

const SHOWN = 4;

function written(args: JsonObject): string {
  const shown = Object.entries(args).slice(0, SHOWN);
  return shown.map(([name, value]) => `${name}=${clip(jsonText(value), 40)}`).join(", ");
}

/** What to look at to find out whether an effect happened (PLAN-073). */
export function whatToLookAt(effect: EffectName): string {
  const { kind, label, entity, target, args } = effect;
  const names = Object.keys(args).slice(0, SHOWN).join(", ");
  switch (kind) {
    case "create": {
      const with_ = names === "" ? "" : ` with ${written(args)}`;
      return `look whether there is a new ${entity}${with_}`;
    }
    case "delete":
      return `read ${target ?? entity}: if it is gone, it was deleted`;
    case "update":
      return `read ${target ?? entity}${names === "" ? "" : ` and compare ${names}`}`;
    default:
      return `look at ${target ?? entity} for what ${label} does`;
  }
}

/** The failure of an effect of which nobody can tell whether it happened (RUN-150, PLAN-073). */
export function inDoubt(effect: EffectName, why: FailureDetail): FailureDetail {
  return failure(
    "effect_in_doubt",
    `Whether ${effectText(effect)} happened is unknown. ${why.message}`,
    `${whatToLookAt(effect)}; only then repeat what is missing, never the whole program`,
    { request: why.request },
  );
}
