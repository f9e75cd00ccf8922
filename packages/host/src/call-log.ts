import { createHash, randomUUID } from "node:crypto";
import { openSync } from "node:fs";
import {
  type Histogram,
  type MeterProvider,
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { Caller, Problem, ToolName } from "@plasm/agent-core";
import { METER, SECONDS, tokenCounter } from "@plasm/agent-core/internal";
import type { JsonObject } from "@plasm/core";
import { visibleLines } from "@plasm/core/internal";
import { destination, type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import { choiceIn, type Environment, HostStartError } from "./environment.ts";

/** The name of a SURF-28 record; `refused` is a call that was turned away before it had another name. */
export type LoggedCall = ToolName | "list_registry" | "refused";

/** What is known of a call while it runs; its handler fills this in. */
export interface CallNote {
  name: LoggedCall | null;
  ref: string | null;
  outcome: string;
  requestId?: string;
  /** the ref of the plan that it made or ran, and the hash of that plan */
  planCommitRef?: string;
  commit?: string;
  /** the run that it began; none where it only reads and is waited for */
  operationUuid?: string;
  /** method and route of what was refused */
  asked?: string;
  text: string;
}

/** One record per call, on every surface alike (SURF-28). */
export interface CallRecord {
  readonly name: LoggedCall;
  /** the caller's tenant scope; null where it is not known who calls */
  readonly tenant: string | null;
  /** who calls, in that tenant; null where that is not known or nobody has to say */
  readonly subject: string | null;
  /** as the audit log names it, and over HTTP its answer */
  readonly requestId?: string;
  /** the plan that it made or ran, and the run that it began, as the audit log names them */
  readonly planCommitRef?: string;
  readonly commit?: string;
  readonly operationUuid?: string;
  /** the slot that the call named its session by, else `#` and 12 hex digits of a hash of what named it */
  readonly ref: string | null;
  /** `ok`, or the code of the problem */
  readonly outcome: string;
  /** method and route of what was refused */
  readonly asked?: string;
  readonly ms: number;
  /** o200k tokens of the text that was answered */
  readonly tokensOut: number;
}

/** Takes the records of calls. */
export type CallLog = (record: CallRecord) => void;

const SLOT = /^s\d{1,9}$/;

/**
 * A ref as a record shows it. A slot is not a key; a path, a uuid or anything else a caller sends leads to a session, and
 * a reader of logs may follow a session but not enter it (SESS-9).
 */
const shownRef = (ref: string | null): string | null =>
  ref === null || SLOT.test(ref)
    ? ref
    : `#${createHash("sha256").update(ref).digest("hex").slice(0, 12)}`;

/** A caller as one call of it is made: the request has an id, and what it becomes is noted. */
export function notingCaller(caller: Caller, note: CallNote): Caller {
  const requestId = note.requestId ?? caller.requestId ?? randomUUID();
  note.requestId = requestId;
  return { ...caller, requestId, onRun: (uuid) => void (note.operationUuid = uuid) };
}

/** Notes the plan that an answer or a problem is of, where it is of one. */
export function notePlan(note: CallNote, meta: JsonObject): void {
  const { plan_commit_ref: ref, commit, plan } = meta;
  const { hash } = (plan ?? {}) as JsonObject;
  const planned = commit ?? hash;
  if (typeof ref === "string") note.planCommitRef = ref;
  if (typeof planned === "string") note.commit = planned;
}

/** Runs one call and writes its record when it is done, if it has a name by then. */
export async function logCall<T>(
  log: CallLog | undefined,
  caller: Pick<Caller, "scope" | "subject"> | null,
  name: LoggedCall | null,
  work: (note: CallNote) => Promise<T>,
): Promise<T> {
  const note: CallNote = { name, ref: null, outcome: "ok", text: "" };
  const began = performance.now();
  const tenant = caller?.scope ?? null;
  const result = await (name === null
    ? work(note)
    : callSpan(name, tenant, note, () => work(note)));
  if (note.name === null) return result;
  const ms = Math.round(performance.now() - began);
  countCall(note.name, note.outcome, ms);
  if (log === undefined) return result;
  const count = await tokenCounter();
  const { name: _, text, ref, ...noted } = note;
  const tokensOut = count(text);
  const subject = caller?.subject ?? null;
  log({ ...noted, name: note.name, tenant, subject, ref: shownRef(ref), ms, tokensOut });
  return result;
}

interface CallTimes {
  readonly provider: MeterProvider;
  readonly histogram: Histogram;
}

let callTimes: CallTimes | null = null;

/** The histogram of calls, made once for each provider: an application may set up its metrics when calls have come already. */
function callHistogram(): Histogram {
  const provider = metrics.getMeterProvider();
  if (callTimes?.provider === provider) return callTimes.histogram;
  const histogram = provider.getMeter(METER).createHistogram("plasm.call.duration.seconds", {
    unit: "s",
    description: "Calls of MCP and HTTP, by name and outcome.",
    advice: { explicitBucketBoundaries: SECONDS },
  });
  callTimes = { provider, histogram };
  return histogram;
}

/** Counts a call of any surface, for whoever has set up metrics (OPS-44). */
const countCall = (call: LoggedCall, outcome: string, ms: number): void =>
  callHistogram().record(ms / 1_000, { call, outcome });

/** Does the work of one call within a span, if an SDK is set up. The span holds no argument and no text (SURF-27). */
const callSpan = <T>(
  name: string,
  tenant: string | null,
  note: CallNote,
  work: () => Promise<T>,
): Promise<T> =>
  // Looked up each time: a tracer that is kept stays with the SDK of its first span.
  trace
    .getTracer("@plasm/mcp")
    .startActiveSpan(
      name,
      { kind: SpanKind.SERVER, attributes: tenant === null ? {} : { "plasm.tenant": tenant } },
      async (span) => {
        try {
          return await work();
        } finally {
          const { name: last, ref, outcome } = note;
          if (last !== null && last !== name) span.updateName(last);
          if (ref !== null && SLOT.test(ref)) span.setAttribute("plasm.ref", ref);
          span.setAttribute("plasm.outcome", outcome);
          if (outcome !== "ok") span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        }
      },
    );

/** 401 and 403: the sender is unknown, or may not do this. */
const isRefusal = ({ status }: Problem): boolean => status === 401 || status === 403;

/**
 * Notes that a call ended in a problem. A refused call without a name is logged, too, with `asked`: method and route,
 * and nothing that was sent there (SURF-27).
 */
export function noteProblem(note: CallNote, problem: Problem, asked: string): void {
  note.outcome = problem.code;
  note.text = problem.text;
  notePlan(note, problem.meta);
  if (note.name !== null || !isRefusal(problem)) return;
  note.name = "refused";
  note.asked = asked;
}

const STDERR = 2;

/** A stream whose records contain no control characters for the terminal that shows them; their JSON means the same. */
export const plainRecords = (to: DestinationStream): DestinationStream => ({
  write: (line) => to.write(visibleLines(line)),
});

const LEVELS = ["info", "trace", "debug", "warn", "error", "fatal", "silent"] as const;

/** How much is logged: `PLASM_LOG`, or info. Throws HostStartError for a word that is not a level. */
export const logLevelIn = (env: Environment): string => choiceIn(env, "PLASM_LOG", LEVELS);

/**
 * The log of this program, at the end of a file, or else on stderr: stdout belongs to the protocol, or to whoever started the
 * program. A file is made for its owner alone. Throws HostStartError where it cannot be written.
 */
export function openLog(level: string, file?: string): Logger {
  const target = file === undefined ? { fd: STDERR } : { fd: openForLines(file) };
  return pino(
    {
      name: "plasm",
      base: null,
      level,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: stdTimeFunctions.isoTime,
    },
    plainRecords(destination({ ...target, sync: true })),
  );
}

const OWNER_ONLY = 0o600;

function openForLines(file: string): number {
  try {
    return openSync(file, "a", OWNER_ONLY);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new HostStartError(
      `The log file ${file} cannot be written: ${why}. Name another one with --log-file.`,
    );
  }
}

/** SURF-28's records as a logger's INFO lines. */
export const callLogTo =
  (logger: Logger): CallLog =>
  ({ name, tokensOut, requestId, planCommitRef, operationUuid, ...rest }) => {
    const ids = {
      request_id: requestId,
      plan_commit_ref: planCommitRef,
      operation_uuid: operationUuid,
    };
    // What is undefined is left out of a line.
    logger.info({ ...rest, ...ids, tokens_out: tokensOut }, name);
  };
