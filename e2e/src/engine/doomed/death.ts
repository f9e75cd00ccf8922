import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Harbour, Hold } from "../../harness/harbour.ts";
import type { HostProcess } from "./host-process.ts";
import type { StopPoint } from "./protocol.ts";

/** When a host is killed: where it stands still, while a request is held, or at some instant. */
export type Death =
  | { readonly by: "stop"; readonly point: StopPoint }
  | { readonly by: "hold"; readonly hold: Hold }
  | { readonly by: "clock"; readonly part: number };

const EFFECTS = [1, 2, 3, 4, 5] as const;

/**
 * Every boundary of five effects: around each write of the log, and of the run itself. What precedes an
 * effect is what follows the one before it.
 */
const STOPS: readonly Death[] = [
  { by: "stop", point: { at: "ref to be consumed" } },
  { by: "stop", point: { at: "effect to be written", effect: 1 } },
  ...EFFECTS.flatMap((effect) =>
    (["effect written", "outcome to be written", "outcome written"] as const).map((at): Death => ({
      by: "stop",
      point: { at, effect },
    })),
  ),
  { by: "stop", point: { at: "end to be kept" } },
  { by: "stop", point: { at: "end kept" } },
];

/** Each request in flight: never performed, performed after the death, performed but not answered. */
const HOLDS: readonly Death[] = EFFECTS.flatMap((write): readonly Death[] => [
  { by: "hold", hold: { when: "arrived", write, lost: true } },
  { by: "hold", hold: { when: "arrived", write, lost: false } },
  { by: "hold", hold: { when: "answered", write, lost: false } },
]);

/** Instants at random, as parts of how long a run takes. */
const instants = (count: number): readonly Death[] =>
  Array.from({ length: count }, () => ({ by: "clock", part: randomInt(1_000) / 1_000 }));

export const deaths = (atRandom: number): readonly Death[] => [
  ...STOPS,
  ...HOLDS,
  ...instants(atRandom),
];

/** What a death is called in a test's name or message. */
export function deathText(death: Death): string {
  switch (death.by) {
    case "stop":
      return "effect" in death.point ? `${death.point.at} (${death.point.effect})` : death.point.at;
    case "hold": {
      const { when, write, lost } = death.hold;
      return `request ${write} ${when}${lost ? ", lost" : ""}`;
    }
    case "clock":
      return `${death.part} of a run`;
  }
}

/** Starts a run and kills its host at the appointed time; `runMs` is how long a run takes. */
export async function dieIn(
  death: Death,
  host: HostProcess,
  harbour: Harbour,
  start: () => unknown,
  runMs: number,
): Promise<void> {
  switch (death.by) {
    case "stop":
      await host.stopAt(death.point);
      start();
      await host.stopped;
      return host.kill();
    case "hold":
      harbour.hold(death.hold);
      start();
      await harbour.held;
      await host.kill();
      return harbour.release();
    case "clock":
      start();
      await sleep(death.part * runMs);
      return host.kill();
  }
}

/** How many effects had certainly ended at a death, and whether one was under way; null if by chance. */
export function standing(death: Death): { readonly done: number; readonly doubt: boolean } | null {
  switch (death.by) {
    case "clock":
      return null;
    case "hold":
      return { done: death.hold.write - 1, doubt: true };
    case "stop":
      return stoppedAt(death.point);
  }
}

function stoppedAt(point: StopPoint): { readonly done: number; readonly doubt: boolean } {
  switch (point.at) {
    case "ref to be consumed":
      return { done: 0, doubt: false };
    case "effect to be written":
      return { done: point.effect - 1, doubt: false };
    case "effect written":
    case "outcome to be written":
      return { done: point.effect - 1, doubt: true };
    case "outcome written":
      return { done: point.effect, doubt: false };
    case "end to be kept":
    case "end kept":
      return { done: EFFECTS.length, doubt: false };
  }
}

/** Whether a death leaves a run that counts as alive until its lease has passed. */
export const leavesRun = (death: Death): boolean =>
  death.by === "hold" ||
  (death.by === "stop" && !["ref to be consumed", "end kept"].includes(death.point.at));
