import type { Caller } from "@plasm/agent-core";
import { handlesOf } from "./handles.ts";
import { reaches, userOfContext } from "./people.ts";
import type { Place } from "./place.ts";
import { type Call, FIRST } from "./steps.ts";
import { clientOf, placeOf, refName, type World } from "./world.ts";

/** Where a call goes, and by whom. */
export interface Directed {
  readonly call: Call;
  readonly client: Caller;
  readonly place: Place;
  readonly entities: readonly string[];
}

/** A context that is refused before it has a place. */
export interface Refused {
  readonly call: Call & { readonly kind: "context" };
  readonly client: Caller;
  readonly refused: string;
}

/** The drawn client, then all others in turn. */
const inTurn = (world: World, from: number): readonly Caller[] =>
  world.clients.map((_, at) => clientOf(world, (from + at) % world.clients.length));

/** Who makes a call: the next who can, if anybody can; for an intrusion the next who must not. */
function callerOf(world: World, call: Call, target: Place): Caller | undefined {
  const all = inTurn(world, call.client);
  if (call.kind === "intrude") return all.find((one) => !reaches(one, target));
  const able = all.filter((one) => reaches(one, target) && world.refs.has(refName(one, target)));
  const paging = call.kind === "page" && call.handle.whose === "own";
  const owner = (one: Caller) => handlesOf(target, one, true).length > 0;
  return (paging ? able.find(owner) : undefined) ?? able[0];
}

/** Says who makes a call and where it goes; what is refused goes nowhere. */
export function directed(world: World, call: Call): Directed | Refused {
  const drawn = clientOf(world, call.client);
  if (call.kind === "context") {
    const of = userOfContext(drawn, call.principal);
    if ("refused" in of) return { call, client: drawn, refused: of.refused };
    const entities = [...new Set([...call.entities, FIRST])];
    const place = placeOf(world, drawn, of.user, call.intent, entities);
    return { call, client: drawn, place, entities };
  }
  const place = placeOf(world, drawn, call.user, call.intent);
  return { call, client: callerOf(world, call, place) ?? drawn, place, entities: [] };
}
