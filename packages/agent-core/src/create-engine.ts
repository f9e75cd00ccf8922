import { randomBytes, randomUUID } from "node:crypto";
import {
  ASYNC_WALL_SECONDS,
  DEFAULT_LIMITS,
  type Limits,
  type Ports,
  type SessionOrigins,
} from "@plasm/runtime";
import { jsonText } from "./artifacts/json-text.ts";
import { readArtifact, readResource } from "./artifacts/read-resource.ts";
import { actingEngine } from "./acting-engine.ts";
import { REGISTRY_URI } from "./artifacts/uris.ts";
import { dryRun } from "./commit/dry-run.ts";
import type { Engine } from "./engine.ts";
import { classify } from "./errors/classify.ts";
import { graftsIn } from "./grafts/grafts-in.ts";
import { NO_GRAFT_PROVIDER, type GraftSettings } from "./grafts/graft-deps.ts";
import { actingFor } from "./identity/acting-for.ts";
import type { Caller } from "./identity/caller.ts";
import { CallsUnderWay } from "./live-run/calls-under-way.ts";
import { explainProgram } from "./live-run/explain-program.ts";
import { keepingVariables } from "./live-run/kept-variables.ts";
import { SessionChains } from "./live-run/session-chains.ts";
import {
  delegationIn,
  deploymentSecrets,
  ofItsUser,
  type SessionSecretsOf,
} from "./live-run/session-secrets.ts";
import { SHUTDOWN } from "./live-run/stopped-run.ts";
import { beginCall, cancelCall } from "./operations/cancel-call.ts";
import { hearOperations } from "./operations/hear-operations.ts";
import { LEASE_MS } from "./operations/lease.ts";
import { Leftovers } from "./operations/leftovers.ts";
import { refOf } from "./operations/locate-operation.ts";
import { listRuns } from "./operations/list-runs.ts";
import { LocalQueue } from "./operations/local-queue.ts";
import { OperationNews } from "./operations/news.ts";
import type { OperationDeps } from "./operations/operation-deps.ts";
import { tellOverheard } from "./operations/overhear.ts";
import { runProgram } from "./operations/run-program.ts";
import { OPERATION_LIMITS, type OperationLimits } from "./operations/seats.ts";
import { viewOperation, watchOperation } from "./operations/watch-operation.ts";
import { tasksIn, type Tasks } from "./operations/tasks.ts";
import { takeUp } from "./operations/take-up.ts";
import { listTraces, readTrace } from "./trace/read-trace.ts";
import { TraceHub } from "./trace/trace-hub.ts";
import { watchTrace } from "./trace/watch-trace.ts";
import { tracingEngine } from "./tracing-engine.ts";
import type { CatalogRegistry, OperationQueue, PolicyProvider, Store } from "./ports.ts";
import { discoverSeeds } from "./registry/discover.ts";
import { listRegistry, registryEntry, type RegistryReader } from "./registry/list-registry.ts";
import { DEFAULT_RETENTION, type Retention } from "./retention/retention.ts";
import { SWEEP_EVERY_MS, Sweeper } from "./retention/sweeper.ts";
import { PinnedCatalogs } from "./session/catalog-content.ts";
import { describeSession, describeStatus, describeSymbols } from "./session/describe.ts";
import { KeyedLock } from "./session/keyed-lock.ts";
import { lookAt, viewUnrenewed } from "./session/look-at.ts";
import { createOverlayReader } from "./session/read-overlay.ts";
import { SESSION_LIFETIME_MS } from "./session/session-deps.ts";

/** What the host supplies; the rest has defaults. */
export interface EngineOptions {
  readonly store: Store;
  readonly registry: CatalogRegistry;
  readonly ports: Ports;
  /** all catalogs and effects are allowed without one (SURF-25) */
  readonly policies?: PolicyProvider;
  /** entry id → backend URL that replaces the catalog's own (RUN-004) */
  readonly backends?: ReadonlyMap<string, string>;
  readonly limits?: Limits;
  /** where people and requests meet this engine, for catalogs whose views take it (RUN-100) */
  readonly origins?: SessionOrigins;
  /** credentials and variables of a session; the deployment's without it (RUN-015, RUN-120) */
  readonly secretsOf?: SessionSecretsOf;
  /** digest of the plug-ins that `ports.functions` come from, if any (SESS-13) */
  readonly pluginGeneration?: string | null;
  readonly sessionLifetimeMs?: number;
  /** brings operations to processes that run them; this process alone without it */
  readonly queue?: OperationQueue;
  /** how many operations may be unfinished at a time; OPS-14's numbers without it */
  readonly operations?: OperationLimits;
  /** wall time of a run that nobody waits for (RUN-130) */
  readonly asyncWallSeconds?: number;
  /** how long a run with effects may be silent before it counts as abandoned (OPS-31) */
  readonly leaseMs?: number;
  /** how often what other processes have left is looked for at least, in ms; a third of `leaseMs` without it */
  readonly lookEveryMs?: number;
  /** how long things are kept; SESS-37's times without it */
  readonly retention?: Retention;
  /** documents besides those that callers attach (GRAFT-2); none without it */
  readonly grafts?: GraftSettings;
  /** sends `traceparent` to APIs, where OpenTelemetry is set up; not without it */
  readonly propagateTraces?: boolean;
  /** what an operator should know of: defects with their id, refused snapshots */
  readonly warn?: (what: string, cause: unknown) => void;
}

const ALL_ALLOWED: PolicyProvider = { policyOf: () => ({}) };

/** What an engine is made of. */
interface Parts extends OperationDeps {
  readonly trace: TraceHub;
}

function depsOf(options: EngineOptions, stopping: AbortSignal): Parts {
  const warn = options.warn ?? (() => undefined);
  const { store, ports, registry } = options;
  const backends = options.backends ?? new Map<string, string>();
  const limits = options.limits ?? DEFAULT_LIMITS;
  const secretsOf = keepingVariables(ofItsUser(options.secretsOf ?? deploymentSecrets));
  const leaseMs = options.leaseMs ?? LEASE_MS;
  const queue = options.queue ?? new LocalQueue(store, warn);
  return {
    store,
    registry,
    policies: options.policies ?? ALL_ALLOWED,
    backends,
    pluginGeneration: options.pluginGeneration ?? null,
    delegation: delegationIn(secretsOf),
    overlays: createOverlayReader({ store, ports, backends, limits, secretsOf, warn }),
    pinned: new PinnedCatalogs([...ports.functions.keys()], (id) => registry.get(id)),
    newSessionId: () => randomBytes(16).toString("hex"),
    sessionLifetimeMs: options.sessionLifetimeMs ?? SESSION_LIFETIME_MS,
    ports,
    limits,
    origins: options.origins ?? {},
    secretsOf,
    chains: new SessionChains(),
    contexts: new KeyedLock(),
    pages: new KeyedLock(),
    running: new Map(),
    unkept: new Map(),
    unfinished: options.operations ?? OPERATION_LIMITS,
    leaseMs,
    queue,
    trace: new TraceHub({ store, warn, announce: (place) => queue.announce(place) }),
    propagate: options.propagateTraces ?? false,
    asyncWallSeconds: options.asyncWallSeconds ?? ASYNC_WALL_SECONDS,
    stopping,
    news: new OperationNews((principal, record) => refOf({ store }, principal, record)),
    warn,
    defect: (thrown) => {
      const id = randomUUID();
      warn(`internal error ${id}`, thrown);
      return id;
    },
  };
}

/** Keeps the store from growing for ever (SESS-37). */
function sweeperOf({ retention = DEFAULT_RETENTION }: EngineOptions, deps: OperationDeps): Sweeper {
  const { store, sessionLifetimeMs: sessionLifetime, warn } = deps;
  const times = { ...retention, sessionLifetime };
  return new Sweeper({ store, times, everyMs: SWEEP_EVERY_MS, warn });
}

function leftoversOf(
  { lookEveryMs }: EngineOptions,
  { store, queue, leaseMs, warn }: OperationDeps,
): Leftovers {
  return new Leftovers({ store, queue, everyMs: lookEveryMs ?? leaseMs / 3, warn });
}

/** Tasks whose calls a stopping engine waits for. */
const counted = (calls: CallsUnderWay, tasks: Tasks): Tasks => ({
  start: (caller, address, request) =>
    calls.run((stop) => {
      const signal = calls.either(stop, request.signal);
      return tasks.start(caller, address, { ...request, signal });
    }),
  get: (caller, taskId) => calls.run(() => tasks.get(caller, taskId)),
  result: (caller, taskId, signal) =>
    calls.run((stop) => tasks.result(caller, taskId, calls.either(stop, signal))),
  list: (caller) => calls.run(() => tasks.list(caller)),
  cancel: (caller, taskId) => calls.run(() => tasks.cancel(caller, taskId)),
});

/**
 * Makes the engine that every surface calls: sessions, plans, live runs and resources on one store.
 * It runs operations, those of a process that has died too, as long as it is open (OPS-31).
 */
export function createEngine(options: EngineOptions): Engine {
  const stopping = new AbortController();
  const deps = depsOf(options, stopping.signal);
  const { store, warn } = deps;
  const calls = new CallsUnderWay(async () => {
    // What an answer tells of was awaited on its own: only the renewal of its session is in doubt.
    await store
      .durable?.()
      .catch((cause: unknown) => warn("A session's renewal was not kept", cause));
  });
  deps.queue.work((place) => takeUp(deps, place));
  const leftovers = leftoversOf(options, deps);
  leftovers.start();
  tellOverheard(deps);
  const sweeper = sweeperOf(options, deps);
  sweeper.start();
  const drain = async (graceMs: number): Promise<void> => {
    await calls.drain(graceMs);
    stopping.abort(SHUTDOWN);
    await Promise.all([leftovers.end(), sweeper.stop()]);
    // Other processes are told of what there is while they can be.
    await deps.trace.stop();
    await deps.queue.stop();
  };
  const readerFor = async (caller: Caller): Promise<RegistryReader> => ({
    policy: await deps.policies.policyOf(caller.scope),
    credentials: deps.secretsOf(caller, "").credentials,
  });
  const list = async (caller: Caller) => listRegistry(deps.registry, await readerFor(caller));
  const grafts = graftsIn(deps, options.grafts ?? NO_GRAFT_PROVIDER);
  const engine: Engine = {
    context: (caller, request) =>
      calls.run(async () => {
        const who = actingFor(caller, request.principal);
        return grafts.context(who, request);
      }),
    plan: (caller, address, program) => calls.run(() => dryRun(deps, caller, address, program)),
    explain: (caller, address, request) =>
      calls.run((stop) => {
        const signal = calls.either(stop, request.signal);
        return explainProgram(deps, caller, address, { ...request, signal });
      }),
    run: (caller, address, request) =>
      calls.run((stop) => {
        const signal = calls.either(stop, request.signal);
        return runProgram(deps, caller, address, { ...request, signal });
      }),
    discover: async (caller, request) =>
      discoverSeeds(deps.registry, deps.policies, caller, request),
    registry: (caller) => list(caller),
    registryEntry: async (caller, entryId) =>
      registryEntry(deps.registry, await readerFor(caller), entryId),
    describe: (caller, address) =>
      calls.run(async () => describeSession(await viewUnrenewed(deps, caller, address))),
    status: (caller, address) =>
      calls.run(async () => {
        const session = await lookAt(deps, caller, address);
        return describeStatus(session, deps.store.now());
      }),
    symbols: (caller, address) =>
      calls.run(async () => describeSymbols(await viewUnrenewed(deps, caller, address))),
    runs: (caller, address, page) => calls.run(() => listRuns(deps, caller, address, page)),
    artifact: (caller, address, name) =>
      calls.run(async () => jsonText(await readArtifact(deps, caller, address, name))),
    fetchGraft: (caller, request) => calls.run(() => grafts.fetch(caller, request)),
    attachGrafts: (caller, address, set) => calls.run(() => grafts.attach(caller, address, set)),
    grafts: (caller, address) => calls.run(() => grafts.index(caller, address)),
    graft: (caller, address, graftId) => calls.run(() => grafts.read(caller, address, graftId)),
    operation: (caller, address, handle) =>
      calls.run(() => viewOperation(deps, caller, address, handle)),
    watchOperation: (caller, address, handle, { after, signal }) =>
      calls.run(() => {
        const reader = { after, signal: AbortSignal.any([signal, stopping.signal]) };
        return watchOperation(deps, caller, address, handle, reader);
      }),
    onOperation: (caller, heard, session = null) => hearOperations(deps, caller, heard, session),
    tasks: counted(calls, tasksIn(deps)),
    beginCall: (name) => beginCall(deps, name),
    cancelCall: (name) => cancelCall(deps, name),
    readResource: async (caller, uri) =>
      uri === REGISTRY_URI
        ? { uri, mimeType: "application/json", text: jsonText(await list(caller)) }
        : calls.run(() => grafts.resource(caller, uri) ?? readResource(deps, caller, uri)),
    traces: (caller) => calls.run(() => listTraces(deps, caller)),
    trace: (caller, id) => calls.run(() => readTrace(deps, caller, id)),
    watchTrace: (caller, id, signal) =>
      calls.run(() => watchTrace(deps, caller, id, AbortSignal.any([signal, stopping.signal]))),
    ping: () => deps.store.ping(),
    problemOf: (thrown) => classify(thrown, deps.defect),
    drain,
    close: async () => {
      await drain(0);
      await deps.ports.transport.close();
      await grafts.close();
      await deps.store.close();
    },
  };
  return actingEngine(tracingEngine(engine, deps), deps.store);
}
