import { type ObservableResult, metrics } from "@opentelemetry/api";
import { spilledBytes } from "@plasm/runtime";
import { AuditLinker, LINK_EVERY_MS } from "./audit/audit-log.ts";
import { engineCalls } from "./engine-calls.ts";
import { type EngineContext, type EngineOptions, createEngineContext } from "./engine-context.ts";
import type { Engine } from "./engine.ts";
import { classify } from "./errors/classify.ts";
import { NO_GRAFT_PROVIDER } from "./grafts/graft-key.ts";
import { graftsIn } from "./grafts/grafts.ts";
import { METER } from "./meter.ts";
import { RefusalLog, refusalsIn, withAuditing } from "./middleware/auditing.ts";
import { withCounting } from "./middleware/counting.ts";
import { withDelegation } from "./middleware/delegation.ts";
import { withLimits } from "./middleware/limits.ts";
import { withTracing } from "./middleware/tracing.ts";
import { NoticeSender, SEND_EVERY_MS } from "./notices/outbox.ts";
import { CallTracker } from "./program/calls.ts";
import { relayRemoteEvents } from "./program/operation/events.ts";
import { resumeOperation } from "./program/operation/resume-operation.ts";
import { OrphanScanner } from "./program/operation/unfinished.ts";
import { SHUTDOWN } from "./program/run/failed-run.ts";
import { DUE_EVERY_MS, Scheduler } from "./program/schedules/scheduler.ts";
import { DEFAULT_BOUNDS, DEFAULT_RETENTION } from "./retention/retention.ts";
import { LOOK_EVERY_MS, SWEEP_EVERY_MS, Sweeper } from "./retention/sweep.ts";
import type { Storage } from "./store-port.ts";

/** Keeps the store from growing for ever (SESS-37). */
function sweeperOf(
  { retention = DEFAULT_RETENTION, bounds = DEFAULT_BOUNDS, store }: EngineOptions,
  parts: EngineContext,
): Sweeper {
  const { sessionLifetimeMs: sessionLifetime, warn, tenants } = parts;
  const times = { ...retention, sessionLifetime };
  const [everyMs, lookEveryMs] = [SWEEP_EVERY_MS, LOOK_EVERY_MS];
  return new Sweeper({ store, times, everyMs, warn, tenants, limit: bounds.store, lookEveryMs });
}

function leftoversOf(
  { lookEveryMs }: EngineOptions,
  { store, queue, leaseMs, warn }: EngineContext,
): OrphanScanner {
  return new OrphanScanner({ store, queue, everyMs: lookEveryMs ?? leaseMs / 3, warn });
}

/** The calls that a stopping engine waits for. */
const callsOf = ({ store, warn }: EngineContext): CallTracker =>
  new CallTracker(async () => {
    // What an answer tells of was awaited on its own: only the renewal of its session is in doubt.
    await store
      .durable?.()
      .catch((cause: unknown) => warn("A session's renewal was not kept", cause));
  });

/**
 * Makes the engine that every surface calls: sessions, plans, live runs and resources on one store.
 * It runs operations, those of a process that has died too, as long as it is open (OPS-31).
 */
export function createEngine(options: EngineOptions): Engine {
  const stopping = new AbortController();
  const parts = createEngineContext(options, stopping.signal);
  const calls = callsOf(parts);
  const grafts = graftsIn(parts, options.grafts ?? NO_GRAFT_PROVIDER);
  parts.queue.work((place) => resumeOperation(parts, place));
  const leftovers = leftoversOf(options, parts);
  leftovers.start();
  relayRemoteEvents(parts);
  const sweeper = sweeperOf(options, parts);
  sweeper.start();
  const noteRefusal = refusalsIn(new RefusalLog(parts));
  const linker = new AuditLinker({
    store: parts.store,
    everyMs: LINK_EVERY_MS,
    warn: parts.warn,
  });
  linker.start();
  const sender = new NoticeSender({
    store: parts.store,
    targets: options.notices ?? [],
    everyMs: SEND_EVERY_MS,
    warn: parts.warn,
  });
  sender.start();
  const storage = async (): Promise<Storage | null> => {
    const size = await parts.store.size?.();
    const limit = (options.bounds ?? DEFAULT_BOUNDS).store;
    return size === undefined ? null : { ...size, limit, spilled: spilledBytes() };
  };
  const unmeter = meterStore(storage);
  const drain = async (graceMs: number): Promise<void> => {
    await scheduler.stop();
    await calls.drain(graceMs);
    stopping.abort(SHUTDOWN);
    await Promise.all([leftovers.end(), sweeper.stop(), sender.stop()]);
    // Other processes are told of what there is while they can be.
    await parts.trace.stop();
    await parts.queue.stop();
    await Promise.all([linker.stop(), parts.quotas.stop()]);
  };
  const limited = withLimits(engineCalls(parts, grafts), parts, options.repeatedFailures);
  const traced = withTracing(withCounting(limited, calls), parts);
  const everyMs = Math.min(DUE_EVERY_MS, options.lookEveryMs ?? Infinity);
  const scheduler = new Scheduler({ deps: parts, engine: traced, everyMs });
  scheduler.start();
  return {
    ...withAuditing(withDelegation(traced, parts.store), noteRefusal),
    noteRefusal,
    ping: async () => {
      await parts.store.ping();
      parts.storeFaults.passed();
    },
    storage,
    problemOf: (thrown) => {
      parts.storeFaults.note(thrown);
      return classify(thrown, parts.defect);
    },
    drain,
    close: async () => {
      unmeter();
      await drain(0);
      await parts.ports.transport.close();
      await grafts.close();
      await parts.store.close();
    },
  };
}

/** Figures that an application which has set up OpenTelemetry's metrics collects, in bytes. */
const FIGURES = {
  "plasm.store.used": "used",
  "plasm.store.on_disk": "onDisk",
  "plasm.store.limit": "limit",
  "plasm.rows.spilled": "spilled",
} as const satisfies Readonly<Record<string, keyof Storage>>;

/** Has metrics say how full a store is, and what rows take of the disk beside it; gives what ends it. */
function meterStore(storage: () => Promise<Storage | null>): () => void {
  const meter = metrics.getMeter(METER);
  const ends = Object.entries(FIGURES).map(([name, figure]) => {
    const gauge = meter.createObservableGauge(name, { unit: "By" });
    const observe = async (result: ObservableResult): Promise<void> => {
      const found = await storage();
      if (found !== null) result.observe(found[figure]);
    };
    gauge.addCallback(observe);
    return () => gauge.removeCallback(observe);
  });
  return () => {
    for (const end of ends) end();
  };
}
