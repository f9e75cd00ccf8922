import { Buffer } from "node:buffer";
import type { Json, JsonObject } from "@plasm/core";
import {
  MASK,
  narrowNeedles,
  type SecretPattern,
  wideNeedles,
  without,
  type Writing,
  writingsOf,
} from "./secret-patterns.ts";
import { FileNotKeptError, type HeaderPair, type TransportResponse } from "../../ports.ts";
import { isArray, isObject } from "../../base/json-kinds.ts";

/**
 * Data is searched only for secrets of this length: a shorter one would be found in words that have
 * nothing to do with it.
 */
const LEAST_IN_DATA = 6;

/** Removes known secrets, in whatever writing and encoding, from text and data (RUN-142). */
export interface Redactor {
  /** Makes a secret known for the rest of the run. */
  add(secret: string): void;
  redact(text: string): string;
  /** The same for data, where short secrets are left alone; equal data where there is none. */
  redactData(data: Uint8Array): Uint8Array;
  /** How many bytes the longest writing of a secret has in data: none is missed where pieces overlap by so many. */
  reach(): number;
}

/** Needles that are looked for together. */
interface Needles {
  /** the longest first, so that none leaves a part of another behind */
  readonly all: readonly SecretPattern[];
  /** one of each secret matches wherever a needle of it begins: most texts have none */
  readonly heads: readonly RegExp[];
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** As much of a needle as is looked for at first: of long ones, the engine's expressions would be too large. */
const HEAD = 64;

function inOrder(needles: readonly SecretPattern[]): readonly SecretPattern[] {
  const byText = new Map(needles.map((each) => [each.text, each]));
  return [...byText.values()].toSorted((a, b) => b.text.length - a.text.length);
}

function lookedFor(needles: readonly SecretPattern[]): Needles {
  const all = inOrder(needles);
  const heads = new Set(all.map(({ text }) => literally(text.slice(0, HEAD))));
  return { all, heads: [new RegExp([...heads].join("|"))] };
}

/** What one secret is looked for by; each is made when it is first needed. */
interface SecretNeedles {
  inText(): Needles;
  inData(): Needles;
  inWideData(): Needles;
}

function needlesOf(secret: string): SecretNeedles {
  const writings = writingsOf(secret);
  const made = (make: (writing: Writing) => readonly SecretPattern[]) => {
    let needles: Needles | null = null;
    return () => (needles ??= lookedFor(writings.flatMap(make)));
  };
  return {
    inText: made((writing) => [{ ...writing, mask: MASK }]),
    inData: made(narrowNeedles),
    inWideData: made(wideNeedles),
  };
}

/** Secrets whose needles are kept, those used last: a deployment has few, and each of its runs knows them anew. */
const REMEMBERED = 32;

const remembered = new Map<string, SecretNeedles>();

/** The needles of a secret, which depend on nothing else: making them takes longer than most answers. */
function knownNeedles(secret: string): SecretNeedles {
  const needles = remembered.get(secret) ?? needlesOf(secret);
  remembered.delete(secret);
  remembered.set(secret, needles);
  const oldest = remembered.keys().next();
  if (remembered.size > REMEMBERED && !oldest.done) remembered.delete(oldest.value);
  return needles;
}

/** Those of several secrets together; one expression of them all would be made anew with every secret. */
function together(
  secrets: readonly SecretNeedles[],
  of: (secret: SecretNeedles) => Needles,
): Needles {
  const [first, ...others] = secrets;
  if (first !== undefined && others.length === 0) return of(first);
  return {
    all: inOrder(secrets.flatMap((secret) => of(secret).all)),
    heads: secrets.flatMap((secret) => of(secret).heads),
  };
}

const mayHold = (text: string, { heads }: Needles): boolean =>
  heads.some((head) => head.test(text));

const replaced = (text: string, needles: readonly SecretPattern[]): string =>
  needles.reduce(without, text);

/** Latin-1 keeps every byte as it is, whatever the encoding of the data. */
function redactBytes(bytes: Buffer, needles: Needles): Buffer {
  if (needles.all.length === 0) return bytes;
  const text = bytes.toString("latin1");
  if (!mayHold(text, needles)) return bytes;
  // Only what stood in the data: masks that were put there are no place to look for others.
  const found = needles.all.filter((each) => text.includes(each.text));
  return found.length === 0 ? bytes : Buffer.from(replaced(text, found), "latin1");
}

const masks = needlesOf(MASK).inData();

/**
 * What of data does not depend on secrets: equal for data that has a secret and data that has in its place,
 * in whatever writing, what {@link Redactor.redactData} put there.
 */
export function secretless(data: Uint8Array, redactor: Redactor): Uint8Array {
  return redactBytes(Buffer.from(redactor.redactData(data)), masks);
}

/** A redactor that knows no secret yet. */
export function createRedactor(): Redactor {
  const known = new Set<string>();
  const all: SecretNeedles[] = [];
  const long: SecretNeedles[] = [];
  let inText: Needles | null = null;
  let inData: Needles | null = null;
  let inWideData: Needles | null = null;
  return Object.freeze({
    add(secret: string) {
      if (secret === "" || secret === MASK || known.has(secret)) return;
      known.add(secret);
      const needles = knownNeedles(secret);
      all.push(needles);
      if (secret.length >= LEAST_IN_DATA) long.push(needles);
      inText = inData = inWideData = null;
    },
    redact(text: string) {
      inText ??= together(all, (each) => each.inText());
      return mayHold(text, inText) ? replaced(text, inText.all) : text;
    },
    redactData(data: Uint8Array) {
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      inData ??= together(long, (each) => each.inData());
      const clean = redactBytes(bytes, inData);
      // Letters of these encodings have zero bytes beside them, which no JSON of another one has.
      if (!clean.includes(0)) return clean === bytes ? data : clean;
      inWideData ??= together(long, (each) => each.inWideData());
      const cleaner = redactBytes(clean, inWideData);
      return cleaner === bytes ? data : cleaner;
    },
    reach() {
      inData ??= together(long, (each) => each.inData());
      inWideData ??= together(long, (each) => each.inWideData());
      return Math.max(inData.all[0]?.text.length ?? 0, inWideData.all[0]?.text.length ?? 0);
    },
  });
}

/**
 * An answer without the secrets it repeats: what an API says of a request may hold its credential, and
 * rows, next addresses and errors are made of it (RUN-142).
 */
export const redactedResponse = (
  { status, headers, body, file }: TransportResponse,
  redactor: Redactor,
): TransportResponse => ({
  status,
  headers: redactedHeaders(headers, redactor),
  body: redactor.redactData(body),
  ...(file === undefined ? {} : { file }),
});

/** Headers without secrets; where none stands in all of their values together, none does in one. */
function redactedHeaders(
  headers: readonly HeaderPair[],
  redactor: Redactor,
): readonly HeaderPair[] {
  const together = headers.map(([, value]) => value).join("\n");
  if (redactor.redact(together) === together) return headers;
  return headers.map(([name, value]): HeaderPair => [name, redactor.redact(value)]);
}

/**
 * The bytes of a file as they are, which holds no secret that is known: it cannot be taken out of a file, whose bytes
 * are wanted as they are (RUN-142, VAL-03). Throws FileNotKeptError.
 */
export async function* secretlessFile(
  content: AsyncIterable<Uint8Array>,
  redactor: Redactor,
): AsyncGenerator<Uint8Array> {
  let before: Uint8Array = new Uint8Array();
  for await (const piece of content) {
    const looked = before.length === 0 ? piece : Buffer.concat([before, piece]);
    if (redactor.redactData(looked) !== looked) {
      throw new FileNotKeptError(
        "It holds a credential of this run, or one of its session.",
        "ask the API for the file without it",
      );
    }
    before = Uint8Array.prototype.slice.call(looked, Math.max(0, looked.length - redactor.reach()));
    yield piece;
  }
}

/** JSON without secrets and without the bytes of files, for the effect log (PLAN-073, RUN-142). */
function redactJson(value: Json, redact: (text: string) => string): Json {
  if (typeof value === "string") return redact(value);
  if (isArray(value)) return value.map((item) => redactJson(item, redact));
  return isObject(value) ? redactObject(value, redact) : value;
}

/** The same for an object. */
export function redactObject(value: JsonObject, redact: (text: string) => string): JsonObject {
  const entries = Object.entries(value).map(([name, member]): [string, Json] => {
    const isFile = name === "bytes_base64" && typeof member === "string";
    return [name, isFile ? `${member.length} characters` : redactJson(member, redact)];
  });
  return Object.fromEntries(entries);
}

/** What token answers and envelopes say of a token, none of it secret. */
const TERMS: ReadonlySet<string> = new Set([
  "entry_id",
  "error",
  "error_description",
  "error_uri",
  "expires_at_unix",
  "expires_in",
  "scope",
  "token_type",
  "version",
]);

const isPlain = (value: unknown): boolean => value === null || typeof value !== "object";

/**
 * A token answer or envelope with its terms alone: all else in it is masked, whatever it is called, and so is
 * the whole of what is no JSON object (RUN-162).
 */
export function maskTokens(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return MASK;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return MASK;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    TERMS.has(name) && isPlain(member) ? member : MASK,
  ]);
  return JSON.stringify(Object.fromEntries(members));
}
