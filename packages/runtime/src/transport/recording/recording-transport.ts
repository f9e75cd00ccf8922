import type {
  RequestMark,
  Transport,
  TransportFailure,
  TransportOutcome,
  TransportRequest,
} from "../../ports.ts";
import type { ExchangeBook } from "./exchange-book.ts";
import { recordedExchange, replayedOutcome } from "./recorded-exchange.ts";
import type { RecordingWriter } from "./recording-file.ts";

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
