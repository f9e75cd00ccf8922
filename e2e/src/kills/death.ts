import type { Hold } from "./lock.ts";
import type { StopPoint } from "./protocol.ts";
import { EFFECTS, READS } from "./voyage.ts";

/** When a host is killed: where it stands still, while a request is held, or at some instant. */
export type Death =
  | { readonly by: "stop"; readonly point: StopPoint }
  | { readonly by: "hold"; readonly hold: Hold }
  | { readonly by: "clock"; readonly part: number };

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1);

const stop = (at: StopPoint["at"], nth: number): Death => ({ by: "stop", point: { at, nth } });

/**
 * Every boundary of the log: around each of its writes, and of the run itself. What precedes an effect is
 * what follows the one before it.
 */
const STOPS: readonly Death[] = [
  stop("ref to be consumed", 1),
  stop("output kept", 1),
  stop("effect to be written", 1),
  ...upTo(EFFECTS).flatMap((effect) => [
    stop("effect written", effect),
    stop("outcome to be written", effect),
    stop("outcome written", effect),
  ]),
  stop("end to be kept", 1),
  stop("end kept", 1),
];

const hold = (of: Hold["of"], when: Hold["when"], nth: number, lost = false): Death => ({
  by: "hold",
  hold: { of, when, nth, lost },
});

/** Each effect in flight: never performed, performed after the death, performed but not answered. */
const WRITES: readonly Death[] = upTo(EFFECTS).flatMap((nth) => [
  hold("write", "arrived", nth, true),
  hold("write", "arrived", nth),
  hold("write", "answered", nth),
]);

/** Each read in flight, before it and after. */
const STEPS: readonly Death[] = upTo(READS).flatMap((nth) => [
  hold("read", "arrived", nth),
  hold("read", "answered", nth),
]);

/** The boundaries of a run that its caller waits for; those of its reads are the accepted one's. */
export const BOUNDARIES: readonly Death[] = [...STOPS, ...WRITES];

/** The boundaries of a run that was accepted, every step among them. */
export const ACCEPTED_BOUNDARIES: readonly Death[] = [
  stop("accepted", 1),
  stop("claimed", 1),
  ...BOUNDARIES,
  ...STEPS,
];

/** What a death is called in a message. */
export function deathText(death: Death): string {
  switch (death.by) {
    case "stop":
      return `${death.point.at} ${death.point.nth}`;
    case "hold": {
      const { of, when, nth, lost } = death.hold;
      return `${of} ${nth} ${when}${lost ? ", lost" : ""}`;
    }
    case "clock":
      return `${death.part} of a run`;
  }
}

/** What must be told after a death. */
export interface Standing {
  readonly done: number;
  readonly doubtful: number;
}

const doubtAfter = (done: number): Standing => ({ done, doubtful: 1 });

/** Whoever goes on with what left nothing in doubt comes to its end (OPS-32). */
const WHOLE: Standing = { done: EFFECTS, doubtful: 0 };

function stoppedAt({ at, nth }: StopPoint): Standing {
  return at === "effect written" || at === "outcome to be written" ? doubtAfter(nth - 1) : WHOLE;
}

/** How a run must end whose host died there; null where chance says whether an effect was in flight. */
function standing(death: Death): Standing | null {
  switch (death.by) {
    case "clock":
      return null;
    case "hold":
      return death.hold.of === "read" ? null : doubtAfter(death.hold.nth - 1);
    case "stop":
      return stoppedAt(death.point);
  }
}

/** Whether an account of a run may stand after a death. */
export function mayStand(death: Death, { done, doubtful }: Standing): boolean {
  const due = standing(death) ?? (doubtful === 0 ? WHOLE : doubtAfter(done));
  return due.done === done && due.doubtful === doubtful;
}

/** Whether a death leaves a run that counts as alive until its lease has passed. */
export const leavesRun = (death: Death): boolean =>
  death.by === "hold" ||
  (death.by === "stop" && !["ref to be consumed", "accepted", "end kept"].includes(death.point.at));
