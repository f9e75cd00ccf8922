import type { Caller } from "@plasm/agent-core";
import { principalOf } from "@plasm/agent-core/internal";
import { newPlace, type Place } from "./place.ts";
import { clientsOf, isDelegated } from "./people.ts";
import type { Replicas } from "./replicas.ts";
import { INTENTS } from "./steps.ts";

/** Eight clients on two replicas, and all that they were told. */
export interface World {
  readonly replicas: Replicas;
  readonly clients: readonly Caller[];
  readonly places: Map<string, Place>;
  /** ref by principal and intent (SESS-3) */
  readonly refs: Map<string, string>;
  /** by connection and place: the session whose waves were sent last; null where that is not known */
  readonly sent: Map<string, string | null>;
  /** counts calls, so that a client alternates between the replicas */
  calls: number;
}

export const worldOn = (replicas: Replicas, number: number): World => ({
  replicas,
  clients: clientsOf(number),
  places: new Map(),
  refs: new Map(),
  sent: new Map(),
  calls: 0,
});

/** The client of a number, who is one of eight. */
export function clientOf({ clients }: World, at: number): Caller {
  const found = clients[at];
  if (found === undefined) throw new Error(`There is no client ${at}`);
  return found;
}

/**
 * Where a call of a client goes: its scope and intent, or without one the reuse key, which is of the
 * entities of the first catalog alone; each with its user, where calls are delegated, and without an intent with
 * whoever opens it (SESS-5, SESS-13, SESS-38).
 */
export function placeOf(
  { places }: World,
  caller: Caller,
  user: string | null,
  intent: number,
  entities: readonly string[] = [],
): Place {
  const words = INTENTS[intent] ?? null;
  const primary = entities.filter((entity) => entity.startsWith("quay.")).toSorted();
  const { scope } = caller;
  const whose = isDelegated(caller) ? user : null;
  const opener = words === null && whose === null ? principalOf(caller) : null;
  const name = `${scope} ${whose ?? opener ?? ""} ${words ?? primary.join()}`;
  const of = { name, scope, user: whose, bindsIntent: words !== null, opener };
  const place = places.get(name) ?? newPlace(of);
  places.set(name, place);
  return place;
}

export const refName = (client: Caller, place: Place): string =>
  `${principalOf(client)} ${place.name}`;

export const sentName = (client: Caller, place: Place): string =>
  `${client.connection} ${place.name}`;
