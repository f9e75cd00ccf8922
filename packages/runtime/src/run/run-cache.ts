import type { Json } from "@plasm/core";
import type { EntityRow } from "../decode/entity-row.ts";

const MOST_ROWS = 50_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** What is known of an identity: its fields as last seen (RUN-061). */
interface Entry {
  readonly entryId: string;
  /** a row's own map, until another row says something of the identity too */
  fields: ReadonlyMap<string, Json>;
  /** how many of the fields were there: what a row learns later is added behind them, and is not the cache's */
  known: number;
  bytes: number;
}

/** The fields of an entry alone. */
function ownFields({ fields, known }: Entry): ReadonlyMap<string, Json> {
  return fields.size === known ? fields : new Map([...fields].slice(0, known));
}

/**
 * The rows one run has seen, by entry id, digest and identity (RUN-060). Tenant and credential are
 * the run's own, so they are no part of the key.
 */
export interface RunCache {
  /** Merges a row: a value or null replaces, unknown replaces nothing; `bytes` is its wire size. */
  put(digest: string, row: EntityRow, bytes: number): void;
  /** The fields known of an identity, or undefined. */
  fields(
    digest: string,
    row: Pick<EntityRow, "entryId" | "identity">,
  ): ReadonlyMap<string, Json> | undefined;
  /** Forgets everything of one catalog: an effect was sent (RUN-062). */
  discard(entryId: string): void;
}

/** An empty cache, least recently used out first at 50,000 rows or 64 MiB (RUN-063). */
export function createRunCache(mostRows = MOST_ROWS, mostBytes = MOST_BYTES): RunCache {
  const entries = new Map<string, Entry>();
  const catalogs = new Map<string, number>();
  let bytes = 0;

  /** Catalogs go by numbers: keys are made and looked for row by row, and digests are long. */
  const keyOf = (digest: string, row: Pick<EntityRow, "entryId" | "identity">): string | null => {
    if (row.identity === null) return null;
    const name = `${row.entryId} ${digest}`;
    const catalog = catalogs.get(name) ?? catalogs.size;
    if (catalog === catalogs.size) catalogs.set(name, catalog);
    return `${catalog} ${row.identity.text}`;
  };

  /** Goes on where it stopped: from the beginning, it would step over all that were removed, each time. */
  let oldest = entries.entries();

  const evict = (): void => {
    while (entries.size > mostRows || bytes > mostBytes) {
      const next = oldest.next();
      if (next.done === true) {
        if (entries.size === 0) return;
        oldest = entries.entries();
        continue;
      }
      const [key, entry] = next.value;
      entries.delete(key);
      bytes -= entry.bytes;
    }
  };

  /** Moves an entry to the end: a Map keeps the order of insertion. */
  const touch = (key: string, entry: Entry): void => {
    entries.delete(key);
    entries.set(key, entry);
  };

  return {
    put(digest, row, size) {
      const key = keyOf(digest, row);
      if (key === null) return;
      const known = entries.get(key);
      const { entryId, fields } = row;
      if (known === undefined)
        entries.set(key, { entryId, fields, known: fields.size, bytes: size });
      else {
        touch(key, known);
        known.fields = new Map([...ownFields(known), ...fields]);
        known.known = known.fields.size;
        known.bytes += size;
      }
      bytes += size;
      evict();
    },
    fields(digest, row) {
      const key = keyOf(digest, row);
      const entry = key === null ? undefined : entries.get(key);
      if (key === null || entry === undefined) return undefined;
      touch(key, entry);
      return ownFields(entry);
    },
    discard(entryId) {
      for (const [key, entry] of entries) {
        if (entry.entryId !== entryId) continue;
        entries.delete(key);
        bytes -= entry.bytes;
      }
    },
  };
}

/**
 * Sends equal reads once (RUN-023): the first caller sends, the others share its answer, until the
 * catalog's answers are discarded because an effect was sent (RUN-062).
 */
export interface Coalescer<T> {
  once(entryId: string, key: string, send: () => Promise<T>): Promise<T>;
  discard(entryId: string): void;
}

/** A coalescer for one run. */
export function createCoalescer<T>(): Coalescer<T> {
  const answers = new Map<string, Map<string, Promise<T>>>();
  return {
    once(entryId, key, send) {
      const own = answers.get(entryId) ?? new Map<string, Promise<T>>();
      answers.set(entryId, own);
      const known = own.get(key);
      if (known !== undefined) return known;
      const answer = send();
      own.set(key, answer);
      return answer;
    },
    discard(entryId) {
      answers.delete(entryId);
    },
  };
}
