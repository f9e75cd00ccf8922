import { setTimeout as sleep } from "node:timers/promises";
import type { RequestHook } from "@plasm/sample-apis";
import { now } from "./now.ts";

/** When the API answered the requests of each operation, in order. */
export type AnswerTimes = Readonly<Record<string, readonly number[]>>;

export interface StepClock {
  readonly onRequest: RequestHook;
  readonly times: () => AnswerTimes;
}

/** `o12s3`: the boat whose twin step 3 of operation 12 reads, which is the next step's. */
export const stepBoat = (operation: number, step: number): string => `o${operation}s${step}`;

const TWIN = /^\/boats\/o(\d+)s(\d+)\/twin$/;

const boat = (id: string) => ({
  id,
  name: `boat ${id}`,
  owner: "ann",
  length: 12,
  state: "moored",
  built: "2001-02-03",
  note: "",
  flags: [],
  meta: null,
  logs: [],
});

/** Answers each step of an operation after `stepMs`, and remembers when: that is when the step ends. */
export function stepClock(stepMs: number): StepClock {
  const times: Record<string, number[]> = {};
  return {
    times: () => times,
    onRequest: async ({ path }) => {
      const [, operation, step] = TWIN.exec(path) ?? [];
      if (operation === undefined) return undefined;
      await sleep(stepMs);
      // Asked for again, it counts as answered when it was first.
      (times[operation] ??= [])[Number(step)] ??= now();
      return Response.json(boat(stepBoat(Number(operation), Number(step) + 1)));
    },
  };
}
