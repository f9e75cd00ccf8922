import { randomBytes } from "node:crypto";
import type { Ports, SecretProvider } from "../../ports.ts";
import { exchangeBook } from "./exchange-book.ts";
import { partOf, recordedRuns, replayClock, type SeededPart, seededIds } from "./recorded-time.ts";
import { notedSecrets, replayedSecrets } from "./recorded-secrets.ts";
import { RecordingError } from "./recording-error.ts";
import {
  beginRecording,
  type RecordingHead,
  type RecordingLine,
  readRecording,
  recordingFile,
  recordingWriter,
} from "./recording-file.ts";
import { type RecordingMode, recordingTransport } from "./recording-transport.ts";

/** What is to be recorded or replayed, and where. */
export interface RecordingOptions {
  /** its file is `recording.jsonl` in there */
  readonly directory: string;
  readonly mode: RecordingMode;
  /** hybrid: whether effects that are not recorded are sent (RUN-161) */
  readonly allowEffects?: boolean;
  /** what cannot be written; the run goes on */
  readonly onFault?: (error: unknown) => void;
}

/** An open recording. */
export interface Recording {
  /** whether nothing is ever sent */
  readonly replays: boolean;
  /**
   * The backends to use, by entry id: those the deployment sets, which are noted, or in replay those the
   * recording was made with.
   */
  backends(set: ReadonlyMap<string, string>): ReadonlyMap<string, string>;
  /** The ports of an engine that records or replays, made of those of a live one. */
  ports(live: Ports): Ports;
}

interface Contents {
  readonly head: RecordingHead;
  readonly lines: readonly RecordingLine[];
  /** whether another process began it and this one goes on */
  readonly goesOn: boolean;
}

/** A backend's address as runs use it: no user, no query. */
function plainBackend(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, "");
}

async function begin({ directory }: RecordingOptions): Promise<Contents> {
  const seed = randomBytes(16).toString("hex");
  const head: RecordingHead = { kind: "recording", version: 1, seed, at: Date.now() };
  await beginRecording(directory, head);
  return { head, lines: [], goesOn: false };
}

async function contentsOf(options: RecordingOptions): Promise<Contents> {
  const { directory, mode } = options;
  if (mode === "record") return begin(options);
  const lines = await readRecording(directory);
  if (lines === null && mode === "hybrid") return begin(options);
  const [head, ...rest] = lines ?? [];
  if (head?.kind === "recording") {
    return { head, lines: rest, goesOn: mode === "hybrid" };
  }
  const path = recordingFile(directory);
  throw new RecordingError(`${path} does not exist. plasm serve --record DIR makes a recording.`);
}

function linesOf<K extends RecordingLine["kind"]>(lines: readonly RecordingLine[], kind: K) {
  return lines.filter((line): line is Extract<RecordingLine, { kind: K }> => line.kind === kind);
}

/**
 * The parts that ids are made from. A process that goes on with a recording adds one: a key of another run
 * must not make an API take what it is sent for what it was sent before (RUN-026).
 */
function partsOf({ head, lines, goesOn }: Contents): readonly [SeededPart, ...SeededPart[]] {
  const first = { run: 0, seed: head.seed };
  const more = linesOf(lines, "part").map(({ run, seed }) => ({ run, seed }));
  if (!goesOn) return [first, ...more];
  const run = linesOf(lines, "run").length;
  return [first, ...more, { run, seed: randomBytes(16).toString("hex") }];
}

/**
 * Opens a directory for recording or replaying (RUN-160 to RUN-162). In replay backends, clock, ids, secrets
 * and every answer are the recording's, and nothing is sent; a hybrid process has a clock and ids of its own.
 * Throws RecordingError.
 */
export async function openRecording(options: RecordingOptions): Promise<Recording> {
  const { directory, mode, allowEffects = false } = options;
  const contents = await contentsOf(options);
  const { head, lines, goesOn } = contents;
  const replays = mode === "replay";
  const writer = recordingWriter(directory, options.onFault ?? (() => undefined));
  const note = (line: RecordingLine): void => {
    if (!replays) void writer.write(line);
  };
  const parts = partsOf(contents);
  const own = parts.at(-1);
  if (goesOn && own !== undefined) note({ kind: "part", ...own });
  const runs = linesOf(lines, "run");
  const before = goesOn ? runs.length : 0;
  const book = exchangeBook(linesOf(lines, "exchange"));
  const secrets = (live: SecretProvider): SecretProvider =>
    replays ? replayedSecrets(linesOf(lines, "secret")) : notedSecrets(live, note);
  return Object.freeze({
    replays,
    backends(set: ReadonlyMap<string, string>) {
      const recorded = linesOf(lines, "backend").map(({ entryId, url }) => [entryId, url] as const);
      if (replays) return new Map(recorded);
      for (const [entryId, url] of set) note({ kind: "backend", entryId, url: plainBackend(url) });
      return set;
    },
    ports(live: Ports): Ports {
      const replay = replays ? replayClock(live.clock, head.at) : null;
      const clock = replay ?? live.clock;
      const ids = seededIds(partOf(parts, before).seed);
      const onStart = (at: number, part: SeededPart, isNew: boolean): void => {
        replay?.set(at);
        ids.begin(part.seed);
        if (isNew) note({ kind: "run", at });
      };
      return {
        ...live,
        clock,
        ids,
        runs: recordedRuns({ parts, recorded: runs, before, now: () => clock.now(), onStart }),
        secrets: secrets(live.secrets),
        transport: recordingTransport({ mode, allowEffects, live: live.transport, book, writer }),
      };
    },
  });
}
