import { setImmediate as otherWork } from "node:timers/promises";
import { fail } from "../errors/problem.ts";
import type { RecordKind, RecordTypes, Store, StoreOps } from "../store-port.ts";

/** Rows that are added up in one look. */
const PORTION = 2_000;

/** Kinds that callers can make more of, as often as they like, and whose records or content may be large. */
const BY_QUOTA: ReadonlySet<RecordKind> = new Set<RecordKind>([
  "snapshot",
  "cursor",
  "file",
  "graft",
  "savedProgram",
  "schedule",
  "watched",
  "watchEvent",
]);

/** Plans are small and short-lived: so much beyond the quota, a tenant that is over it can still run what it reads. */
const ROOM_FOR_PLANS = 1.1;

/**
 * What each tenant has stored, against its quota. Added up from the store from time to time, and from what this process
 * writes in between; what was removed counts until it is added up again.
 */
export class TenantBytes {
  readonly #quota: number;
  #known: ReadonlyMap<string, number> = new Map();
  readonly #since = new Map<string, number>();

  constructor(quota: number) {
    this.#quota = quota;
  }

  get quota(): number {
    return this.#quota;
  }

  /** How many tenants have written since it was added up. */
  get waiting(): number {
    return this.#since.size;
  }

  of(scope: string): number {
    return (this.#known.get(scope) ?? 0) + (this.#since.get(scope) ?? 0);
  }

  /** Adds up what the store holds, between whose portions others have their turn. */
  async measure(store: StoreOps): Promise<void> {
    const sums = new Map<string, number>();
    const before = new Map(this.#since);
    for (let after: number | null = 0; after !== null;) {
      const part = await store.usage(after, PORTION);
      for (const [scope, bytes] of part.bytes) sums.set(scope, (sums.get(scope) ?? 0) + bytes);
      after = part.next;
      await otherWork();
    }
    this.#known = sums;
    for (const [scope, bytes] of before) {
      const left = (this.#since.get(scope) ?? 0) - bytes;
      if (left === 0) this.#since.delete(scope);
      else this.#since.set(scope, left);
    }
  }

  /** Counts what a tenant is about to store. Throws plasm-quota-exceeded. */
  take(scope: string, bytes: number, most = this.#quota): void {
    if (this.of(scope) + bytes > most) throw quotaExceeded(this.#quota);
    this.#since.set(scope, (this.#since.get(scope) ?? 0) + bytes);
  }

  /** Counts a record that is about to be written, if its kind is bounded. Throws plasm-quota-exceeded. */
  takeRecord<K extends RecordKind>(kind: K, scope: string, value: RecordTypes[K]): void {
    if (kind !== "commit" && !BY_QUOTA.has(kind)) return;
    const { bytes } = value as { readonly bytes?: unknown };
    const size = JSON.stringify(value).length + (typeof bytes === "number" ? bytes : 0);
    this.take(scope, size, kind === "commit" ? this.#quota * ROOM_FOR_PLANS : this.#quota);
  }
}

const quotaExceeded = (quota: number) =>
  fail(
    "plasm-quota-exceeded",
    `This tenant has stored as much as it may: ${quota} bytes (PLASM_TENANT_BYTES). What is oldest goes by its age; ask whoever runs this server to raise the quota, or to keep snapshots for fewer days (PLASM_RETENTION_SNAPSHOTS).`,
  );

/** A store on which no tenant keeps more than its quota. */
export function withQuota(store: Store, tenants: TenantBytes): Store {
  const counting = (ops: StoreOps): Pick<StoreOps, "insert"> => ({
    insert: async (kind, scope, id, value) => {
      tenants.takeRecord(kind, scope, value);
      return ops.insert(kind, scope, id, value);
    },
  });
  const own: Pick<Store, "insert" | "transaction"> = {
    ...counting(store),
    transaction: (work, until) =>
      store.transaction((tx) => work({ ...tx, ...counting(tx) }), until),
  };
  // Whatever else the store does, it does itself, as it is at that moment.
  return new Proxy(store, {
    get: (target, name) => {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name) as unknown;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
