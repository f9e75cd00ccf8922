import type { EngineCalls } from "../engine-calls.ts";
import type { LiveOutcome } from "../outcome.ts";
import type { CallTracker } from "../program/calls.ts";
import type { SavedPrograms } from "../program/saved/saved-programs.ts";
import type { Schedules } from "../program/schedules/schedules.ts";
import type { Tasks } from "../program/operation/tasks.ts";

/** Rows, and nothing that was changed: what was kept of them may reach the disk after the answer (SESS-30). */
const onlyRead = ({ kind, meta }: LiveOutcome): boolean =>
  kind === "finished" && meta.effects?.length === 0;

/**
 * Calls that a stopping engine waits for (OPS-16). Those that only look at what is on offer, listen, or cancel are not
 * counted. Each call is named here: one that is forgotten does not compile.
 */
export const withCounting = (engine: EngineCalls, calls: CallTracker): EngineCalls => ({
  context: (caller, request) => calls.run(() => engine.context(caller, request)),
  plan: (caller, address, program) => calls.run(() => engine.plan(caller, address, program)),
  explain: (caller, address, request) =>
    calls.run((stop) => {
      const signal = calls.either(stop, request.signal);
      return engine.explain(caller, address, { ...request, signal });
    }),
  run: (caller, address, request) =>
    calls.run((stop) => {
      const signal = calls.either(stop, request.signal);
      return engine.run(caller, address, { ...request, signal });
    }, onlyRead),
  discover: engine.discover,
  registry: engine.registry,
  registryEntry: engine.registryEntry,
  describe: (caller, address) => calls.run(() => engine.describe(caller, address)),
  status: (caller, address) => calls.run(() => engine.status(caller, address)),
  symbols: (caller, address) => calls.run(() => engine.symbols(caller, address)),
  runs: (caller, address, page) => calls.run(() => engine.runs(caller, address, page)),
  artifact: (caller, address, name) => calls.run(() => engine.artifact(caller, address, name)),
  fetchGraft: (caller, request) => calls.run(() => engine.fetchGraft(caller, request)),
  attachGrafts: (caller, address, set) =>
    calls.run(() => engine.attachGrafts(caller, address, set)),
  grafts: (caller, address) => calls.run(() => engine.grafts(caller, address)),
  graft: (caller, address, graftId) => calls.run(() => engine.graft(caller, address, graftId)),
  operation: (caller, address, handle) =>
    calls.run(() => engine.operation(caller, address, handle)),
  watchOperation: (caller, address, handle, reader) =>
    calls.run(() => engine.watchOperation(caller, address, handle, reader)),
  onOperation: engine.onOperation,
  tasks: countedTasks(engine.tasks, calls),
  programs: countedPrograms(engine.programs, calls),
  schedules: countedSchedules(engine.schedules, calls),
  beginCall: engine.beginCall,
  cancelCall: engine.cancelCall,
  readResource: (caller, uri) => calls.run(() => engine.readResource(caller, uri)),
  operations: (caller, query) => calls.run(() => engine.operations(caller, query)),
  operationOf: (caller, uuid) => calls.run(() => engine.operationOf(caller, uuid)),
  cancelOperation: (caller, uuid) => calls.run(() => engine.cancelOperation(caller, uuid)),
  traces: (caller) => calls.run(() => engine.traces(caller)),
  trace: (caller, id) => calls.run(() => engine.trace(caller, id)),
  watchTrace: (caller, id, signal) => calls.run(() => engine.watchTrace(caller, id, signal)),
});

const countedPrograms = (programs: SavedPrograms, calls: CallTracker): SavedPrograms => ({
  save: (caller, address, request) => calls.run(() => programs.save(caller, address, request)),
  import: (caller, text) => calls.run(() => programs.import(caller, text)),
  list: (caller) => calls.run(() => programs.list(caller)),
  find: (caller, name) => calls.run(() => programs.find(caller, name)),
  remove: (caller, name) => calls.run(() => programs.remove(caller, name)),
  open: (caller, name, values) => calls.run(() => programs.open(caller, name, values)),
});

const countedSchedules = (schedules: Schedules, calls: CallTracker): Schedules => ({
  create: (caller, request) => calls.run(() => schedules.create(caller, request)),
  list: (caller, program) => calls.run(() => schedules.list(caller, program)),
  find: (caller, id) => calls.run(() => schedules.find(caller, id)),
  pause: (caller, id) => calls.run(() => schedules.pause(caller, id)),
  resume: (caller, id) => calls.run(() => schedules.resume(caller, id)),
  remove: (caller, id) => calls.run(() => schedules.remove(caller, id)),
  events: (caller, id, after) => calls.run(() => schedules.events(caller, id, after)),
  follow: (caller, id, reader) => calls.run(() => schedules.follow(caller, id, reader)),
  told: (place, request) => calls.run(() => schedules.told(place, request)),
});

const countedTasks = (tasks: Tasks, calls: CallTracker): Tasks => ({
  start: (caller, address, request) =>
    calls.run((stop) => {
      const signal = calls.either(stop, request.signal);
      return tasks.start(caller, address, { ...request, signal });
    }),
  adopt: (caller, address, handle) => calls.run(() => tasks.adopt(caller, address, handle)),
  get: (caller, taskId) => calls.run(() => tasks.get(caller, taskId)),
  result: (caller, taskId, signal) =>
    calls.run((stop) => tasks.result(caller, taskId, calls.either(stop, signal))),
  list: (caller) => calls.run(() => tasks.list(caller)),
  cancel: (caller, taskId) => calls.run(() => tasks.cancel(caller, taskId)),
});
