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

const canCall = (world: World, place: Place) => (one: Caller) =>
  reaches(one, place) && world.refs.has(refName(one, place));

type Asking = Exclude<Call, { readonly kind: "context" }>;

/** Whether a place has what a call asks for: a session, and page handles to go on with. */
function suits(world: World, call: Asking, place: Place): boolean {
  if (!world.clients.some(canCall(world, place))) return false;
  return call.kind !== "page" || call.handle.whose === "nobodys" || place.cursors.size > 0;
}

/** Where a program goes: to the drawn place, or where that has nothing to another that has. */
function placeOfProgram(world: World, call: Asking): Place {
  const drawn = placeOf(world, clientOf(world, call.client), call.user, call.intent);
  if (suits(world, call, drawn)) return drawn;
  const others = [...world.places.values()].filter((one) => suits(world, call, one));
  return others[call.client % Math.max(1, others.length)] ?? drawn;
}

/** Who makes a call: the next who can, if anybody can; an intrusion the next who must not, of the same tenant if there is one. */
function callerOf(world: World, call: Asking, target: Place): Caller | undefined {
  const all = inTurn(world, call.client);
  if (call.kind === "intrude") {
    const strangers = all.filter((one) => !reaches(one, target));
    return strangers.find(({ scope }) => scope === target.scope) ?? strangers[0];
  }
  const able = all.filter(canCall(world, target));
  const own = call.kind === "page" && call.handle.whose === "own";
  return (own ? able.find((one) => handlesOf(target, one, true).length > 0) : undefined) ?? able[0];
}

function directedContext(world: World, call: Refused["call"]): Directed | Refused {
  const able = (one: Caller) => call.bold || !("refused" in userOfContext(one, call.principal));
  const client = inTurn(world, call.client).find(able) ?? clientOf(world, call.client);
  const of = userOfContext(client, call.principal);
  if ("refused" in of) return { call, client, refused: of.refused };
  const entities = [...new Set([...call.entities, FIRST])];
  const place = placeOf(world, client, of.user, call.intent, entities);
  return { call, client, place, entities };
}

/** A call that wants a page where there is none reads the first one. */
function beginning(call: Asking & { readonly kind: "page" }): Asking {
  const { client, intent, user, limit, death } = call;
  const asks = { how: "page_size", rows: limit ?? 1 } as const;
  return { kind: "run", client, intent, user, asks, death };
}

/** Says who makes a call and where it goes; what is refused goes nowhere. */
export function directed(world: World, call: Call): Directed | Refused {
  if (call.kind === "context") return directedContext(world, call);
  const place = placeOfProgram(world, call);
  const pageless = call.kind === "page" && !suits(world, call, place);
  if (pageless) return directed(world, beginning(call));
  const client = callerOf(world, call, place) ?? clientOf(world, call.client);
  return { call, client, place, entities: [] };
}
