import { randomBytes, randomUUID } from "node:crypto";
import { DEFAULT_LIMITS, type Limits, type Ports } from "@plasm/runtime";
import { readResource } from "./artifacts/read-resource.ts";
import { REGISTRY_URI } from "./artifacts/uris.ts";
import { dryRun } from "./commit/dry-run.ts";
import type { Engine } from "./engine.ts";
import { classify } from "./errors/classify.ts";
import { refuseForeignPrincipal } from "./identity/refuse-foreign-principal.ts";
import type { LiveDeps } from "./live-run/live-deps.ts";
import { LEASE_MS } from "./live-run/run-lease.ts";
import { runProgram } from "./live-run/run-program.ts";
import type { CatalogRegistry, PolicyProvider, Store } from "./ports.ts";
import { discoverSeeds } from "./registry/discover.ts";
import { listRegistry, registryEntry } from "./registry/list-registry.ts";
import { PinnedCatalogs } from "./session/catalog-content.ts";
import { contextMeta } from "./session/context-meta.ts";
import { describeSession } from "./session/describe.ts";
import { KeyedLock } from "./session/keyed-lock.ts";
import { locate } from "./session/locate.ts";
import { openContext } from "./session/open-context.ts";
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
  readonly sessionLifetimeMs?: number;
  /** how long a run with effects may be silent before it counts as abandoned (OPS-31) */
  readonly leaseMs?: number;
  /** what an operator should know of: defects with their id, refused snapshots */
  readonly warn?: (what: string, cause: unknown) => void;
}

const ALL_ALLOWED: PolicyProvider = { policyOf: () => ({}) };

function depsOf(options: EngineOptions): LiveDeps {
  const warn = options.warn ?? (() => undefined);
  return {
    store: options.store,
    registry: options.registry,
    policies: options.policies ?? ALL_ALLOWED,
    backends: options.backends ?? new Map(),
    pinned: new PinnedCatalogs(),
    newSessionId: () => randomBytes(16).toString("hex"),
    sessionLifetimeMs: options.sessionLifetimeMs ?? SESSION_LIFETIME_MS,
    ports: options.ports,
    limits: options.limits ?? DEFAULT_LIMITS,
    contexts: new KeyedLock(),
    pages: new KeyedLock(),
    running: new Map(),
    processId: randomUUID(),
    leaseMs: options.leaseMs ?? LEASE_MS,
    warn,
    defect: (thrown) => {
      const id = randomUUID();
      warn(`internal error ${id}`, thrown);
      return id;
    },
  };
}

/** Makes the engine that every surface calls: sessions, plans, live runs and resources on one store. */
export function createEngine(options: EngineOptions): Engine {
  const deps = depsOf(options);
  const policyOf = (scope: string) => deps.policies.policyOf(scope);
  const list = (scope: string) => listRegistry(deps.registry, policyOf(scope));
  return {
    context: async (caller, request) => {
      refuseForeignPrincipal(caller, request.principal);
      const outcome = await openContext(deps, caller, request);
      return { text: outcome.text, meta: contextMeta(outcome) };
    },
    plan: (caller, address, program) => dryRun(deps, caller, address, program),
    run: (caller, address, request) => runProgram(deps, caller, address, request),
    discover: async (caller, request) =>
      discoverSeeds(deps.registry, deps.policies, caller, request),
    registry: (caller) => list(caller.scope),
    registryEntry: (caller, entryId) =>
      registryEntry(deps.registry, policyOf(caller.scope), entryId),
    describe: async (caller, address) => describeSession(await locate(deps, caller, address)),
    readResource: async (caller, uri) =>
      uri === REGISTRY_URI
        ? { uri, mimeType: "application/json", text: JSON.stringify(list(caller.scope)) }
        : readResource(deps, caller, uri),
    ping: () => deps.store.ping(),
    problemOf: (thrown) => classify(thrown, deps.defect),
    close: async () => {
      await deps.ports.transport.close();
      await deps.store.close();
    },
  };
}
