import type { StatusMeta, StatusSignal } from "../../answer/meta.ts";
import { visible } from "@plasm/core/internal";
import type {
  OperationRecord,
  OperationEnding,
  PollRecord,
  OperationStep,
} from "../../records/operations.ts";

/** What one line tells of an operation. */
export interface OperationStatus {
  readonly signal: StatusSignal;
  /** number of the event that it tells of */
  readonly event: number;
  readonly record: Pick<OperationRecord, "ref" | "verdict" | "outcome">;
  readonly step: OperationStep;
  /** of `=`: step or rows moved since the last poll (OPS-19) */
  readonly moved: boolean;
}

const FINAL = { succeeded: "!", cancelled: "x", failed: "?" } as const;

const movedSince = (step: OperationStep, poll: PollRecord): boolean =>
  step.k !== poll.step.k || step.rows !== poll.step.rows;

/**
 * What is to be told of an operation whose live step is `step`. With `poll`, what was told last: news
 * is only what came after it (OPS-18, OPS-19).
 */
export function statusOf(
  record: OperationRecord,
  step: OperationStep,
  poll: PollRecord | null,
): OperationStatus {
  const { state, event } = record;
  if (state !== "accepted" && state !== "running") {
    return { signal: FINAL[state], event, record, step, moved: false };
  }
  if (state === "accepted" || step.k === 0) {
    return { signal: "+", event, record, step, moved: false };
  }
  const news = poll === null || event > poll.event;
  const moved = !news && movedSince(step, poll);
  return { signal: news ? "~" : "=", event, record, step, moved };
}

const stepText = ({ k, of }: OperationStep): string => `step ${k}/${of}`;

const rowsText = (rows: number): string => `${rows} rows`;

const labelOf = (label: string | null): readonly string[] =>
  label === null ? [] : [visible(label)];

/** A step in words, for those who wait for a run that has no handle (OPS-25). */
export const stepLine = (step: OperationStep): string =>
  [stepText(step), ...labelOf(step.label), rowsText(step.rows)].join(" · ");

const effectsText = ({ effectsDone, inDoubt }: OperationEnding): readonly string[] => [
  ...(effectsDone === 0 ? [] : [`${effectsDone} effects done`]),
  ...(inDoubt === 0 ? [] : [`${inDoubt} in doubt`]),
];

const NOTHING: OperationEnding = { rows: 0, code: null, label: null, effectsDone: 0, inDoubt: 0 };

function bodyOf({ signal, record, step, moved }: OperationStatus): readonly string[] {
  const outcome = record.outcome ?? NOTHING;
  switch (signal) {
    case "+":
      return [`${record.ref} ${record.verdict}`];
    case "~":
      return [stepLine(step)];
    case "=":
      return moved ? [stepText(step), rowsText(step.rows)] : [];
    case "!":
      return [rowsText(outcome.rows)];
    case "x":
      return [stepText(step), `${rowsText(outcome.rows)} kept`, ...effectsText(outcome)];
    case "?": {
      const code = outcome.code === null ? [] : [outcome.code];
      return [stepText(step), ...labelOf(outcome.label), ...code, ...effectsText(outcome)];
    }
  }
}

/** The line of an event: handle, signal, body; no instructions in it (OPS-18). */
export const lineOf = (handle: string, told: OperationStatus): string =>
  [`${handle} ${told.signal}`, bodyOf(told).join(" · ")].filter((text) => text !== "").join(" ");

/** `_meta.plasm.op` (OPS-21): members that are not known are left out. */
export function statusMeta({ signal, event, record, step, moved }: OperationStatus): StatusMeta {
  const head = { n: event, "~": signal } as const;
  const s = `${step.k}/${step.of}`;
  const { outcome } = record;
  switch (signal) {
    case "+":
      return head;
    case "~":
      return { ...head, s, ...(step.label === null ? {} : { l: step.label }), r: step.rows };
    case "=":
      return moved ? { ...head, s, r: step.rows } : head;
    case "!":
      return { ...head, r: outcome?.rows ?? 0 };
    case "x":
      return { ...head, s, r: outcome?.rows ?? 0 };
    case "?": {
      const label = outcome?.label ?? null;
      return { ...head, s, ...(label === null ? {} : { l: label }) };
    }
  }
}
