import {
  type Capability,
  type Cgs,
  type Json,
  type JsonObject,
  preflightNames,
  slotsOf,
} from "@plasm/core";
import type { Call, Environment } from "./environment.ts";

/** The execute session that a request is made in (RUN-014, SESS-9). */
export interface ExecuteSessionName {
  readonly promptHash: string;
  readonly sessionId: string;
}

/** What the engine knows of a call, by the names that templates may read (RUN-014). */
function known(
  call: Call,
  session: ExecuteSessionName | undefined,
): Readonly<Record<string, Json | undefined>> {
  return {
    filter: call.asked?.filter,
    projection: call.asked?.projection,
    plasm_execute_prompt_hash: session?.promptHash,
    plasm_execute_session_id: session?.sessionId,
  };
}

const declared = new WeakMap<Cgs, WeakMap<Capability, ReadonlySet<string>>>();

/** The names that a capability declares or merges itself; both are frozen, and every request asks. */
function ownNames(cgs: Cgs, capability: Capability): ReadonlySet<string> {
  const ofGraph = declared.get(cgs) ?? new WeakMap<Capability, ReadonlySet<string>>();
  const known = ofGraph.get(capability);
  if (known !== undefined) return known;
  const slots = slotsOf(capability).map(({ name }) => name);
  const own = new Set([...slots, ...preflightNames(cgs, capability)]);
  declared.set(cgs, ofGraph.set(capability, own));
  return own;
}

/**
 * The names of a call with, after them, the variables of its session and the engine's own (RUN-010, RUN-014,
 * RUN-015). A capability that declares or merges one of the engine's names never sees the engine's; with
 * `plasm.` before them they are always there. What the engine does not know is nothing.
 */
export function withEngineNames(
  call: Call,
  names: Environment,
  variables: JsonObject,
  session: ExecuteSessionName | undefined,
): Environment {
  const own = ownNames(call.catalog.cgs, call.capability);
  const optional = new Set(names.optional);
  const engine: Record<string, Json> = {};
  for (const [name, value] of Object.entries(known(call, session))) {
    const spelled = own.has(name) ? [`plasm.${name}`] : [name, `plasm.${name}`];
    for (const each of spelled) {
      optional.add(each);
      if (value !== undefined) engine[each] = value;
    }
  }
  const after = { ...engine, ...variables };
  return {
    ...names,
    optional,
    path: { ...after, ...names.path },
    rest: { ...after, ...names.rest },
  };
}
