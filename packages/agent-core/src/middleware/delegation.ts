import { parseResourceUri } from "../artifacts/uris.ts";
import type { EngineCalls } from "../engine-calls.ts";
import type { Caller } from "../identity/caller.ts";
import type { Tasks } from "../program/operation/tasks.ts";
import { actingIn } from "../session/delegation.ts";
import type { SessionAddress } from "../session/handles.ts";
import type { StoreOps } from "../store-port.ts";

type ActingAt = (caller: Caller, address: SessionAddress) => Promise<Caller>;

/**
 * Calls of which those in a session that was opened for another user act for that user: they name the session alone,
 * and `principal` stands in the one that opens it (SURF-4, SURF-24). Each call is named here: one that is forgotten does
 * not compile.
 */
export function withDelegation(engine: EngineCalls, store: StoreOps): EngineCalls {
  const at: ActingAt = (caller, address) => actingIn(store, caller, address);
  return {
    context: async (caller, request) => {
      const { session } = request;
      const who = session === undefined ? caller : await at(caller, { kind: "pair", ...session });
      return engine.context(who, request);
    },
    plan: async (caller, to, program) => engine.plan(await at(caller, to), to, program),
    explain: async (caller, to, request) => engine.explain(await at(caller, to), to, request),
    run: async (caller, to, request) => engine.run(await at(caller, to), to, request),
    // What is on offer is of no session.
    discover: engine.discover,
    registry: engine.registry,
    registryEntry: engine.registryEntry,
    describe: async (caller, to) => engine.describe(await at(caller, to), to),
    status: async (caller, to) => engine.status(await at(caller, to), to),
    symbols: async (caller, to) => engine.symbols(await at(caller, to), to),
    runs: async (caller, to, page) => engine.runs(await at(caller, to), to, page),
    artifact: async (caller, to, name) => engine.artifact(await at(caller, to), to, name),
    // It finds out which session is meant, and then who acts in it.
    fetchGraft: engine.fetchGraft,
    attachGrafts: async (caller, to, set) => engine.attachGrafts(await at(caller, to), to, set),
    grafts: async (caller, to) => engine.grafts(await at(caller, to), to),
    graft: async (caller, to, graftId) => engine.graft(await at(caller, to), to, graftId),
    operation: async (caller, to, handle) => engine.operation(await at(caller, to), to, handle),
    watchOperation: async (caller, to, handle, reader) =>
      engine.watchOperation(await at(caller, to), to, handle, reader),
    onOperation: engine.onOperation,
    tasks: delegatedTasks(engine.tasks, at),
    programs: {
      ...engine.programs,
      save: async (caller, to, request) => engine.programs.save(await at(caller, to), to, request),
    },
    schedules: engine.schedules,
    beginCall: engine.beginCall,
    cancelCall: engine.cancelCall,
    readResource: async (caller, uri) => {
      const to = sessionIn(uri);
      return engine.readResource(to === null ? caller : await at(caller, to), uri);
    },
    // Operations and traces are the caller's own, or those of users that it may act for (SESS-38).
    operations: engine.operations,
    operationOf: engine.operationOf,
    cancelOperation: engine.cancelOperation,
    traces: engine.traces,
    trace: engine.trace,
    watchTrace: engine.watchTrace,
  };
}

/** A task is its principal's; the session matters where it starts. */
const delegatedTasks = (tasks: Tasks, at: ActingAt): Tasks => ({
  start: async (caller, to, request) => tasks.start(await at(caller, to), to, request),
  adopt: async (caller, to, handle) => tasks.adopt(await at(caller, to), to, handle),
  get: tasks.get,
  result: tasks.result,
  list: tasks.list,
  cancel: tasks.cancel,
});

/** The session whose resource a URI names; null for what is of none. */
function sessionIn(uri: string): SessionAddress | null {
  const address = parseResourceUri(uri);
  switch (address?.kind) {
    case "snapshot":
    case "table":
    case "grafts":
    case "graft":
      return { kind: "ref", ref: address.ref };
    case "run":
      return { kind: "pair", ...address.key };
    case "file": {
      const { place } = address;
      return "ref" in place ? { kind: "ref", ref: place.ref } : { kind: "pair", ...place.key };
    }
    case "registry":
    case "watch":
    case undefined:
      return null;
  }
}
