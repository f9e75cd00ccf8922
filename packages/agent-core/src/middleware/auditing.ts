import type { RefusalLog } from "../audit/refusals.ts";
import type { Engine } from "../engine.ts";
import type { EngineCalls } from "../engine-calls.ts";
import { Failure } from "../errors/problem.ts";
import type { Caller } from "../identity/caller.ts";
import { tenantOfScope } from "../identity/tenant-scope.ts";

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
