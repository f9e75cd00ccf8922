import { createHash, randomBytes } from "node:crypto";
import type { Clock, IdSource, Ports, RunSource, SecretProvider } from "../ports.ts";
import { maskTokens } from "../request/auth/redactor.ts";
import { MASK } from "../request/auth/secret-patterns.ts";
import {
  type RecordedRun,
  type RecordedSecret,
  RecordingError,
  type RecordingHead,
  type RecordingLine,
  beginRecording,
  readRecording,
  recordingFile,
  recordingWriter,
} from "./recording-file.ts";
import { type RecordingMode, exchangeBook, recordingTransport } from "./recording-transport.ts";

/** Made from the seed, so that a replay has the same ids in the same order (RUN-162). */
function drawn(seed: string, what: string, number: number): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([seed, what, number]))
    .digest();
}

/** In the form of a random UUID. */
function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
  return [...parts, variant + hex.slice(17, 20), hex.slice(20, 32)].join("-");
}

/** From which run on, counted from 0, ids are made from a seed. */
interface SeededPart {
  readonly run: number;
  readonly seed: string;
}

/** The part of a recording that a run belongs to. */
function partOf(parts: readonly [SeededPart, ...SeededPart[]], run: number): SeededPart {
  return parts.findLast((part) => part.run <= run) ?? parts[0];
}

/** Ids that begin anew with a seed. */
interface SeededIds extends IdSource {
  begin(seed: string): void;
}

/** Ids and numbers that are the same in every replay of a recording. */
function seededIds(first: string): SeededIds {
  let seed = first;
  let ids = 0;
  let numbers = 0;
  return Object.freeze({
    begin(next: string) {
      if (next === seed) return;
      [seed, ids, numbers] = [next, 0, 0];
    },
    id: () => uuidOf(drawn(seed, "id", ids++)),
    random: () => drawn(seed, "number", numbers++).readUInt32BE(0) / 2 ** 32,
  });
}

/** What a new run's clock reading and id are made of. */
interface RecordedRuns {
  readonly parts: readonly [SeededPart, ...SeededPart[]];
  readonly recorded: readonly RecordedRun[];
  /** how many runs were before the first */
  readonly before: number;
  readonly now: () => number;
  readonly onStart: (at: number, part: SeededPart, isNew: boolean) => void;
}

/** The run clock of a recording: the readings it has, in order, then those of the clock. */
function recordedRuns(given: RecordedRuns): RunSource {
  const { parts, recorded, before, now, onStart } = given;
  let started = before;
  return Object.freeze({
    start() {
      const number = started++;
      const stored = recorded[number];
      const at = stored?.at ?? now();
      const part = partOf(parts, number);
      onStart(at, part, stored === undefined);
      return { at, id: uuidOf(drawn(part.seed, "run", number)) };
    },
  });
}

/** A clock that can be set, and whose waits are over at once; time moves by them, and as it passes. */
interface ReplayClock extends Clock {
  set(now: number): void;
}

/** The clock of a replay: each run finds the time at which it was recorded. */
function replayClock(live: Clock, at: number): ReplayClock {
  let ahead = at - live.now();
  return Object.freeze({
    now: () => live.now() + ahead,
    sleep: (ms: number) => {
      ahead += ms;
      return Promise.resolve();
    },
    set(now: number) {
      ahead = now - live.now();
    },
  });
}

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
  return origin + pathname.replace(/(?<!\/)\/+$/, "");
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

const isPlainAddress = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search } = new URL(value);
  return /^https?:$/.test(protocol) && username + password + search === "";
};

/** The settings that are addresses; an address that is a secret itself is under any other name. */
const TOKEN_URL = /^PLASM_OAUTH_\w+_TOKEN_URL$/;

/** What a replay is given for a secret: nothing of it, but the terms of an envelope, or a token address. */
function masked(source: RecordedSecret["source"], name: string, value: string): string {
  const text = value.trim();
  if (source === "hosted" && text.startsWith("{")) return maskTokens(text);
  const isAddress = source === "env" && TOKEN_URL.test(name) && isPlainAddress(text);
  return text === "" || isAddress ? text : MASK;
}

type Note = (secret: RecordedSecret) => void;

/** Passes secrets through, and notes once which were there. */
export function notedSecrets(live: SecretProvider, note: Note): SecretProvider {
  const noted = new Set<string>();
  const tell = (source: RecordedSecret["source"], name: string, value: string): void => {
    const key = `${source} ${name}`;
    if (noted.has(key)) return;
    noted.add(key);
    note({ kind: "secret", source, name, value: masked(source, name, value) });
  };
  return Object.freeze({
    ...live,
    env(name: string) {
      const value = live.env(name);
      if (value !== undefined) tell("env", name, value);
      return value;
    },
    async hosted(key: string, scope: Parameters<SecretProvider["hosted"]>[1]) {
      const value = await live.hosted(key, scope);
      if (value !== undefined) tell("hosted", key, value);
      return value;
    },
  });
}

/** The secrets of a replay: those that were there when it was recorded, masked. No other is asked for. */
function replayedSecrets(recorded: readonly RecordedSecret[]): SecretProvider {
  const find = (source: RecordedSecret["source"], wanted: string): string | undefined =>
    recorded.find((one) => one.source === source && one.name === wanted)?.value;
  return Object.freeze({
    env: (name: string) => find("env", name),
    hosted: (key: string) => Promise.resolve(find("hosted", key)),
  });
}
