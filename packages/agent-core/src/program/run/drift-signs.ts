import { clip } from "@plasm/core/internal";
import type { DriftSignsRecord } from "../../records/drift.ts";
import type { Store, StoreOps } from "../../store-port.ts";

const KIND = "driftSigns";
const DAY_MS = 86_400_000;
/** Signs are counted over so many days, the one that it is among them. */
const DAYS = 30;
/** How long a record stays after its last sign, in ms: none of it counts any more then. */
export const DRIFT_SIGNS_KEPT_MS = DAYS * DAY_MS;
/** Code points of what a sign is of: names of a catalog are as long as their writers like. */
const LONGEST = 300;
/** Times that a record is read again which another process has changed meanwhile. */
const ATTEMPTS = 20;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The first day that counts. */
const firstDay = (now: number): string => dayOf(now - (DAYS - 1) * DAY_MS);

/** What one kind of sign of a catalog came to in the days that count. */
export interface DriftCount {
  readonly entry_id: string;
  readonly sign: string;
  readonly count: number;
  /** what the last one was: entity, field and sign, without a value */
  readonly last: string;
  readonly last_at: string;
}

/** Signs that are to be counted, of one kind. */
interface Seen {
  readonly count: number;
  readonly detail: string;
}

interface Pending {
  readonly tenant: string;
  readonly entryId: string;
  readonly signs: Map<string, Seen>;
}

const sum = (one: number | undefined, more: number): number => (one ?? 0) + more;

function withSigns(
  before: DriftSignsRecord | null,
  signs: ReadonlyMap<string, Seen>,
  now: number,
): DriftSignsRecord {
  const first = firstDay(now);
  const days = Object.entries(before?.days ?? {}).filter(([day]) => day >= first);
  const today = { ...before?.days[dayOf(now)] };
  const last = { ...before?.last };
  for (const [sign, { count, detail }] of signs) {
    today[sign] = sum(today[sign], count);
    last[sign] = { detail: clip(detail, LONGEST), at: now };
  }
  return { days: { ...Object.fromEntries(days), [dayOf(now)]: today }, last };
}

/**
 * Counts signs of OPS-66 in the store, for all processes on it. What comes while it writes is written at once after that: a catalog of
 * which each answer has one costs no more than one write at a time.
 */
export class DriftSigns {
  readonly #store: Store;
  #pending = new Map<string, Pending>();
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Notes a sign; {@link DriftSigns.written} keeps it. */
  add(tenant: string, entryId: string, sign: string, { count, detail }: Seen): void {
    const key = JSON.stringify([tenant, entryId]);
    const of = this.#pending.get(key) ?? { tenant, entryId, signs: new Map<string, Seen>() };
    of.signs.set(sign, { count: sum(of.signs.get(sign)?.count, count), detail });
    this.#pending.set(key, of);
  }

  /** Resolves when what was noted before is kept. Throws where it cannot be. */
  written(): Promise<void> {
    if (this.#pending.size === 0) return this.#writing;
    this.#next ??= this.#writing
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        return (this.#writing = this.#write());
      });
    return this.#next;
  }

  async #write(): Promise<void> {
    const all = this.#pending;
    this.#pending = new Map();
    for (const one of all.values()) await this.#keep(one);
  }

  async #keep({ tenant, entryId, signs }: Pending): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const kept = await this.#store.transaction(async (tx: StoreOps) => {
        const before = await tx.get(KIND, tenant, entryId);
        const next = withSigns(before?.value ?? null, signs, tx.now());
        return before === null
          ? tx.insert(KIND, tenant, entryId, next)
          : tx.cas(KIND, tenant, entryId, before.version, next);
      });
      if (kept) return;
    }
    throw new Error("It was changed by others again and again");
  }
}

/** What was counted of a catalog for a tenant in the last 30 days, the most frequent sign first, and since when that is (SURF-38). */
export async function driftSignsOf(
  store: StoreOps,
  tenant: string,
  entryId: string,
): Promise<{ readonly since: string; readonly signs: readonly DriftCount[] }> {
  const first = firstDay(store.now());
  const { days = {}, last = {} } = (await store.get(KIND, tenant, entryId))?.value ?? {};
  const counts = new Map<string, number>();
  for (const [day, signs] of Object.entries(days)) {
    if (day < first) continue;
    for (const [sign, count] of Object.entries(signs)) {
      counts.set(sign, sum(counts.get(sign), count));
    }
  }
  const signs = [...counts].map(([sign, count]) => ({
    entry_id: entryId,
    sign,
    count,
    last: last[sign]?.detail ?? "",
    last_at: new Date(last[sign]?.at ?? 0).toISOString(),
  }));
  return {
    since: `${first}T00:00:00.000Z`,
    signs: signs.toSorted((a, b) => b.count - a.count),
  };
}
