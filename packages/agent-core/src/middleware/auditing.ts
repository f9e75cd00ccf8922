import { noteAudit } from "../audit/audit-log.ts";
import type { EngineCalls } from "../engine-calls.ts";
import type { Engine } from "../engine.ts";
import { Failure, type Problem } from "../errors/problem.ts";
import type { Caller } from "../identity/caller.ts";
import { tenantOfScope } from "../identity/tenant-scope.ts";
import type { StoreOps } from "../store-port.ts";

/** Refusals of one caller that stand each in a line of their own, in a minute: nobody fills a log by asking again and again. */
const MOST = 60;
const WINDOW_MS = 60_000;

/** Who was refused, as the audit log tells it. */
interface RefusedCaller {
  readonly tenant: string;
  readonly subject: string | null;
  readonly actingFor: string | null;
  readonly requestId: string | null;
}

interface Window {
  noted: number;
  /** refusals that have no line of their own */
  more: number;
}

interface RefusalLogOptions {
  readonly store: StoreOps;
  readonly warn: (what: string, cause: unknown) => void;
}

/** Why a call was refused for what its caller may not do. */
interface Refusal {
  readonly outcome: string;
  /** what of a program policy denies, which names the capability */
  readonly denied: string | null;
}

/** Returns null where a call was not refused, or for another reason than what its caller may do. */
function refusalIn({ status, code, errors }: Problem): Refusal | null {
  const denied = errors.find((one) => one.code === "policy_denied")?.message ?? null;
  if (status === 403) return { outcome: code, denied };
  return denied === null ? null : { outcome: "policy_denied", denied };
}

/** Notes in the audit log who was refused what policy forbids (OPS-40). */
export class RefusalLog {
  readonly #options: RefusalLogOptions;
  readonly #windows = new Map<string, Window>();

  constructor(options: RefusalLogOptions) {
    this.#options = options;
  }

  /** Notes how a call ended, if it was refused. Never throws: who is refused is refused, whatever becomes of the line. */
  async note(call: string, caller: RefusedCaller, problem: Problem): Promise<void> {
    const refusal = refusalIn(problem);
    if (refusal === null) return;
    const window = this.#windowOf(caller);
    if (window.noted >= MOST) {
      window.more += 1;
      return;
    }
    window.noted += 1;
    const { outcome, denied } = refusal;
    await this.#write(caller, outcome, denied === null ? call : `${call}: ${denied}`);
  }

  #windowOf(caller: RefusedCaller): Window {
    const key = JSON.stringify([caller.tenant, caller.subject]);
    const open = this.#windows.get(key);
    if (open !== undefined) return open;
    const window: Window = { noted: 0, more: 0 };
    this.#windows.set(key, window);
    setTimeout(() => {
      this.#windows.delete(key);
      if (window.more === 0) return;
      const detail = `${window.more} more within a minute`;
      void this.#write({ ...caller, actingFor: null, requestId: null }, null, detail);
    }, WINDOW_MS).unref();
    return window;
  }

  async #write(caller: RefusedCaller, outcome: string | null, detail: string): Promise<void> {
    const { store, warn } = this.#options;
    try {
      await noteAudit(store, caller.tenant, {
        kind: "refused",
        subject: caller.subject,
        acting_for: caller.actingFor,
        request_id: caller.requestId,
        outcome,
        detail,
      });
    } catch (cause) {
      warn("A refusal could not be noted in the audit log", cause);
    }
  }
}

type AuditCall = <T>(call: string, caller: Caller, work: Promise<T>) => Promise<T>;

/** What notes in the audit log how a call of this caller was refused. */
export const refusalsIn =
  (refusals: RefusalLog): Engine["noteRefusal"] =>
  (call, { scope, subject, actingFor = null, requestId = null }, problem) =>
    refusals.note(call, { tenant: tenantOfScope(scope), subject, actingFor, requestId }, problem);

/**
 * Calls whose refusals stand in the audit log, whichever surface they came by (OPS-40). Each call is named here, so that one
 * that is forgotten does not compile; of tasks, those that may be refused.
 */
export function withAuditing(engine: EngineCalls, ended: Engine["noteRefusal"]): EngineCalls {
  const audited: AuditCall = async (call, caller, work) => {
    try {
      return await work;
    } catch (thrown) {
      if (thrown instanceof Failure) await ended(call, caller, thrown.problem);
      throw thrown;
    }
  };
  return {
    context: (caller, request) => audited("context", caller, engine.context(caller, request)),
    plan: (caller, to, program) => audited("plan", caller, engine.plan(caller, to, program)),
    explain: (caller, to, request) =>
      audited("explain", caller, engine.explain(caller, to, request)),
    run: (caller, to, request) => audited("run", caller, engine.run(caller, to, request)),
    discover: engine.discover,
    registry: engine.registry,
    registryEntry: engine.registryEntry,
    describe: engine.describe,
    status: engine.status,
    symbols: engine.symbols,
    runs: engine.runs,
    artifact: (caller, to, name) => audited("snapshot", caller, engine.artifact(caller, to, name)),
    fetchGraft: (caller, request) => audited("graft", caller, engine.fetchGraft(caller, request)),
    attachGrafts: (caller, to, set) =>
      audited("grafts", caller, engine.attachGrafts(caller, to, set)),
    grafts: (caller, to) => audited("grafts", caller, engine.grafts(caller, to)),
    graft: (caller, to, graftId) => audited("graft", caller, engine.graft(caller, to, graftId)),
    operation: (caller, to, handle) =>
      audited("operation", caller, engine.operation(caller, to, handle)),
    watchOperation: (caller, to, handle, reader) =>
      audited("operation", caller, engine.watchOperation(caller, to, handle, reader)),
    onOperation: engine.onOperation,
    tasks: {
      ...engine.tasks,
      start: async (caller, to, request) => {
        const task = await engine.tasks.start(caller, to, request);
        // A task that is refused is one that has failed.
        if (task.begun.kind === "problem") await ended("run", caller, task.begun.problem);
        return task;
      },
      result: (caller, id, signal) =>
        audited("operation", caller, engine.tasks.result(caller, id, signal)),
    },
    programs: {
      save: (caller, to, request) =>
        audited("program", caller, engine.programs.save(caller, to, request)),
      import: (caller, text) => audited("program", caller, engine.programs.import(caller, text)),
      list: engine.programs.list,
      find: (caller, name) => audited("program", caller, engine.programs.find(caller, name)),
      remove: (caller, name) => audited("program", caller, engine.programs.remove(caller, name)),
      open: (caller, name, values) =>
        audited("program", caller, engine.programs.open(caller, name, values)),
    },
    schedules: {
      create: (caller, request) =>
        audited("schedule", caller, engine.schedules.create(caller, request)),
      list: engine.schedules.list,
      find: (caller, id) => audited("schedule", caller, engine.schedules.find(caller, id)),
      pause: (caller, id) => audited("schedule", caller, engine.schedules.pause(caller, id)),
      resume: (caller, id) => audited("schedule", caller, engine.schedules.resume(caller, id)),
      remove: (caller, id) => audited("schedule", caller, engine.schedules.remove(caller, id)),
      events: (caller, id, after) =>
        audited("schedule", caller, engine.schedules.events(caller, id, after)),
      follow: (caller, id, reader) =>
        audited("schedule", caller, engine.schedules.follow(caller, id, reader)),
      told: engine.schedules.told,
    },
    beginCall: engine.beginCall,
    cancelCall: engine.cancelCall,
    readResource: (caller, uri) => audited("resource", caller, engine.readResource(caller, uri)),
    operations: engine.operations,
    operationOf: engine.operationOf,
    cancelOperation: (caller, uuid) =>
      audited("cancel", caller, engine.cancelOperation(caller, uuid)),
    traces: engine.traces,
    trace: engine.trace,
    watchTrace: engine.watchTrace,
  };
}
