import type { ResourceAnswer } from "./answer/answer.ts";
import type { ArtifactName } from "./artifacts/resources.ts";
import type { Problem } from "./errors/problem.ts";
import type { FetchGraftArguments } from "./grafts/fetch.ts";
import type { GraftIndex, ReadGraft } from "./grafts/read.ts";
import type { Caller } from "./identity/caller.ts";
import type {
  ContextOutcome,
  DiscoveryOutcome,
  ExplanationOutcome,
  FetchedGraftOutcome,
  LiveOutcome,
  PlanOutcome,
} from "./outcome.ts";
import type { CallName, CancellableCall } from "./program/calls.ts";
import type {
  CancelledOperation,
  OperationList,
  OperationRow,
  OperationsQuery,
} from "./program/operation/all-operations.ts";
import type { OperationNote, StopHearing } from "./program/operation/events.ts";
import type { RunList, RunsPage } from "./program/operation/list-runs.ts";
import type { Tasks } from "./program/operation/tasks.ts";
import type { OperationView, StreamEvent } from "./program/operation/watch-operation.ts";
import type { ExplainArguments } from "./program/plan/explain-program.ts";
import type { RunArguments } from "./program/run/run-request.ts";
import type { SavedPrograms } from "./program/saved/saved-programs.ts";
import type { Schedules } from "./program/schedules/schedules.ts";
import type { DiscoverArguments, RegistryEntryView, RegistryRow } from "./registry/listing.ts";
import type { ContextRequest } from "./session/context-request.ts";
import type { SessionDescription, SessionStatus, SymbolTable } from "./session/describe.ts";
import type { SessionAddress } from "./session/handles.ts";
import type { Storage } from "./store-port.ts";
import type { TraceList } from "./trace/read-trace.ts";
import type { TraceDetail } from "./trace/trace-view.ts";
import type { TraceMessage } from "./trace/watch-trace.ts";

/**
 * Everything a surface calls. Each method throws Failure, or whatever went wrong inside;
 * `problemOf` makes either into the one error object of all surfaces (SURF-18, SURF-19).
 */
export interface Engine {
  /** plasm_context, POST /execute, POST …/context */
  context(caller: Caller, request: ContextRequest): Promise<ContextOutcome>;
  /** plasm: a dry run, never live (G13) */
  plan(caller: Caller, address: SessionAddress, program: unknown): Promise<PlanOutcome>;
  /** plasm with `explain`: the plan's reads and what its effects would send; no effect is sent (OPS-38) */
  explain(
    caller: Caller,
    address: SessionAddress,
    request: ExplainArguments,
  ): Promise<ExplanationOutcome>;
  /** plasm_run: live, after the gate */
  run(caller: Caller, address: SessionAddress, request: RunArguments): Promise<LiveOutcome>;
  /** discover_capabilities: text, and `{options, omitted}` as meta */
  discover(caller: Caller, request: DiscoverArguments): Promise<DiscoveryOutcome>;
  /** the catalogs the caller may use (RUN-183) */
  registry(caller: Caller): Promise<readonly RegistryRow[]>;
  /** one of them with its entities and capabilities */
  registryEntry(caller: Caller, entryId: string): Promise<RegistryEntryView>;
  /** `{prompt_hash, session, prompt, entry_id, entities, domain_revision}`; renews nothing (SESS-11) */
  describe(caller: Caller, address: SessionAddress): Promise<SessionDescription>;
  /** `{alive, expires_at}` of a session, live or not; renews nothing */
  status(caller: Caller, address: SessionAddress): Promise<SessionStatus>;
  /** the symbol map by letter, with what each symbol stands for; renews nothing */
  symbols(caller: Caller, address: SessionAddress): Promise<SymbolTable>;
  /** a page of the runs of a session that are kept, with effects and snapshots (OPS-11); renews nothing */
  runs(caller: Caller, address: SessionAddress, page?: RunsPage): Promise<RunList>;
  /** a snapshot of a session by its number or run id, as JSON; renews nothing */
  artifact(caller: Caller, address: SessionAddress, name: ArtifactName): Promise<string>;
  /** grafted_context_fetch: a part of a graft, or of the index for `*`, as text (GRAFT-12) */
  fetchGraft(caller: Caller, request: FetchGraftArguments): Promise<FetchedGraftOutcome>;
  /** attaches documents to a live session for the caller, and answers the index (GRAFT-2) */
  attachGrafts(caller: Caller, address: SessionAddress, set: unknown): Promise<GraftIndex>;
  /** the complete index of the caller's grafts in a session (GRAFT-9); renews nothing */
  grafts(caller: Caller, address: SessionAddress): Promise<GraftIndex>;
  /** a graft's exact bytes (GRAFT-11); renews nothing */
  graft(caller: Caller, address: SessionAddress, graftId: string): Promise<ReadGraft>;
  /** how an operation stands, without waiting (SURF-16) */
  operation(caller: Caller, address: SessionAddress, handle: string): Promise<OperationView>;
  /**
   * An operation from here to its end (OPS-22): `after` is the number of the last event that the reader
   * has, or null; `signal` aborts when the reader has gone.
   */
  watchOperation(
    caller: Caller,
    address: SessionAddress,
    handle: string,
    reader: { readonly after: number | null; readonly signal: AbortSignal },
  ): Promise<AsyncIterable<StreamEvent>>;
  /**
   * Calls `heard` for each event of an operation of this caller's principal, whichever process runs it: of
   * sessions that were opened on its connection, and of `session`, which a call names by ref or uuid, until
   * the function it gives is called; that resolves when all was told (OPS-23).
   */
  onOperation(
    caller: Caller,
    heard: (note: OperationNote) => void,
    session?: string | null,
  ): StopHearing;
  /** runs as MCP tasks (OPS-26) */
  readonly tasks: Tasks;
  /** programs that are kept by name (SAV-01) */
  readonly programs: SavedPrograms;
  /** saved programs that are run at times (SAV-17) */
  readonly schedules: Schedules;
  /** Makes a call of a connection cancellable by any process until it has ended (OPS-11). */
  beginCall(name: CallName): CancellableCall;
  /** Cancels a call of a connection wherever it runs; one that has ended, or never was, is none. */
  cancelCall(name: CallName): Promise<void>;
  /** a snapshot, a session's tables or grafts, or the registry, by URI (SURF-10) */
  readResource(caller: Caller, uri: string): Promise<ResourceAnswer>;
  /** operations of all sessions that the caller may see, the newest first (OPS-61) */
  operations(caller: Caller, query: OperationsQuery): Promise<OperationList>;
  /** one of them, by its uuid */
  operationOf(caller: Caller, uuid: string): Promise<OperationRow>;
  /** cancels one of them, whichever process runs it (OPS-62) */
  cancelOperation(caller: Caller, uuid: string): Promise<CancelledOperation>;
  /** the traces of the caller's scope, the newest first, without their events (SURF-29) */
  traces(caller: Caller): Promise<TraceList>;
  /** a trace by the id of its logical session, else of its execute session */
  trace(caller: Caller, id: string): Promise<TraceDetail>;
  /** the same, and what becomes of it until `signal` aborts */
  watchTrace(caller: Caller, id: string, signal: AbortSignal): Promise<AsyncIterable<TraceMessage>>;
  /** resolves while the store can be read and written */
  ping(): Promise<void>;
  /** how much the store holds, and may hold; null where it cannot tell */
  storage(): Promise<Storage | null>;
  problemOf(thrown: unknown): Problem;
  /** Notes in the audit log that a surface has refused somebody what their role does not let them (OPS-40). Never throws. */
  noteRefusal(asked: string, caller: Caller, problem: Problem): Promise<void>;
  /**
   * Takes no more calls, lets those under way end for so many milliseconds, then cancels their runs
   * (OPS-16): effects in flight are awaited and written down. Resolves when every call has ended.
   */
  drain(graceMs: number): Promise<void>;
  /** Drains without grace, and closes what the engine was given. */
  close(): Promise<void>;
}
