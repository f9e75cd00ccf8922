import assert from "node:assert/strict";
import type { Caller } from "@plasm/agent-core";
import { type ContextCall, judgeContexts } from "./judge-contexts.ts";
import { judgeProgram, noteSnapshots, programOf } from "./judge-programs.ts";
import { lookAround } from "./look-around.ts";
import type { Place } from "./place.ts";
import type { Replica } from "./replicas.ts";
import { type Call, INTENTS, type Step } from "./steps.ts";
import { contextMetaOf, tell, type Told } from "./told.ts";
import { withdraw } from "./withdraw.ts";
import { clientOf, placeOf, refName, sentName, type World } from "./world.ts";

/** A call that was made. */
interface Made {
  readonly call: Call;
  readonly client: Caller;
  readonly place: Place;
  readonly entities: readonly string[];
  readonly told: Told;
}

/** What every open names besides: programs read it as e1. */
const FIRST = "quay.Boat";

const seedsOf = (entities: readonly string[]) =>
  entities.map((name) => {
    const [api = "", entity = ""] = name.split(".");
    return { api, entity };
  });

/** No principal has so many sessions. */
const NO_REF = "s99";

function send(world: World, call: Call, client: Caller, place: Place, replica: Replica) {
  const ref = world.refs.get(refName(client, place)) ?? NO_REF;
  const address = { kind: "ref", ref } as const;
  switch (call.kind) {
    case "context": {
      const intent = INTENTS[call.intent] ?? null;
      const seeds = seedsOf([...call.entities, FIRST]);
      const named = intent === null ? {} : { intent };
      return tell(replica, (engine) =>
        engine.context(client, { ...named, seeds, replay: call.replay }),
      );
    }
    case "plan":
      return tell(replica, (engine) => engine.plan(client, address, programOf(call.limit)));
    case "run": {
      const program = programOf(call.limit);
      return tell(replica, (engine) => engine.run(client, address, { program, wait: true }));
    }
  }
}

/** Who makes a call: for a program the next who has a ref for it, if anybody has. */
function callerOf(world: World, { kind, client, intent }: Call): Caller {
  const all = world.clients.map((_, at) => clientOf(world, (client + at) % world.clients.length));
  const able = all.filter((one) => world.refs.has(refName(one, placeOf(world, one, intent))));
  return (kind === "context" ? null : able[0]) ?? clientOf(world, client);
}

async function make(world: World, call: Call): Promise<Made> {
  const client = callerOf(world, call);
  const entities = call.kind === "context" ? [...new Set([...call.entities, FIRST])] : [];
  const place = placeOf(world, client, call.intent, entities);
  const replica = world.replicas.at((world.calls += 1));
  if (call.death !== null) replica.life.endAt(call.death);
  return { call, client, place, entities, told: await send(world, call, client, place, replica) };
}

/** Notes what clients know after their contexts: their refs, and which waves they were sent. */
function noteContext({ refs, sent }: World, { client, place, told }: Made): void {
  if (!told.ok) {
    if (told.dead) sent.set(sentName(client, place), null);
    return;
  }
  const { logical_session_ref: ref, waves, execute_binding: pair } = contextMetaOf(told.meta);
  if (waves.length > 0) sent.set(sentName(client, place), pair.session_id);
  if (ref === null) return;
  const name = refName(client, place);
  assert.equal(refs.get(name) ?? ref, ref, "a slot is kept for the life of its session (SESS-3)");
  refs.set(name, ref);
}

async function playCalls(world: World, step: Step & { readonly kind: "calls" }): Promise<void> {
  const { replicas } = world;
  const { calls, picks } = step;
  const made = await replicas.turns.play(
    () => Promise.all(calls.map((call) => make(world, call))),
    picks,
  );
  replicas.spare();
  const at = { now: replicas.now, alone: calls.length === 1 };
  for (const place of new Set(made.map((one) => one.place))) {
    const own = made.filter((one) => one.place === place);
    const contexts: readonly ContextCall[] = own.filter(({ call }) => call.kind === "context");
    const programs = own.filter(({ call }) => call.kind !== "context");
    for (const one of programs) judgeProgram(world, one, { ...at, changing: contexts.length > 0 });
    if (contexts.length > 0) judgeContexts(place, contexts, at);
  }
  for (const one of made) if (one.call.kind === "context") noteContext(world, one);
  await replicas.replaceDead();
  await noteSnapshots(world, made);
  await lookAround(world, new Set(made.map(({ place }) => place)));
}

/** Does a step, and looks at the sessions that it may have changed when it is over. */
export async function play(world: World, step: Step): Promise<void> {
  switch (step.kind) {
    case "wait":
      world.replicas.advance(step.ms);
      break;
    case "kill":
      world.replicas.kill(step.replica);
      await world.replicas.replaceDead();
      await lookAround(world, world.places.values());
      break;
    case "withdraw":
      await withdraw(world, step.api);
      break;
    case "calls":
      await playCalls(world, step);
  }
}
