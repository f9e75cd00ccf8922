import { parseJsonText } from "@plasm/core/internal";
import { Buffer } from "node:buffer";
import { appendFile, mkdir, open, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { isPagingHeader } from "../decode/more-signs.ts";
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
    .filter(([name]) => KEPT_HEADERS.has(name.toLowerCase()) || isPagingHeader(name))
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

/** A recording that cannot be opened; the message says why and what to do. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
}

/** The first line of a recording. */
export interface RecordingHead {
  readonly kind: "recording";
  readonly version: 1;
  /** what ids and random numbers are made from, in hex */
  readonly seed: string;
  /** when it began, in milliseconds since the epoch */
  readonly at: number;
}

/** A backend that the deployment set (RUN-004). */
export interface RecordedBackend {
  readonly kind: "backend";
  readonly entryId: string;
  readonly url: string;
}

/**
 * Where a process went on with a recording (hybrid): from this run on, counted from 0, ids are made from a seed
 * of its own, so that no key that was sent before is sent for anything else.
 */
export interface RecordedPart {
  readonly kind: "part";
  readonly run: number;
  /** in hex */
  readonly seed: string;
}

/** The one clock reading of a run, in order of their starts. */
export interface RecordedRun {
  readonly kind: "run";
  readonly at: number;
}

/** That a secret was there, and by which name; never the secret. */
export interface RecordedSecret {
  readonly kind: "secret";
  readonly source: "env" | "hosted";
  readonly name: string;
  readonly value: string;
}

export type RecordingLine =
  | RecordingHead
  | RecordedBackend
  | RecordedPart
  | RecordedRun
  | RecordedSecret
  | RecordedExchange;

const FILE = "recording.jsonl";
const OWNER_FILE = 0o600;
const OWNER_DIRECTORY = 0o700;

const isErrno = (thrown: unknown): thrown is NodeJS.ErrnoException => thrown instanceof Error;

const codeOf = (thrown: unknown): string =>
  (isErrno(thrown) && (thrown.code ?? thrown.message)) || "unknown";

/** The file of a recording's directory. */
export const recordingFile = (directory: string): string => join(directory, FILE);

/** Begins a recording. Throws RecordingError where there is one already, or the directory cannot be written. */
export async function beginRecording(directory: string, head: RecordingHead): Promise<void> {
  const path = recordingFile(directory);
  try {
    await mkdir(directory, { recursive: true, mode: OWNER_DIRECTORY });
    const file = await open(path, "wx", OWNER_FILE);
    await file.writeFile(`${JSON.stringify(head)}\n`);
    await file.close();
  } catch (thrown) {
    if (codeOf(thrown) !== "EEXIST") {
      throw new RecordingError(`${path} cannot be written (${codeOf(thrown)}).`, { cause: thrown });
    }
    const advice = "Record into another directory, or add to this one in hybrid mode.";
    throw new RecordingError(`${path} holds a recording already. ${advice}`);
  }
}

function parsedLine(path: string, text: string, number: number): RecordingLine {
  try {
    return parseJsonText(text) as RecordingLine;
  } catch (cause) {
    throw new RecordingError(`${path}:${number} is no JSON.`, { cause });
  }
}

/**
 * The lines of a recording, or null if there is none. A last line that its writer did not end is taken
 * off. Throws RecordingError.
 */
export async function readRecording(directory: string): Promise<readonly RecordingLine[] | null> {
  const path = recordingFile(directory);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return null;
    throw new RecordingError(`${path} cannot be read (${codeOf(thrown)}).`, { cause: thrown });
  }
  const end = bytes.lastIndexOf("\n") + 1;
  if (end < bytes.length) await truncate(path, end);
  const texts = bytes.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
  const lines = texts.map((text, i) => parsedLine(path, text, i + 1));
  const [head] = lines;
  if (head?.kind === "recording" && head.version === 1) return lines;
  throw new RecordingError(`${path} is no recording of this version of plasm.`);
}

/** Adds lines in the order they were given. */
export interface RecordingWriter {
  write(line: RecordingLine): Promise<void>;
}

/**
 * A writer on a recording that has begun. A line that cannot be written is told once; what is recorded
 * goes on.
 */
export function recordingWriter(
  directory: string,
  onFault: (error: unknown) => void,
): RecordingWriter {
  const path = recordingFile(directory);
  let last: Promise<void> = Promise.resolve();
  let broken = false;
  const append = async (line: RecordingLine): Promise<void> => {
    if (broken) return;
    try {
      await appendFile(path, `${JSON.stringify(line)}\n`);
    } catch (error) {
      broken = true;
      onFault(error);
    }
  };
  return {
    write(line) {
      last = last.then(() => append(line));
      return last;
    },
  };
}
