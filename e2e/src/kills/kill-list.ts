import { partsFrom } from "../drawer.ts";
import { ACCEPTED_BOUNDARIES, BOUNDARIES, type Death } from "./death.ts";
import type { Strike } from "./kill-world.ts";

const part = (next: () => number): number => Math.floor(next() * 1_000) / 1_000;

const instant = (next: () => number): Death => ({ by: "clock", part: part(next) });

const MODES = ["waited", "accepted"] as const;

/** Random instants on the embedded store, and of those the ones where the next host dies, too. */
const INSTANTS = 96;
const TWICE = 24;

/**
 * What is done on the embedded store: every boundary in both modes, every step of an accepted run, instants
 * at random. One host in five is taken over from by one that was there, else by one that starts.
 */
export function embeddedStrikes(seed: number): readonly Strike[] {
  const next = partsFrom(seed);
  const deaths = [
    ...BOUNDARIES.map((death) => ({ death, mode: MODES[0], again: null })),
    ...ACCEPTED_BOUNDARIES.map((death) => ({ death, mode: MODES[1], again: null })),
    ...Array.from({ length: INSTANTS }, (_, n) => ({
      death: instant(next),
      mode: n < TWICE ? MODES[1] : (MODES[n % 2] ?? MODES[0]),
      again: n < TWICE ? part(next) : null,
    })),
  ];
  return deaths.map((one, n): Strike => {
    const recovery = one.again === null && n % 5 === 1 ? "take over" : "restart";
    return { ...one, recovery };
  });
}

/** Steps of which every seventh is met on replicas. */
const EVERY_STEP = 7;
const REPLICA_INSTANTS = 14;

/** What is done where two replicas share a PostgreSQL: the other one goes on, at every boundary of the log. */
export function replicaStrikes(seed: number): readonly Strike[] {
  const next = partsFrom(seed);
  const steps = ACCEPTED_BOUNDARIES.slice(BOUNDARIES.length).filter((_, n) => n % EVERY_STEP === 0);
  const strike = (death: Death, mode: Strike["mode"]): Strike => ({
    death,
    mode,
    recovery: "take over",
    again: null,
  });
  return [
    ...BOUNDARIES.map((death, n) => strike(death, n % 3 === 2 ? "accepted" : "waited")),
    ...steps.map((death) => strike(death, "accepted")),
    ...Array.from({ length: REPLICA_INSTANTS }, (_, n) =>
      strike(instant(next), MODES[n % 2] ?? MODES[0]),
    ),
  ];
}
