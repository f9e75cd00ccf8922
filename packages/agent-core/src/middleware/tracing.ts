import type { ResourceAnswer } from "../answer/answer.ts";
import type { ContextMeta, ProblemMeta } from "../answer/meta.ts";
import { parseResourceUri } from "../artifacts/uris.ts";
import type { EngineCalls } from "../engine-calls.ts";
import { Failure } from "../errors/problem.ts";
import type { ReadGraft } from "../grafts/read.ts";
import { actingFor, type Caller, principalOf } from "../identity/caller.ts";
import type { ExplanationOutcome, LiveOutcome, PlanOutcome } from "../outcome.ts";
import type { TraceSink } from "../ports.ts";
import type { TracedCall, TraceFact, TraceKey } from "../records/traces.ts";
import { actingIn } from "../session/delegation.ts";
import type { SessionAddress } from "../session/handles.ts";
import { locateOwner } from "../session/locate.ts";
import type { SessionDeps } from "../session/session-deps.ts";

/** What tracing calls needs. */
export interface CallTracing extends SessionDeps {
  readonly trace: TraceSink;
}

/**
 * Calls that stand in the traces of their sessions, whichever surface they came by (SURF-29): contexts, programs and
 * what fetches grafts. Each call is named here: one that is forgotten does not compile.
 */
export function withTracing(engine: EngineCalls, deps: CallTracing): EngineCalls {
  const traced = tracedProgram(deps);
  return {
    context: (caller, request) => {
      const { session, principal } = request;
      const began = performance.now();
      return observed(engine.context(caller, request), (end) => {
        const fact = callFact("plasm_context", end, {}, began);
        if (end.answer !== null) {
          deps.trace.note(openedTrace(deps, caller, principal, end.answer.meta), fact);
        } else if (session !== undefined) {
          deps.trace.noteWhere(() => traceAt(deps, caller, { kind: "pair", ...session }), fact);
        }
      });
    },
    plan: (caller, to, program) => traced("plasm", caller, to, engine.plan(caller, to, program)),
    explain: (caller, to, request) =>
      traced("plasm", caller, to, engine.explain(caller, to, request)),
    run: (caller, to, request) => traced("plasm_run", caller, to, engine.run(caller, to, request)),
    discover: engine.discover,
    registry: engine.registry,
    registryEntry: engine.registryEntry,
    describe: engine.describe,
    status: engine.status,
    symbols: engine.symbols,
    runs: engine.runs,
    artifact: engine.artifact,
    ...tracedGrafts(engine, deps),
    attachGrafts: engine.attachGrafts,
    grafts: engine.grafts,
    operation: engine.operation,
    watchOperation: engine.watchOperation,
    onOperation: engine.onOperation,
    tasks: engine.tasks,
    programs: engine.programs,
    schedules: engine.schedules,
    beginCall: engine.beginCall,
    cancelCall: engine.cancelCall,
    operations: engine.operations,
    operationOf: engine.operationOf,
    cancelOperation: engine.cancelOperation,
    traces: engine.traces,
    trace: engine.trace,
    watchTrace: engine.watchTrace,
  };
}

/** How a call ended: with an answer, or with the problem that says why not. */
interface CallEnd<Answered> {
  /** `ok`, or the code of the problem */
  readonly outcome: string;
  readonly answer: Answered | null;
  readonly problem: ProblemMeta;
}

/** Awaits a call and hands over how it ended; what it gives or throws stays. */
async function observed<Answered>(
  work: Promise<Answered>,
  note: (end: CallEnd<Answered>) => void,
): Promise<Answered> {
  try {
    const answer = await work;
    note({ outcome: "ok", answer, problem: {} });
    return answer;
  } catch (thrown) {
    // A defect is noted by whoever answers, once.
    const failed = thrown instanceof Failure ? thrown.problem : null;
    const outcome = failed?.code ?? "plasm-internal";
    note({ outcome, answer: null, problem: failed?.meta ?? {} });
    throw thrown;
  }
}

/** What a program's call did, as far as its trace says. */
type Done = Pick<ProblemMeta, "plan_commit_ref" | "commit" | "steps" | "effects">;

function callFact(
  call: TracedCall,
  { outcome, problem }: CallEnd<unknown>,
  done: Done,
  began: number,
  accepted: string | null = null,
): TraceFact {
  const {
    plan_commit_ref = null,
    commit = null,
    steps = [],
    effects = [],
  } = { ...problem, ...done };
  return {
    type: "call",
    call,
    outcome,
    ms: Math.round(performance.now() - began),
    plan_commit_ref,
    commit,
    rows: steps.reduce((sum, { row_count: count }) => sum + count, 0),
    effects: effects.length,
    accepted,
  };
}

type TraceProgram = <Answered extends PlanOutcome | ExplanationOutcome | LiveOutcome>(
  call: TracedCall,
  caller: Caller,
  address: SessionAddress,
  work: Promise<Answered>,
) => Promise<Answered>;

/** Traces a call of a session with what its program did. */
const tracedProgram =
  (deps: CallTracing): TraceProgram =>
  (call, caller, address, work) => {
    const began = performance.now();
    return observed(work, (end) => {
      const accepted = end.answer?.kind === "accepted" ? end.answer.accepted : null;
      const fact = callFact(call, end, end.answer?.meta ?? {}, began, accepted);
      deps.trace.noteWhere(() => traceAt(deps, caller, address), fact);
    });
  };

type GraftCalls = Pick<EngineCalls, "fetchGraft" | "graft" | "readResource">;

/** What fetches grafts: the tool's parts, the route's bytes and the resource alike (GRAFT-15). */
function tracedGrafts(engine: EngineCalls, deps: CallTracing): GraftCalls {
  const call = "grafted_context_fetch";
  const fetched = <Answered>(
    caller: Caller,
    to: SessionAddress,
    graftId: string,
    work: Promise<Answered>,
    sizeOf: (answer: Answered) => number,
  ): Promise<Answered> => {
    const began = performance.now();
    const where = () => traceAt(deps, caller, to);
    return observed(work, (end) => {
      deps.trace.noteWhere(where, callFact(call, end, {}, began));
      if (end.answer === null) return;
      deps.trace.noteWhere(where, {
        type: "graft",
        graft_id: graftId,
        bytes: sizeOf(end.answer),
      });
    });
  };
  return {
    fetchGraft: (caller, request) => {
      const began = performance.now();
      return observed(engine.fetchGraft(caller, request), (end) => {
        const ref = end.answer?.meta.logical_session_ref ?? request.ref;
        // Without either there is no session, and no trace.
        if (typeof ref !== "string") return;
        const where = () => traceAt(deps, caller, { kind: "ref", ref });
        deps.trace.noteWhere(where, callFact(call, end, {}, began));
        if (end.answer === null) return;
        const { graft_id, bytes } = end.answer.meta.graft;
        deps.trace.noteWhere(where, { type: "graft", graft_id, bytes });
      });
    },
    graft: (caller, to, graftId) =>
      fetched(caller, to, graftId, engine.graft(caller, to, graftId), sizeOfGraft),
    readResource: (caller, uri) => {
      const address = parseResourceUri(uri);
      const read = engine.readResource(caller, uri);
      if (address?.kind !== "graft") return read;
      const { ref, graftId } = address;
      return fetched(caller, { kind: "ref", ref }, graftId, read, sizeOfResource);
    },
  };
}

const sizeOfGraft = ({ graft: { bytes } }: ReadGraft): number => bytes;

const sizeOfResource = (answer: ResourceAnswer): number =>
  "text" in answer ? Buffer.byteLength(answer.text) : Buffer.from(answer.blob, "base64").length;

/** Where a call's session has its trace; null where there is no such session. */
async function traceAt(
  deps: CallTracing,
  caller: Caller,
  address: SessionAddress,
): Promise<TraceKey | null> {
  const { scope } = caller;
  try {
    const who = await actingIn(deps.store, caller, address);
    const { principal: subject } = deps.delegation(who);
    const owner = await locateOwner(deps, who, address);
    const bound = address.kind === "ref" || owner !== address.sessionId;
    if (bound) return { scope, owner, kind: "logical", subject };
    return { scope, owner, kind: "execute", subject, opener: principalOf(caller) };
  } catch {
    return null;
  }
}

/** Where a context that was opened has its trace. */
function openedTrace(
  deps: CallTracing,
  caller: Caller,
  principal: unknown,
  { logical_session_id: logical, execute_binding: { session_id: owner } }: ContextMeta,
): TraceKey {
  const { scope } = caller;
  const { principal: subject } = deps.delegation(actingFor(caller, principal, deps.delegation));
  if (logical !== null) return { scope, owner: logical, kind: "logical", subject };
  return { scope, owner, kind: "execute", subject, opener: principalOf(caller) };
}
