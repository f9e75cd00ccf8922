import assert from "node:assert/strict";
import type { Caller } from "@plasm/agent-core";
import { directed, type Directed } from "./directed.ts";
import { spell } from "./handles.ts";
import { type ContextCall, judgeContexts } from "./judge-contexts.ts";
import { judgePrograms, noteSnapshots, programOf } from "./judge-programs.ts";
import { lookAround } from "./look-around.ts";
import type { Place } from "./place.ts";
import type { ProgramCall } from "./program-call.ts";
import type { Replica } from "./replicas.ts";
import { type Call, FIRST, INTENTS, type Step } from "./steps.ts";
import { contextMetaOf, tell, type Told } from "./told.ts";
import { withdraw } from "./withdraw.ts";
import { refName, sentName, type World } from "./world.ts";

const seedsOf = (entities: readonly string[]) =>
  entities.map((name) => {
    const [api = "", entity = ""] = name.split(".");
    return { api, entity };
  });

/** No principal has so many sessions. */
const NO_REF = "s99";

function sendContext(
  call: Call & { readonly kind: "context" },
  client: Caller,
  replica: Replica,
): Promise<Told> {
  const intent = INTENTS[call.intent] ?? null;
  const { replay, principal } = call;
  const request = {
    seeds: seedsOf([...call.entities, FIRST]),
    notation: "symbols",
    replay,
    ...(intent === null ? {} : { intent }),
    ...(principal === null ? {} : { principal }),
  };
  return tell(replica, (engine) => engine.context(client, request));
}

/** How an intruder names a session: as whoever has it does. */
function addressOf({ uuid, bound }: Place, by: "ref" | "uuid" | "pair", ref: string) {
  if (by === "pair" && bound !== null) return { kind: "pair", ...bound.key } as const;
  return { kind: "ref", ref: (by === "uuid" ? uuid : null) ?? ref } as const;
}

async function send(world: World, to: Directed, replica: Replica): Promise<ProgramCall> {
  const { call, client, place } = to;
  const ref = world.refs.get(refName(client, place)) ?? NO_REF;
  const address = { kind: "ref", ref } as const;
  const run = (program: string) =>
    tell(replica, (engine) => engine.run(client, address, { program, wait: true }));
  const made = { ...to, handle: null };
  switch (call.kind) {
    case "context":
      return { ...made, told: await sendContext(call, client, replica) };
    case "plan": {
      const program = programOf(call.asks);
      return { ...made, told: await tell(replica, ({ plan }) => plan(client, address, program)) };
    }
    case "run":
      return { ...made, told: await run(programOf(call.asks)) };
    case "page": {
      const handle = spell(place, client, ref, call.handle);
      const limit = call.limit === null ? "" : `, limit=${call.limit}`;
      return { ...made, handle, told: await run(`page(${handle.text}${limit})`) };
    }
    case "intrude": {
      const at = addressOf(place, call.by, ref);
      return { ...made, told: await tell(replica, ({ plan }) => plan(client, at, "e1")) };
    }
  }
}

/** Makes a call; null for one that was refused as it must be, and goes nowhere. */
async function make(world: World, call: Call): Promise<ProgramCall | null> {
  const to = directed(world, call);
  const replica = world.replicas.at((world.calls += 1));
  if (call.death !== null) replica.life.endAt(call.death);
  if (!("refused" in to)) return send(world, to, replica);
  const told = await sendContext(to.call, to.client, replica);
  if (told.ok || !told.dead) assert.equal(told.ok ? "ok" : told.code, to.refused);
  return null;
}

/** Notes what clients know after their contexts: their refs, and which waves they were sent. */
function noteContext({ refs, sent }: World, { client, place, told }: ProgramCall): void {
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
  const all = await replicas.turns.play(
    () => Promise.all(calls.map((call) => make(world, call))),
    picks,
  );
  const made = all.filter((one) => one !== null);
  replicas.spare();
  const at = { now: replicas.now, alone: calls.length === 1 };
  for (const place of new Set(made.map((one) => one.place))) {
    const own = made.filter((one) => one.place === place);
    const contexts: readonly ContextCall[] = own.filter(({ call }) => call.kind === "context");
    const programs = own.filter(({ call }) => call.kind !== "context");
    judgePrograms(world, place, programs, { ...at, changing: contexts.length > 0 });
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
