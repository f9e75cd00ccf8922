import { jsonResource, resourceJson, readArtifact, readResource } from "./artifacts/resources.ts";
import { parseResourceUri, REGISTRY_URI } from "./artifacts/uris.ts";
import type { EngineContext } from "./engine-context.ts";
import type { Engine } from "./engine.ts";
import type { Grafts } from "./grafts/grafts.ts";
import { actingFor, type Caller } from "./identity/caller.ts";
import { beginCall, cancelCall } from "./program/calls.ts";
import { subscribeToOperations } from "./program/operation/events.ts";
import { cancelByUuid, listOperations, readOperation } from "./program/operation/all-operations.ts";
import { listRuns } from "./program/operation/list-runs.ts";
import { tasksIn } from "./program/operation/tasks.ts";
import { viewOperation, watchOperation } from "./program/operation/watch-operation.ts";
import { discoverAll } from "./program/saved/discover-programs.ts";
import { savedProgramsIn } from "./program/saved/saved-programs.ts";
import { readWatch, schedulesIn } from "./program/schedules/schedules.ts";
import { withSeededPrograms } from "./program/saved/taught-programs.ts";
import { explainProgram } from "./program/plan/explain-program.ts";
import { dryRun } from "./program/plan/plan-program.ts";
import { runProgram } from "./program/run/run-program.ts";
import { listRegistry, registryEntry, type RegistryReader } from "./registry/listing.ts";
import { describeSession, describeStatus, describeSymbols } from "./session/describe.ts";
import { lookAt, viewUnrenewed } from "./session/locate.ts";
import { listTraces, readTrace } from "./trace/read-trace.ts";
import { watchTrace } from "./trace/watch-trace.ts";

/** What callers ask of an engine; the rest of it is for its host. */
export type EngineCalls = Omit<
  Engine,
  "ping" | "storage" | "problemOf" | "noteRefusal" | "drain" | "close"
>;

/** The calls of an engine as such: who acts, what is traced and who waits is for the wrappers of middleware.ts. */
export function engineCalls(parts: EngineContext, grafts: Grafts): EngineCalls {
  const readerFor = async (caller: Caller): Promise<RegistryReader> => ({
    policy: await parts.policies.policyOf(caller.scope),
    credentials: parts.secretsOf(caller, "").credentials,
  });
  const list = async (caller: Caller) => listRegistry(parts.registry, await readerFor(caller));
  const untilStopped = (signal: AbortSignal): AbortSignal =>
    AbortSignal.any([signal, parts.stopping]);
  const context: EngineCalls["context"] = async (caller, request) => {
    const who = actingFor(caller, request.principal, parts.delegation);
    return grafts.context(who, await withSeededPrograms(parts, who, request));
  };
  return {
    context,
    plan: (caller, address, program) => dryRun(parts, caller, address, program),
    explain: (caller, address, request) => explainProgram(parts, caller, address, request),
    run: (caller, address, request) => runProgram(parts, caller, address, request),
    discover: (caller, request) => discoverAll(parts, caller, request),
    registry: list,
    registryEntry: async (caller, entryId) =>
      registryEntry(parts.registry, await readerFor(caller), entryId),
    describe: async (caller, address) =>
      describeSession(await viewUnrenewed(parts, caller, address)),
    status: async (caller, address) =>
      describeStatus(await lookAt(parts, caller, address), parts.store.now()),
    symbols: async (caller, address) =>
      describeSymbols(await viewUnrenewed(parts, caller, address)),
    runs: (caller, address, page) => listRuns(parts, caller, address, page),
    artifact: async (caller, address, name) =>
      resourceJson(await readArtifact(parts, caller, address, name)),
    fetchGraft: (caller, request) => grafts.fetch(caller, request),
    attachGrafts: (caller, address, set) => grafts.attach(caller, address, set),
    grafts: (caller, address) => grafts.index(caller, address),
    graft: (caller, address, graftId) => grafts.read(caller, address, graftId),
    operation: (caller, address, handle) => viewOperation(parts, caller, address, handle),
    watchOperation: (caller, address, handle, { after, signal }) =>
      watchOperation(parts, caller, address, handle, { after, signal: untilStopped(signal) }),
    onOperation: (caller, heard, session = null) =>
      subscribeToOperations(parts, caller, heard, session),
    tasks: tasksIn(parts),
    programs: savedProgramsIn(parts, context),
    schedules: schedulesIn(parts, context),
    beginCall: (name) => beginCall(parts, name),
    cancelCall: (name) => cancelCall(parts, name),
    readResource: async (caller, uri) => {
      if (uri === REGISTRY_URI) return jsonResource(uri, await list(caller));
      const address = parseResourceUri(uri);
      if (address?.kind === "watch") {
        return jsonResource(uri, await readWatch(parts, caller, address.id, address.after));
      }
      return grafts.resource(caller, uri) ?? readResource(parts, caller, uri);
    },
    operations: (caller, query) => listOperations(parts, caller, query),
    operationOf: (caller, uuid) => readOperation(parts, caller, uuid),
    cancelOperation: (caller, uuid) => cancelByUuid(parts, caller, uuid),
    traces: (caller) => listTraces(parts, caller),
    trace: (caller, id) => readTrace(parts, caller, id),
    watchTrace: (caller, id, signal) => watchTrace(parts, caller, id, untilStopped(signal)),
  };
}
