import { Buffer } from "node:buffer";
import { PAGING_HEADERS } from "../decode/more-signs.ts";
import type {
  HeaderPair,
  RequestMark,
  RequestShape,
  TransportFailure,
  TransportOutcome,
} from "../ports.ts";

/** One exchange of a recording, as its file has it (RUN-162). Bodies that are no text are base64. */
export interface RecordedExchange {
  readonly kind: "exchange";
  readonly fingerprint: string;
  readonly request: RequestShape;
  readonly answer:
    | {
        readonly status: number;
        readonly headers: readonly HeaderPair[];
        readonly body: { readonly text: string } | { readonly base64: string };
      }
    | { readonly failure: Pick<TransportFailure, "kind" | "sent" | "detail"> };
}

/**
 * What runs read of headers: RUN-162's, where a created row or a redirect leads to (RUN-027, RUN-048),
 * how long to wait (RUN-025), and how a list goes on.
 */
const KEPT_HEADERS: ReadonlySet<string> = new Set([
  ...PAGING_HEADERS,
  "content-type",
  "location",
  "retry-after",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
]);

function bodyOf(data: Uint8Array): { readonly text: string } | { readonly base64: string } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data) };
  } catch {
    return { base64: Buffer.from(data).toString("base64") };
  }
}

/** An exchange to store, without secrets. */
export function recordedExchange(mark: RequestMark, outcome: TransportOutcome): RecordedExchange {
  const { fingerprint, shape, redact, redactBody } = mark;
  const query = shape.query.map(([name, value]) => [name, redact(value)] as const);
  const request = { ...shape, path: redact(shape.path), query };
  if (!outcome.ok) {
    const { kind, sent, detail } = outcome.failure;
    const failure = { kind, sent, detail: redact(detail) };
    return { kind: "exchange", fingerprint, request, answer: { failure } };
  }
  const { status, headers, body } = outcome.response;
  const kept = headers
    .filter(([name]) => KEPT_HEADERS.has(name.toLowerCase()))
    .map(([name, value]): HeaderPair => [name.toLowerCase(), redact(value)]);
  const answer = { status, headers: kept, body: bodyOf(redactBody(body)) };
  return { kind: "exchange", fingerprint, request, answer };
}

/** The outcome that an exchange was recorded with. */
export function replayedOutcome({ answer }: RecordedExchange): TransportOutcome {
  if ("failure" in answer) return { ok: false, failure: answer.failure };
  const { status, headers, body } = answer;
  const bytes =
    "text" in body ? Buffer.from(body.text, "utf8") : Buffer.from(body.base64, "base64");
  return { ok: true, response: { status, headers, body: bytes } };
}
