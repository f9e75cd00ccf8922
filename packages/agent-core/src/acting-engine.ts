import { parseResourceUri } from "./artifacts/uris.ts";
import type { Engine } from "./engine.ts";
import type { Caller } from "./identity/caller.ts";
import type { StoreOps } from "./ports.ts";
import { actingIn } from "./session/acting.ts";
import type { SessionAddress } from "./session/locate.ts";

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
    case undefined:
      return null;
  }
}

/**
 * An engine whose callers act, in a session that was opened for another user, for that user: calls name the
 * session alone, and `principal` stands in the one that opens it (SURF-4, SURF-24).
 */
export function actingEngine(engine: Engine, store: StoreOps): Engine {
  const at = (caller: Caller, address: SessionAddress): Promise<Caller> =>
    actingIn(store, caller, address);
  return {
    ...engine,
    context: async (caller, request) => {
      const { session } = request;
      const who = session === undefined ? caller : await at(caller, { kind: "pair", ...session });
      return engine.context(who, request);
    },
    plan: async (caller, to, program) => engine.plan(await at(caller, to), to, program),
    explain: async (caller, to, request) => engine.explain(await at(caller, to), to, request),
    run: async (caller, to, request) => engine.run(await at(caller, to), to, request),
    describe: async (caller, to) => engine.describe(await at(caller, to), to),
    status: async (caller, to) => engine.status(await at(caller, to), to),
    symbols: async (caller, to) => engine.symbols(await at(caller, to), to),
    runs: async (caller, to, page) => engine.runs(await at(caller, to), to, page),
    artifact: async (caller, to, name) => engine.artifact(await at(caller, to), to, name),
    attachGrafts: async (caller, to, set) => engine.attachGrafts(await at(caller, to), to, set),
    grafts: async (caller, to) => engine.grafts(await at(caller, to), to),
    graft: async (caller, to, graftId) => engine.graft(await at(caller, to), to, graftId),
    operation: async (caller, to, handle) => engine.operation(await at(caller, to), to, handle),
    watchOperation: async (caller, to, handle, reader) =>
      engine.watchOperation(await at(caller, to), to, handle, reader),
    tasks: {
      ...engine.tasks,
      start: async (caller, to, request) => engine.tasks.start(await at(caller, to), to, request),
    },
    readResource: async (caller, uri) => {
      const to = sessionIn(uri);
      return engine.readResource(to === null ? caller : await at(caller, to), uri);
    },
  };
}
