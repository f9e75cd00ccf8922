import type {
  RequestMark,
  RequestShape,
  Transport,
  TransportFailure,
  TransportOutcome,
  TransportRequest,
} from "../ports.ts";
import {
  type RecordedExchange,
  type RecordingWriter,
  recordedExchange,
  replayedOutcome,
} from "./recording-file.ts";

/** Modes of RUN-161 besides live. */
export type RecordingMode = "record" | "replay" | "hybrid";

interface Parts {
  readonly mode: RecordingMode;
  readonly allowEffects: boolean;
  readonly live: Transport;
  readonly book: ExchangeBook;
  readonly writer: RecordingWriter;
}

const miss = (detail: string, fix: string): TransportOutcome => {
  const failure: TransportFailure = { kind: "replay_miss", sent: false, detail, fix };
  return { ok: false, failure };
};

const TO_RECORD = "record it first, or use the recording in hybrid mode: plasm serve --hybrid DIR";
const TO_ALLOW = "effects that are not recorded are sent only with --allow-effects";

const isSuccess = (outcome: TransportOutcome): boolean =>
  outcome.ok && outcome.response.status >= 200 && outcome.response.status < 300;

async function sendAndStore(
  request: TransportRequest,
  mark: RequestMark,
  { mode, live, book, writer }: Parts,
): Promise<TransportOutcome> {
  const outcome = await live.send(request);
  // What its caller broke off says nothing of the API.
  if (!outcome.ok && outcome.failure.kind === "aborted") return outcome;
  const store = (): Promise<void> => {
    const exchange = recordedExchange(mark, outcome);
    // Only hybrid asks the book: a recording would keep every body in memory.
    if (mode === "hybrid") book.add(exchange);
    return writer.write(exchange);
  };
  if (mark.later !== undefined && isSuccess(outcome)) mark.later(store);
  else await store();
  return outcome;
}

/** A transport that records, replays, or does either (RUN-161). In replay it never touches the network. */
export function recordingTransport(parts: Parts): Transport {
  const { mode, allowEffects, live, book } = parts;
  const send = async (request: TransportRequest): Promise<TransportOutcome> => {
    const mark = request.mark?.();
    if (mark === undefined) {
      return mode === "replay"
        ? miss("it is of a kind that is not recorded", TO_RECORD)
        : live.send(request);
    }
    if (mode === "record") return sendAndStore(request, mark, parts);
    const stored = book.next(mark.fingerprint);
    if (stored !== null) return replayedOutcome(stored);
    if (mode === "replay") return miss(book.missing(mark), TO_RECORD);
    if (mark.effect && !allowEffects) return miss(book.missing(mark), TO_ALLOW);
    return sendAndStore(request, mark, parts);
  };
  return Object.freeze({ send, close: () => live.close() });
}

/** The exchanges of a recording by fingerprint, each given out once, in the order they were recorded. */
interface ExchangeBook {
  /** the next exchange of a fingerprint, or null */
  next(fingerprint: string): RecordedExchange | null;
  add(exchange: RecordedExchange): void;
  /** why there is none for a request: how often it is recorded, or which recording is nearest */
  missing(mark: RequestMark): string;
}

export function exchangeBook(exchanges: readonly RecordedExchange[]): ExchangeBook {
  const byFingerprint = new Map<string, RecordedExchange[]>();
  const given = new Map<string, number>();
  const shapes: RequestShape[] = [];
  const add = (exchange: RecordedExchange): void => {
    const list = byFingerprint.get(exchange.fingerprint);
    if (list === undefined) byFingerprint.set(exchange.fingerprint, [exchange]);
    else list.push(exchange);
    if (list === undefined) shapes.push(exchange.request);
  };
  exchanges.forEach(add);
  return {
    add,
    next(fingerprint) {
      const at = given.get(fingerprint) ?? 0;
      given.set(fingerprint, at + 1);
      return byFingerprint.get(fingerprint)?.[at] ?? null;
    },
    missing({ fingerprint, shape }) {
      const times = byFingerprint.get(fingerprint)?.length ?? 0;
      if (times === 0) return nearestRecording(shape, shapes);
      return `it is recorded ${times === 1 ? "once" : `${times} times`}, and was sent once more`;
    },
  };
}

const pairText = (pair: readonly [string, string]): string => JSON.stringify(pair);

/** The names of query keys whose values differ. */
function differingKeys(a: RequestShape["query"], b: RequestShape["query"]): readonly string[] {
  const [inA, inB] = [new Set(a.map(pairText)), new Set(b.map(pairText))];
  const differing = [
    ...a.filter((pair) => !inB.has(pairText(pair))),
    ...b.filter((pair) => !inA.has(pairText(pair))),
  ];
  return [...new Set(differing.map(([name]) => name))];
}

function sharedSegments(a: string, b: string): number {
  const [first, second] = [a.split("/"), b.split("/")];
  const at = first.findIndex((segment, i) => segment !== second[i]);
  return at < 0 ? first.length : at;
}

/** How much two requests have in common; more is nearer. What is called outweighs how it is asked. */
function closeness(a: RequestShape, b: RequestShape): number {
  const segments = Math.max(a.path.split("/").length, b.path.split("/").length);
  const path = a.path === b.path ? 1 : sharedSegments(a.path, b.path) / (segments + 1);
  const keys = a.query.length + b.query.length;
  const query = keys === 0 ? 1 : 1 - differingKeys(a.query, b.query).length / (keys + 1);
  const method = a.method === b.method ? 1 : 0;
  const transport = a.transport === b.transport ? 1 : 0;
  const format = a.format === b.format ? 1 : 0;
  const template = a.template === b.template ? 1 : 0;
  return transport * 64 + template * 32 + path * 16 + method * 8 + query * 4 + format;
}

function differences(a: RequestShape, b: RequestShape): string {
  const keys = differingKeys(a.query, b.query);
  const parts = [
    ...(a.transport === b.transport ? [] : ["transport"]),
    ...(a.method === b.method ? [] : ["method"]),
    ...(a.path === b.path ? [] : ["path"]),
    ...(keys.length === 0 ? [] : [`query ${keys.slice(0, 5).join(", ")}`]),
    ...(a.format === b.format ? [] : ["format of the body"]),
  ];
  return parts.length === 0 ? "body" : parts.join(", ");
}

/**
 * The recorded request nearest to one that is not recorded, by method and path template, and in what it
 * differs; no values (RUN-142, RUN-150).
 */
function nearestRecording(wanted: RequestShape, recorded: Iterable<RequestShape>): string {
  let nearest: RequestShape | null = null;
  let best = -1;
  for (const shape of recorded) {
    const score = closeness(wanted, shape);
    if (score > best) [nearest, best] = [shape, score];
  }
  if (nearest === null) return "it holds no request at all";
  const { method, template } = nearest;
  return `nearest is ${method} ${template}, which differs in ${differences(wanted, nearest)}`;
}
