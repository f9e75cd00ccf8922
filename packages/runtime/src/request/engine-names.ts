import type { Capability, Cgs, Json, JsonObject } from "@plasm/core";
import { preflightNames, slotsOf } from "@plasm/core/internal";
import type { CapabilityCall, CallEnvironment } from "./environment.ts";

/** The execute session that a request is made in (RUN-014, SESS-9). */
export interface ExecuteSessionName {
  readonly promptHash: string;
  readonly sessionId: string;
}

/** What the engine knows of a call, by the names that templates may read (RUN-014). */
function known(
  call: CapabilityCall,
  session: ExecuteSessionName | undefined,
): Readonly<Record<(typeof ENGINE)[number], Json | undefined>> {
  return {
    filter: call.asked?.filter,
    projection: call.asked?.projection,
    plasm_execute_prompt_hash: session?.promptHash,
    plasm_execute_session_id: session?.sessionId,
  };
}

/** The names that the engine's values go by. */
const ENGINE = [
  "filter",
  "projection",
  "plasm_execute_prompt_hash",
  "plasm_execute_session_id",
] as const;

type Names = ReadonlySet<string>;

const widened = new WeakMap<Names, WeakMap<Names, Names>>();

/**
 * Names that may stay unbound, with those of the engine: by itself for one that the capability, whose `own`
 * names are given, does not have. The names of a capability's reads are one set, which is widened once.
 */
function withSpellings(optional: Names, own: Names): Names {
  const ofOwn = widened.get(own) ?? new WeakMap<Names, Names>();
  const known = ofOwn.get(optional);
  if (known !== undefined) return known;
  const bare = ENGINE.filter((name) => !own.has(name));
  const all = new Set([...optional, ...bare, ...ENGINE.map((name) => `plasm.${name}`)]);
  widened.set(own, ofOwn.set(optional, all));
  return all;
}

const declared = new WeakMap<Cgs, WeakMap<Capability, Names>>();

/** The names that a capability declares or merges itself; both are frozen, and every request asks. */
function ownNames(cgs: Cgs, capability: Capability): Names {
  const ofGraph = declared.get(cgs) ?? new WeakMap<Capability, Names>();
  const known = ofGraph.get(capability);
  if (known !== undefined) return known;
  const slots = slotsOf(capability).map(({ name }) => name);
  const own = new Set([...slots, ...preflightNames(cgs, capability)]);
  declared.set(cgs, ofGraph.set(capability, own));
  return own;
}

/** What was made for one call, for the next one that has the same. */
interface Made {
  readonly asked: CapabilityCall["asked"];
  readonly own: Names;
  readonly session: ExecuteSessionName | undefined;
  readonly after: JsonObject;
}

/** By the variables, which are secret: it is forgotten with them. */
const made = new WeakMap<JsonObject, Made>();

/** The engine's own names and the session's variables: the same for all requests that one step makes. */
function namesAfter(
  call: CapabilityCall,
  own: Names,
  variables: JsonObject,
  session: ExecuteSessionName | undefined,
): JsonObject {
  const { asked } = call;
  const last = made.get(variables);
  if (last !== undefined && last.asked === asked && last.own === own && last.session === session) {
    return last.after;
  }
  const after: Record<string, Json> = {};
  for (const [name, value] of Object.entries(known(call, session))) {
    if (value === undefined) continue;
    if (!own.has(name)) after[name] = value;
    after[`plasm.${name}`] = value;
  }
  Object.assign(after, variables);
  made.set(variables, { asked, own, session, after });
  return after;
}

/**
 * The names of a call with, after them, the variables of its session and the engine's own (RUN-010, RUN-014,
 * RUN-015). A capability that declares or merges one of the engine's names never sees the engine's; with
 * `plasm.` before them they are always there. What the engine does not know is nothing.
 */
export function withEngineNames(
  call: CapabilityCall,
  names: CallEnvironment,
  variables: JsonObject,
  session: ExecuteSessionName | undefined,
): CallEnvironment {
  const own = ownNames(call.catalog.cgs, call.capability);
  const after = namesAfter(call, own, variables, session);
  const rest = { ...after, ...names.rest };
  const path = names.path === names.rest ? rest : { ...after, ...names.path };
  return { ...names, optional: withSpellings(names.optional, own), path, rest };
}
