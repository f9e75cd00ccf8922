import { afterAll, beforeAll, beforeEach } from "vitest";
import { OWN_CALLERS, openTalk, type CallerName } from "../harness/callers.ts";
import { seedsOf } from "../harness/open-session.ts";
import type { Talk } from "../harness/talk.ts";
import { useWorld } from "../harness/use-world.ts";

/** Sends a message that nothing else sends. */
export const send = (note: string): string => `Boat("b1").send(to="harbour", note="${note}")`;

/** What its API is asked. */
export const message = (note: string): object => ({ to: "harbour", note });

/** One session on quay's boats for the tests of a file, and a talk on it of each caller. */
export function useSharedSession(intent: string) {
  const world = useWorld();
  const talks = new Map<CallerName, Talk>();
  beforeAll(async () => {
    const opening = { intent, seeds: seedsOf("quay", "Boat") };
    for (const caller of OWN_CALLERS) talks.set(caller, await openTalk(caller, world(), opening));
  });
  afterAll(async () => {
    for (const talk of talks.values()) await talk.close();
  });
  beforeEach(() => world().apis.forgetRequests());
  return {
    world,
    talkOf: (caller: CallerName): Talk => {
      const talk = talks.get(caller);
      if (talk === undefined) throw new Error(`${caller} has no talk`);
      return talk;
    },
    /** bodies of what was asked in this test */
    sent: (): readonly unknown[] => world().apis.requests.map(({ body }) => body),
  };
}
