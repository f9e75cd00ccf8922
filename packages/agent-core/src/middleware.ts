import type { Json, JsonObject } from "@plasm/core";
import type { ResourceAnswer, RunAnswer } from "./answer/answer.ts";
import { parseResourceUri } from "./artifacts/uris.ts";
import type { Engine } from "./engine.ts";
import { Failure } from "./errors/problem.ts";
import type { ReadGraft } from "./grafts/read.ts";
import { actingFor, type Caller, principalOf } from "./identity/caller.ts";
import type { TraceSink } from "./ports.ts";
import type { StoreOps } from "./store-port.ts";
import type { TracedCall, TraceFact, TracePlace } from "./records/traces.ts";
import { actingIn } from "./session/delegation.ts";
import { locateOwner } from "./session/locate.ts";
import type { SessionAddress } from "./session/handles.ts";
import type { SessionDeps } from "./session/session-deps.ts";

/** What tracing calls needs. */
export interface CallTracing extends SessionDeps {
  readonly trace: TraceSink;
}

/** What a call came to, as far as its trace tells. */
interface Told {
  readonly outcome: string;
  readonly meta: JsonObject;
  readonly accepted: string | null;
}

const list = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : [];

const textOrNull = (value: Json | undefined): string | null =>
  typeof value === "string" ? value : null;

const rowsIn = (meta: JsonObject): number =>
  list(meta["steps"]).reduce((sum, { row_count: count }) => sum + (Number(count) || 0), 0);

function factOf(call: TracedCall, { outcome, meta, accepted }: Told, began: number): TraceFact {
  return {
    type: "call",
    call,
    outcome,
    ms: Math.round(performance.now() - began),
    plan_commit_ref: textOrNull(meta["plan_commit_ref"]),
    commit: textOrNull(meta["commit"]),
    rows: rowsIn(meta),
    effects: list(meta["effects"]).length,
    accepted,
  };
}

/** Where a call's session has its trace; null where there is no such session. */
async function placeOf(
  deps: CallTracing,
  caller: Caller,
  address: SessionAddress,
): Promise<TracePlace | null> {
  const { scope } = caller;
  try {
    const who = await actingIn(deps.store, caller, address);
    const { principal: subject } = deps.delegation(who);
    const owner = await locateOwner(deps, who, address);
    const bound = address.kind === "ref" || owner !== address.sessionId;
    if (bound) return { scope, owner, kind: "logical", subject };
    return { scope, owner, kind: "execute", subject, opener: principalOf(caller) };
  } catch {
    return null;
  }
}

/** Where a context that was opened has its trace. */
function placeOpened(
  deps: CallTracing,
  caller: Caller,
  principal: unknown,
  meta: JsonObject,
): TracePlace {
  const { scope } = caller;
  const { principal: subject } = deps.delegation(actingFor(caller, principal, deps.delegation));
  const logical = textOrNull(meta["logical_session_id"]);
  if (logical !== null) return { scope, owner: logical, kind: "logical", subject };
  const { session_id: owner = "" } = meta["execute_binding"] as Readonly<Record<string, string>>;
  return { scope, owner, kind: "execute", subject, opener: principalOf(caller) };
}

/** Does a call and tells `note` of it when it has ended, however that was; what it gives or throws stays. */
async function told<T extends { readonly meta: JsonObject }>(
  work: Promise<T>,
  note: (told: Told) => void,
): Promise<T> {
  try {
    const answer = await work;
    const { accepted = null } = answer as Partial<RunAnswer>;
    note({ outcome: "ok", meta: answer.meta, accepted });
    return answer;
  } catch (thrown) {
    // A defect is noted by whoever answers, once.
    const failed = thrown instanceof Failure ? thrown.problem : null;
    note({ outcome: failed?.code ?? "plasm-internal", meta: failed?.meta ?? {}, accepted: null });
    throw thrown;
  }
}

/** The session of a graft that was fetched, or that was to be; null where neither names one. */
function sessionOfGraft(meta: JsonObject, asked: unknown): SessionAddress | null {
  const ref = textOrNull(meta["logical_session_ref"]) ?? asked;
  return typeof ref === "string" ? { kind: "ref", ref } : null;
}

/** The part of a graft that a call fetched, by its id and the graft's size (GRAFT-15). */
function fetchedFact({ graft_id: id, bytes }: JsonObject): TraceFact {
  return { type: "graft", graft_id: String(textOrNull(id)), bytes: Number(bytes) };
}

const sizeOfGraft = ({ graft: { bytes } }: ReadGraft): number => bytes;

const sizeOfResource = (answer: ResourceAnswer): number =>
  "text" in answer ? Buffer.byteLength(answer.text) : Buffer.from(answer.blob, "base64").length;

/** Does a call of a session, and tells its trace of it. */
type TraceCall = <T extends { readonly meta: JsonObject }>(
  call: TracedCall,
  caller: Caller,
  address: SessionAddress,
  work: () => Promise<T>,
) => Promise<T>;

const tracingCalls =
  (deps: CallTracing): TraceCall =>
  (call, caller, address, work) => {
    const began = performance.now();
    return told(work(), (end) =>
      deps.trace.noteWhere(() => placeOf(deps, caller, address), factOf(call, end, began)),
    );
  };

/** What fetches grafts: the tool's parts, the route's bytes and the resource alike (GRAFT-15). */
function tracingGrafts(
  engine: Engine,
  deps: CallTracing,
  at: TraceCall,
): Pick<Engine, "fetchGraft" | "graft" | "readResource"> {
  const fetched = async <T>(
    caller: Caller,
    to: SessionAddress,
    graftId: string,
    read: () => Promise<T>,
    sizeOf: (answer: T) => number,
  ): Promise<T> => {
    const answered = () => read().then((answer) => ({ meta: {}, answer }));
    const { answer } = await at("grafted_context_fetch", caller, to, answered);
    const place = () => placeOf(deps, caller, to);
    deps.trace.noteWhere(place, fetchedFact({ graft_id: graftId, bytes: sizeOf(answer) }));
    return answer;
  };
  return {
    fetchGraft: (caller, request) => {
      const began = performance.now();
      return told(engine.fetchGraft(caller, request), (end) => {
        const to = sessionOfGraft(end.meta, request.ref);
        if (to === null) return;
        const place = () => placeOf(deps, caller, to);
        deps.trace.noteWhere(place, factOf("grafted_context_fetch", end, began));
        const { graft } = end.meta;
        if (end.outcome === "ok") deps.trace.noteWhere(place, fetchedFact(graft as JsonObject));
      });
    },
    graft: (caller, to, graftId) =>
      fetched(caller, to, graftId, () => engine.graft(caller, to, graftId), sizeOfGraft),
    readResource: (caller, uri) => {
      const address = parseResourceUri(uri);
      const read = (): Promise<ResourceAnswer> => engine.readResource(caller, uri);
      if (address?.kind !== "graft") return read();
      const { ref, graftId } = address;
      return fetched(caller, { kind: "ref", ref }, graftId, read, sizeOfResource);
    },
  };
}

/** An engine whose calls stand in the traces of their sessions, whichever surface they came by (SURF-29). */
export function tracingEngine(engine: Engine, deps: CallTracing): Engine {
  const at = tracingCalls(deps);
  return {
    ...engine,
    ...tracingGrafts(engine, deps, at),
    context: (caller, request) => {
      const { session, principal } = request;
      const began = performance.now();
      return told(engine.context(caller, request), (end) => {
        const fact = factOf("plasm_context", end, began);
        if (end.outcome === "ok") {
          deps.trace.note(placeOpened(deps, caller, principal, end.meta), fact);
        } else if (session !== undefined) {
          deps.trace.noteWhere(() => placeOf(deps, caller, { kind: "pair", ...session }), fact);
        }
      });
    },
    plan: (caller, to, program) => at("plasm", caller, to, () => engine.plan(caller, to, program)),
    explain: (caller, to, request) =>
      at("plasm", caller, to, () => engine.explain(caller, to, request)),
    run: (caller, to, request) =>
      at("plasm_run", caller, to, () => engine.run(caller, to, request)),
  };
}

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
