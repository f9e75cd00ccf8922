import type { RecordKind, Store, StoreOps } from "@plasm/agent-core";

/** What each call looks up, and few calls change; all else is read each time. */
const KINDS: ReadonlySet<RecordKind> = new Set<RecordKind>([
  "policy",
  "logical",
  "connection",
  "connectionSession",
  "commit",
  "minted",
  "mark",
  "graftSet",
]);

/** Kinds whose whole list is looked up by each call, in the scope of none. */
const LISTS: ReadonlySet<RecordKind> = new Set<RecordKind>(["offer"]);

/** What is remembered, in values and in characters of their JSON: what was used last. */
const MOST_VALUES = 4_000;
const MOST_CHARACTERS = 8_000_000;
const LONGEST = 64_000;

/** Who calls again and again without letting the event loop go on is to see what others write, too. */
const MOST_BY_ONE_LOOK = 256;

interface Remembered {
  readonly value: unknown;
  readonly characters: number;
}

/** The length before a part tells where it ends, whatever is in it: scopes never meet. */
const recordKey = (kind: RecordKind, scope: string, id: string): string =>
  `record ${kind} ${scope.length} ${scope}${id}`;
const listKey = (kind: RecordKind): string => `list ${kind}`;
const slotKey = (principal: string, slot: number): string =>
  `slot ${principal.length} ${principal}${slot}`;
const heldKey = (principal: string, logicalId: string): string =>
  `held ${principal.length} ${principal}${logicalId}`;
const sessionKey = (sessionId: string): string => `session ${sessionId}`;
const wavesKey = (sessionId: string): string => `waves ${sessionId}`;
const pinKey = (digest: string): string => `pin ${digest}`;

/**
 * Reads of one store, remembered as long as they are known to be current: until this process writes what they are of,
 * or any other process has written. `foreignChanges` is another number then; it is looked at once in each turn of the
 * event loop that reads, before what that turn is given.
 */
export class RememberedReads {
  readonly #foreignChanges: () => number;
  readonly #values = new Map<string, Remembered>();
  /** reads under way by key: one that was overtaken by a write is not remembered */
  readonly #underWay = new Map<string, object>();
  #characters = 0;
  #changes: number | null = null;
  /** reads that may still be answered by the last look at other processes */
  #checked = 0;

  constructor(foreignChanges: () => number) {
    this.#foreignChanges = foreignChanges;
  }

  /** What is remembered under a key where it suffices, else what `load` reads, remembered if it is worth it. */
  async read<T>(
    key: string,
    load: () => Promise<T>,
    suffices: (value: T) => boolean = () => true,
  ): Promise<T> {
    this.#check();
    const known = this.#values.get(key);
    if (known !== undefined && suffices(known.value as T)) {
      this.#values.delete(key);
      this.#values.set(key, known);
      return known.value as T;
    }
    const token = {};
    this.#underWay.set(key, token);
    try {
      const value = await load();
      if (this.#underWay.get(key) === token && suffices(value)) this.#remember(key, value);
      return value;
    } finally {
      if (this.#underWay.get(key) === token) this.#underWay.delete(key);
    }
  }

  forget(key: string): void {
    this.#underWay.delete(key);
    const known = this.#values.get(key);
    if (known === undefined) return;
    this.#values.delete(key);
    this.#characters -= known.characters;
  }

  forgetAll(): void {
    this.#underWay.clear();
    this.#values.clear();
    this.#characters = 0;
  }

  /** The tick comes when all that this turn of the event loop resolves has been done. */
  #check(): void {
    if (this.#checked > 0) {
      this.#checked -= 1;
      return;
    }
    const changes = this.#foreignChanges();
    if (changes !== this.#changes) this.forgetAll();
    this.#changes = changes;
    this.#checked = MOST_BY_ONE_LOOK;
    process.nextTick(() => {
      this.#checked = 0;
    });
  }

  #remember(key: string, value: unknown): void {
    this.forget(key);
    const characters = key.length + JSON.stringify(value).length;
    if (characters > LONGEST) return;
    this.#values.set(key, { value: frozen(value), characters });
    this.#characters += characters;
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= MOST_VALUES && this.#characters <= MOST_CHARACTERS) break;
      this.forget(oldest);
    }
  }
}

/** Several callers are given the same object. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

type Lookups = Pick<
  StoreOps,
  "get" | "list" | "logicalAtSlot" | "heldSlot" | "session" | "waves" | "isPinned"
>;

/** The look-ups of a store, remembered. What is absent is remembered, too, where a write that makes it is noticed. */
export const rememberedLookups = (
  store: Pick<Store, keyof Lookups>,
  reads: RememberedReads,
): Lookups => ({
  get: (kind, scope, id) =>
    KINDS.has(kind)
      ? reads.read(recordKey(kind, scope, id), () => store.get(kind, scope, id))
      : store.get(kind, scope, id),
  list: (kind, scope, prefix) =>
    LISTS.has(kind) && scope === "" && prefix === ""
      ? reads.read(listKey(kind), () => store.list(kind, scope, prefix))
      : store.list(kind, scope, prefix),
  logicalAtSlot: (principal, slot) =>
    reads.read(slotKey(principal, slot), () => store.logicalAtSlot(principal, slot)),
  heldSlot: (principal, logicalId) =>
    reads.read(heldKey(principal, logicalId), () => store.heldSlot(principal, logicalId)),
  session: (scope, key) =>
    reads.read(
      sessionKey(key.sessionId),
      () => store.session(scope, key),
      (found) => found !== null && found.scope === scope && found.promptHash === key.promptHash,
    ),
  waves: async (key, after = 0) => {
    const found = await reads.read(
      wavesKey(key.sessionId),
      async () => ({ after, waves: await store.waves(key, after) }),
      (known) => known.after === after,
    );
    return found.waves;
  },
  isPinned: (digest) =>
    reads.read(
      pinKey(digest),
      () => store.isPinned(digest),
      (isThere) => isThere,
    ),
});

/** Has a session read again by whoever asks for it next. */
export const forgetSession = (reads: RememberedReads, sessionId: string): void =>
  reads.forget(sessionKey(sessionId));

const recordWritten = (
  reads: RememberedReads,
  kind: RecordKind,
  scope: string,
  id: string,
): void => {
  reads.forget(recordKey(kind, scope, id));
  if (LISTS.has(kind)) reads.forget(listKey(kind));
};

/** What each call of the port makes untrue of what is remembered; null: nothing. */
type Forgetting = {
  readonly [K in keyof StoreOps]:
    | ((reads: RememberedReads, ...given: Parameters<StoreOps[K]>) => void)
    | null;
};

const FORGETTING: Forgetting = {
  insert: recordWritten,
  cas: recordWritten,
  delete: recordWritten,
  remove: recordWritten,
  removeAll: (reads) => reads.forgetAll(),
  freeSlots: (reads) => reads.forgetAll(),
  removeCatalogs: (reads) => reads.forgetAll(),
  withdrawCatalog: (reads, digest) => reads.forget(pinKey(digest)),
  slotOf: (reads, principal, logicalId) => reads.forget(heldKey(principal, logicalId)),
  renewSession: (reads, _scope, { sessionId }) => forgetSession(reads, sessionId),
  endSession: (reads, { sessionId }) => {
    forgetSession(reads, sessionId);
    reads.forget(wavesKey(sessionId));
  },
  removeSession: (reads, { sessionId }) => {
    forgetSession(reads, sessionId);
    reads.forget(wavesKey(sessionId));
  },
  appendWaves: (reads, { sessionId }) => reads.forget(wavesKey(sessionId)),
  // Sessions and catalogs that are absent are not remembered.
  findOrCreateSession: null,
  pinCatalog: null,
  // Nothing of it is in what is remembered.
  giveUpReuseKey: null,
  putBlob: null,
  nextNumber: null,
  ageFrom: null,
  removeCounters: null,
  removeBlobs: null,
  settle: null,
  now: null,
  get: null,
  peek: null,
  getAll: null,
  list: null,
  range: null,
  heldSlot: null,
  logicalAtSlot: null,
  slots: null,
  liveSession: null,
  session: null,
  waves: null,
  pinnedCatalog: null,
  isPinned: null,
  pinnedCatalogs: null,
  aged: null,
  expiredSessions: null,
  endedSessions: null,
  usage: null,
};

type Call = (...given: readonly unknown[]) => unknown;

/**
 * A transaction that has others forget what it writes. It has the database to itself meanwhile, so that whoever reads
 * after that reads what it leaves.
 */
export function forgetting(tx: StoreOps, reads: RememberedReads): StoreOps {
  const calls = Object.entries(FORGETTING).flatMap(([name, forget]) => {
    if (forget === null) return [];
    const write = tx[name as keyof StoreOps] as Call;
    const told: Call = (...given) => {
      (forget as Call)(reads, ...given);
      return write(...given);
    };
    return [[name, told] as const];
  });
  const slotOf: StoreOps["slotOf"] = async (principal, logicalId) => {
    reads.forget(heldKey(principal, logicalId));
    const slot = await tx.slotOf(principal, logicalId);
    reads.forget(slotKey(principal, slot));
    return slot;
  };
  return { ...tx, ...(Object.fromEntries(calls) as Partial<StoreOps>), slotOf };
}
