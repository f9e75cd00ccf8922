import { jsonText, readArtifact, readResource } from "./artifacts/resources.ts";
import { REGISTRY_URI } from "./artifacts/uris.ts";
import { dryRun } from "./program/plan/plan-program.ts";
import type { EngineParts } from "./engine-context.ts";
import type { Engine } from "./engine.ts";
import type { Grafts } from "./grafts/grafts.ts";
import { actingFor, type Caller } from "./identity/caller.ts";
import { beginCall, type CallsUnderWay, cancelCall } from "./program/calls.ts";
import { explainProgram } from "./program/plan/explain-program.ts";
import { hearOperations } from "./program/operation/events.ts";
import { listRuns } from "./program/operation/list-runs.ts";
import { runProgram } from "./program/run/run-program.ts";
import { type Tasks, tasksIn } from "./program/operation/tasks.ts";
import { viewOperation, watchOperation } from "./program/operation/watch-operation.ts";
import {
  discoverSeeds,
  listRegistry,
  registryEntry,
  type RegistryReader,
} from "./registry/listing.ts";
import { describeSession, describeStatus, describeSymbols } from "./session/describe.ts";
import { lookAt, viewUnrenewed } from "./session/locate.ts";
import { listTraces, readTrace } from "./trace/read-trace.ts";
import { watchTrace } from "./trace/watch-trace.ts";

/** What calls work on, and where they are counted so that a stopping engine waits for them. */
export interface CallSetting {
  readonly parts: EngineParts;
  readonly calls: CallsUnderWay;
  readonly grafts: Grafts;
}

type CatalogCalls = Pick<Engine, "discover" | "registry" | "registryEntry" | "readResource">;

/** What may be used, and what has an address. */
export function catalogCalls({ parts, calls, grafts }: CallSetting): CatalogCalls {
  const readerFor = async (caller: Caller): Promise<RegistryReader> => ({
    policy: await parts.policies.policyOf(caller.scope),
    credentials: parts.secretsOf(caller, "").credentials,
  });
  const list = async (caller: Caller) => listRegistry(parts.registry, await readerFor(caller));
  return {
    discover: async (caller, request) =>
      discoverSeeds(parts.registry, parts.policies, caller, request),
    registry: (caller) => list(caller),
    registryEntry: async (caller, entryId) =>
      registryEntry(parts.registry, await readerFor(caller), entryId),
    readResource: async (caller, uri) =>
      uri === REGISTRY_URI
        ? { uri, mimeType: "application/json", text: jsonText(await list(caller)) }
        : calls.run(() => grafts.resource(caller, uri) ?? readResource(parts, caller, uri)),
  };
}

type ProgramCalls = Pick<Engine, "context" | "plan" | "explain" | "run">;

/** Tables, plans and runs. */
export const programCalls = ({ parts, calls, grafts }: CallSetting): ProgramCalls => ({
  context: (caller, request) =>
    calls.run(async () => {
      const who = actingFor(caller, request.principal, parts.delegation);
      return grafts.context(who, request);
    }),
  plan: (caller, address, program) => calls.run(() => dryRun(parts, caller, address, program)),
  explain: (caller, address, request) =>
    calls.run((stop) => {
      const signal = calls.either(stop, request.signal);
      return explainProgram(parts, caller, address, { ...request, signal });
    }),
  run: (caller, address, request) =>
    calls.run((stop) => {
      const signal = calls.either(stop, request.signal);
      return runProgram(parts, caller, address, { ...request, signal });
    }),
});

type SessionCalls = Pick<Engine, "describe" | "status" | "symbols" | "runs" | "artifact">;

/** What is told of a session. */
export const sessionCalls = ({ parts, calls }: CallSetting): SessionCalls => ({
  describe: (caller, address) =>
    calls.run(async () => describeSession(await viewUnrenewed(parts, caller, address))),
  status: (caller, address) =>
    calls.run(async () => {
      const session = await lookAt(parts, caller, address);
      return describeStatus(session, parts.store.now());
    }),
  symbols: (caller, address) =>
    calls.run(async () => describeSymbols(await viewUnrenewed(parts, caller, address))),
  runs: (caller, address, page) => calls.run(() => listRuns(parts, caller, address, page)),
  artifact: (caller, address, name) =>
    calls.run(async () => jsonText(await readArtifact(parts, caller, address, name))),
});

type GraftCalls = Pick<Engine, "fetchGraft" | "attachGrafts" | "grafts" | "graft">;

/** Documents of a session. */
export const graftCalls = ({ calls, grafts }: CallSetting): GraftCalls => ({
  fetchGraft: (caller, request) => calls.run(() => grafts.fetch(caller, request)),
  attachGrafts: (caller, address, set) => calls.run(() => grafts.attach(caller, address, set)),
  grafts: (caller, address) => calls.run(() => grafts.index(caller, address)),
  graft: (caller, address, graftId) => calls.run(() => grafts.read(caller, address, graftId)),
});

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

type OperationCalls = Pick<
  Engine,
  "operation" | "watchOperation" | "onOperation" | "tasks" | "beginCall" | "cancelCall"
>;

/** Long runs, and calls that others may cancel. */
export const operationCalls = ({ parts, calls }: CallSetting): OperationCalls => ({
  operation: (caller, address, handle) =>
    calls.run(() => viewOperation(parts, caller, address, handle)),
  watchOperation: (caller, address, handle, { after, signal }) =>
    calls.run(() => {
      const reader = { after, signal: AbortSignal.any([signal, parts.stopping]) };
      return watchOperation(parts, caller, address, handle, reader);
    }),
  onOperation: (caller, heard, session = null) => hearOperations(parts, caller, heard, session),
  tasks: counted(calls, tasksIn(parts)),
  beginCall: (name) => beginCall(parts, name),
  cancelCall: (name) => cancelCall(parts, name),
});

type TraceCalls = Pick<Engine, "traces" | "trace" | "watchTrace">;

/** What happened in sessions. */
export const traceCalls = ({ parts, calls }: CallSetting): TraceCalls => ({
  traces: (caller) => calls.run(() => listTraces(parts, caller)),
  trace: (caller, id) => calls.run(() => readTrace(parts, caller, id)),
  watchTrace: (caller, id, signal) =>
    calls.run(() => watchTrace(parts, caller, id, AbortSignal.any([signal, parts.stopping]))),
});
