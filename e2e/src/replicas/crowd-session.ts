import type { Seed } from "../harness/agent-client.ts";
import { seedsOf } from "../harness/open-session.ts";
import type { Speaker } from "./speaker.ts";

/** In every call of contexts, so that whoever opens the session, programs find it. */
const PERSON = seedsOf("quay", "Person");

/** What is asked for by the way; `null`: nothing new. */
const ADDED: readonly (readonly Seed[])[] = [
  [...PERSON, ...seedsOf("quay", "Visit")],
  [...PERSON, ...seedsOf("yard", "Boat")],
  seedsOf("quay", "Boat"),
  seedsOf("quay", "Office"),
  seedsOf("yard", "Part"),
  seedsOf("quay", "Log"),
  seedsOf("quay", "Paper"),
  seedsOf("quay", "Digest"),
  seedsOf("quay", "Stats"),
];

/** Every entity that a session holds in the end, as `api.entity`. */
export const ALL_ENTITIES: readonly string[] = [
  ...new Set(ADDED.flat().map(({ api, entity }) => `${api}.${entity}`)),
];

type Call = (speaker: Speaker, intent: string) => Promise<string>;

const seeds =
  (at: number): Call =>
  (speaker, intent) =>
    speaker.context({ intent, seeds: ADDED[at] ?? PERSON, notation: "symbols" });
const nothingNew: Call = (speaker, intent) =>
  speaker.context({ intent, seeds: PERSON, notation: "symbols" });
const run =
  (program: string): Call =>
  (speaker) =>
    speaker.run(program);
const plan =
  (program: string): Call =>
  (speaker) =>
    speaker.plan(program);

/** Calls of which two are under way at the same time, one at each replica, round by round. */
const ROUNDS: readonly (readonly [Call, Call])[] = [
  [seeds(0), seeds(1)],
  [seeds(2), seeds(3)],
  [run("Person.page_size(2)[login]"), seeds(4)],
  [plan('Person("ann")[name]'), seeds(5)],
  [seeds(6), seeds(7)],
  [run('Person("ann")[name]'), run('Person("bob")[name]')],
  [nothingNew, seeds(8)],
  [plan('Person("bob")[name]'), run('Person("bob")[login]')],
  [nothingNew, (speaker) => speaker.table()],
  [(speaker) => speaker.snapshot(1), (speaker) => speaker.table()],
];

/** A session of twenty calls, shortened to its first ones where fewer do. */
export async function crowdSession(
  speaker: Speaker,
  intent: string,
  calls: number,
): Promise<string> {
  for (const round of ROUNDS.slice(0, Math.ceil(calls / 2))) {
    await Promise.all(round.map((call) => call(speaker, intent)));
  }
  return speaker.context({ intent, seeds: PERSON, replay: true, notation: "symbols" });
}
