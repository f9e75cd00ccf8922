import { randomBytes, randomUUID } from "node:crypto";
import {
  ASYNC_WALL_SECONDS,
  createSharedHosts,
  type FileRules,
  DEFAULT_LIMITS,
  type Limits,
  type Ports,
  type RowLimits,
  RowMemory,
  type SessionOrigins,
  type SpillPlace,
} from "@plasm/runtime";
import { StoreFaultLog } from "./errors/store-faults.ts";
import type { GraftSettings } from "./grafts/graft-key.ts";
import {
  delegationIn,
  deploymentSecrets,
  keepingVariables,
  ofItsUser,
  type SessionSecretsOf,
} from "./session/secrets.ts";
import { SessionEndpoints } from "./program/run/session-endpoints.ts";
import { COUNT_EVERY_MS, QuotaLedger } from "./quotas/ledger.ts";
import { LEASE_MS } from "./program/operation/lease.ts";
import { refOf } from "./program/operation/find-operation.ts";
import { LocalQueue } from "./local-queue.ts";
import { OperationNews } from "./program/operation/events.ts";
import type { OperationDeps, SignInInvitations } from "./program/deps.ts";
import { ANSWER_HOLD_MS } from "./program/operation/start-operation.ts";
import { OPERATION_LIMITS, type OperationLimits } from "./program/operation/seats.ts";
import type { NoticeTarget } from "./notices/outbox.ts";
import type { CatalogRegistry, OperationQueue, PolicyProvider } from "./ports.ts";
import type { Store } from "./store-port.ts";
import { DEFAULT_BOUNDS, type Retention, type StoreBounds } from "./retention/retention.ts";
import { TenantBytes, withQuota } from "./retention/tenant-bytes.ts";
import { PinnedCatalogs } from "./session/catalog-content.ts";
import { KeyedLock } from "./keyed-lock.ts";
import { createOverlayReader } from "./session/read-overlay.ts";
import { SESSION_LIFETIME_MS } from "./session/session-deps.ts";
import { factCounter } from "./meter.ts";
import { DriftWatch } from "./program/run/drift.ts";
import { TraceHub } from "./trace/trace-hub.ts";

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
  /** what the rows of its runs may take; what fits this process's heap without it */
  readonly rows?: RowLimits;
  /** where rows go that do not stay in memory; they all do without it */
  readonly spill?: SpillPlace;
  /** what files may be, and which programs may name; VAL-05's limits without it, and none named (VAL-07) */
  readonly files?: FileRules;
  /** where people and requests meet this engine, for catalogs whose views take it (RUN-100) */
  readonly origins?: SessionOrigins;
  /** credentials and variables of a session; the deployment's without it (RUN-015, RUN-120) */
  readonly secretsOf?: SessionSecretsOf;
  /** asks people to sign in whose calls lack a credential; nobody is asked without it (RUN-128) */
  readonly signIn?: SignInInvitations;
  /** digest of the plug-ins that `ports.functions` come from, if any (SESS-13) */
  readonly pluginGeneration?: string | null;
  readonly sessionLifetimeMs?: number;
  /** brings operations to processes that run them; this process alone without it */
  readonly queue?: OperationQueue;
  /** how many operations may be unfinished at a time; OPS-14's numbers without it */
  readonly operations?: OperationLimits;
  /** wall time of a run that nobody waits for (RUN-130) */
  readonly asyncWallSeconds?: number;
  /** how long an accepted run is awaited before its handle is answered, in ms; 1,500 without it (OPS-13) */
  readonly answerHoldMs?: number;
  /** how long a run with effects may be silent before it counts as abandoned (OPS-31) */
  readonly leaseMs?: number;
  /** how often what other processes have left is looked for at least, in ms; a third of `leaseMs` without it */
  readonly lookEveryMs?: number;
  /** how long things are kept; SESS-37's times without it */
  readonly retention?: Retention;
  /** how many bytes may be kept; 2 GB without it */
  readonly bounds?: StoreBounds;
  /** documents besides those that callers attach (GRAFT-2); none without it */
  readonly grafts?: GraftSettings;
  /** failures of one program in a row after which it is not run again for a minute (OPS-53); 5 without it */
  readonly repeatedFailures?: number;
  /** who outside is told of what waits and what ended uncertain (OPS-49); nobody without it */
  readonly notices?: readonly NoticeTarget[];
  /** sends `traceparent` to APIs, where OpenTelemetry is set up; not without it */
  readonly propagateTraces?: boolean;
  /** what an operator should know of: defects with their id, refused snapshots */
  readonly warn?: (what: string, cause: unknown) => void;
}

const ALL_ALLOWED: PolicyProvider = { policyOf: () => ({}) };

/** What an engine is made of. */
export interface EngineContext extends OperationDeps {
  readonly trace: TraceHub;
  readonly tenants: TenantBytes;
}

/** Puts it together of what the host supplies; `stopping` aborts when the engine is stopped. */
export function createEngineContext(options: EngineOptions, stopping: AbortSignal): EngineContext {
  const { ports, registry } = options;
  const tenants = new TenantBytes((options.bounds ?? DEFAULT_BOUNDS).tenant);
  const store = withQuota(options.store, tenants);
  const storeFaults = new StoreFaultLog(options.warn ?? (() => undefined), () => store.now());
  const { warn } = storeFaults;
  const backends = options.backends ?? new Map<string, string>();
  // Hosts may be older than a budget.
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const hosts = createSharedHosts();
  const secretsOf = keepingVariables(ofItsUser(options.secretsOf ?? deploymentSecrets));
  const leaseMs = options.leaseMs ?? LEASE_MS;
  const queue = options.queue ?? new LocalQueue(store, warn);
  return {
    store,
    tenants,
    registry,
    policies: options.policies ?? ALL_ALLOWED,
    backends,
    pluginGeneration: options.pluginGeneration ?? null,
    delegation: delegationIn(secretsOf),
    overlays: createOverlayReader({ store, ports, backends, limits, hosts, secretsOf, warn }),
    pinned: new PinnedCatalogs([...ports.functions.keys()], (id) => registry.get(id)),
    newSessionId: () => randomBytes(16).toString("hex"),
    sessionLifetimeMs: options.sessionLifetimeMs ?? SESSION_LIFETIME_MS,
    ports,
    limits,
    hosts,
    rowMemory: new RowMemory(options.rows),
    spill: options.spill ?? null,
    ...(options.files === undefined ? {} : { files: options.files }),
    origins: options.origins ?? {},
    secretsOf,
    signIn: options.signIn ?? null,
    accounts: options.signIn ?? null,
    endpoints: new SessionEndpoints(),
    contexts: new KeyedLock(),
    pages: new KeyedLock(),
    running: new Map(),
    unkept: new Map(),
    unfinished: options.operations ?? OPERATION_LIMITS,
    leaseMs,
    queue,
    trace: new TraceHub({
      store,
      warn,
      announce: (place) => queue.announce(place),
      count: factCounter(),
    }),
    propagate: options.propagateTraces ?? false,
    asyncWallSeconds: options.asyncWallSeconds ?? ASYNC_WALL_SECONDS,
    answerHoldMs: options.answerHoldMs ?? ANSWER_HOLD_MS,
    stopping,
    news: new OperationNews((principal, record) => refOf({ store }, principal, record)),
    drift: new DriftWatch(store, warn),
    noticeTargets: (options.notices ?? []).map(({ name }) => name),
    quotas: new QuotaLedger({ store, everyMs: COUNT_EVERY_MS, warn }),
    warn,
    storeFaults,
    defect: (thrown) => {
      const id = randomUUID();
      warn(`internal error ${id}`, thrown);
      return id;
    },
  };
}
