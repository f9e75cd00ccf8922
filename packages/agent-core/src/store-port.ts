import type {
  ApprovalRecord,
  CommitRecord,
  MintedRecord,
  RejectionRecord,
  WaitingRecord,
} from "./records/commits.ts";
import type {
  ConnectionRecord,
  ConnectionSession,
  ConsoleSessionRecord,
  ExecuteSession,
  ImportedCatalog,
  KeyRecord,
  LogicalSession,
  OfferRecord,
  OverlayRecord,
  PinnedCatalog,
  PolicyRecord,
  SessionKey,
  WaveRecord,
} from "./records/sessions.ts";
import type {
  CursorRecord,
  DroppedRecord,
  FileRecord,
  GraftRecord,
  GraftSetRecord,
  SnapshotRecord,
  SweepRecord,
} from "./records/artifacts.ts";
import type {
  EffectMark,
  EffectRecord,
  EndedOperation,
  ExpectedRecord,
  OperationName,
  OperationRecord,
  OutputRecord,
  PollRecord,
  SetAsideOperation,
  TaskRecord,
  UnfinishedOperation,
} from "./records/operations.ts";
import type { TraceHead, TracePortion } from "./records/traces.ts";
import type { AuditEvent, AuditHead, AuditLine } from "./records/audit.ts";
import type { QuotaRecord } from "./records/quotas.ts";
import type { DriftRecord, DriftSignsRecord } from "./records/drift.ts";
import type { SavedProgramRecord } from "./records/saved-programs.ts";
import type {
  ScheduleRecord,
  WakeRecord,
  WatchedRows,
  WatchEventRecord,
} from "./records/schedules.ts";
import type { NoticeRecord } from "./records/notices.ts";

/** The documents a store keeps, by kind. Ids are unique within kind and scope. */
export interface RecordTypes {
  readonly logical: LogicalSession;
  readonly commit: CommitRecord;
  readonly minted: MintedRecord;
  readonly approval: ApprovalRecord;
  readonly waiting: WaitingRecord;
  readonly rejection: RejectionRecord;
  readonly key: KeyRecord;
  readonly policy: PolicyRecord;
  readonly policyVersion: PolicyRecord;
  readonly importedCatalog: ImportedCatalog;
  readonly offer: OfferRecord;
  readonly snapshot: SnapshotRecord;
  readonly cursor: CursorRecord;
  readonly operation: OperationRecord;
  readonly number: OperationName;
  readonly seat: OperationName;
  readonly poll: PollRecord;
  readonly task: TaskRecord;
  readonly unfinished: UnfinishedOperation;
  readonly setAside: SetAsideOperation;
  readonly ended: EndedOperation;
  readonly effect: EffectRecord;
  readonly output: OutputRecord;
  readonly mark: EffectMark;
  readonly expected: ExpectedRecord;
  readonly connection: ConnectionRecord;
  readonly connectionSession: ConnectionSession;
  readonly overlay: OverlayRecord;
  readonly file: FileRecord;
  readonly graftSet: GraftSetRecord;
  readonly graft: GraftRecord;
  readonly sweep: SweepRecord;
  readonly dropped: DroppedRecord;
  readonly trace: TraceHead;
  readonly traceEvents: TracePortion;
  readonly auditEvent: AuditEvent;
  readonly auditLine: AuditLine;
  readonly auditHead: AuditHead;
  readonly notice: NoticeRecord;
  readonly quota: QuotaRecord;
  readonly savedProgram: SavedProgramRecord;
  readonly drift: DriftRecord;
  readonly driftSigns: DriftSignsRecord;
  readonly schedule: ScheduleRecord;
  readonly watched: WatchedRows;
  readonly watchEvent: WatchEventRecord;
  readonly wake: WakeRecord;
  readonly consoleSession: ConsoleSessionRecord;
}

/** The kinds of documents. */
export type RecordKind = keyof RecordTypes;

/** A document with the version a compare-and-set needs. */
export interface Stored<T> {
  readonly id: string;
  readonly version: number;
  readonly value: T;
}

/** What may be a long text in a record. A store keeps it once, however many records have it (docs/adr/0137). */
export type TextField = "program" | "plan";

/** The documents as lists give them: without such texts, which are read with one document alone. */
export type ListedTypes = {
  readonly [K in RecordKind]: RecordTypes[K] extends { readonly program?: unknown }
    ? Omit<RecordTypes[K], TextField>
    : RecordTypes[K];
};

/** Records by their ids, both ends included; from either end on, and at most so many. */
export interface IdRange {
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
  /** the highest id first */
  readonly newestFirst?: boolean;
}

/** What is numbered per session: commits, operations, page handles, results (SESS-6). */
export type CounterKind = "pc" | "o" | "pg" | "r";

/** A slot with the logical session that holds it (SESS-3). */
export interface HeldSlot {
  readonly slot: number;
  readonly logicalId: string;
}

/** A slot that a call names, with what its process knows already of where it leads. */
export interface AskedSlot {
  readonly scope: string;
  readonly principal: string;
  readonly slot: number;
  /** the user whose sessions the call may use where calls are delegated (SURF-24), else null */
  readonly subject: string | null;
  readonly lifetimeMs: number;
  /** how many waves of a session are known */
  readonly known: { readonly sessionId: string; readonly waves: number } | null;
  /** where connections keep the logical session: its record's id is this and the session's (SESS-3) */
  readonly connection: { readonly scope: string; readonly prefix: string } | null;
}

/** The live session that a slot leads to, with what a call reads of it. */
export interface SessionAtSlot {
  readonly logical: Stored<LogicalSession>;
  /** renewed */
  readonly session: ExecuteSession;
  /** in their order, without those that are known */
  readonly waves: readonly WaveRecord[];
  /** what the connection keeps of it */
  readonly onConnection: Stored<ConnectionSession> | null;
  /** digests of its waves whose content is there; not all of them where an earlier program wrote waves */
  readonly pinned: readonly string[];
}

/** A document as a sweep finds it, whosever it is. */
export interface Aged<T> extends Stored<T> {
  readonly scope: string;
  /** what its age counts from: its last change, or what a sweep has set since; ms */
  readonly agedFrom: number;
  /** bytes of its texts that are kept outside it, whoever else has them */
  readonly textBytes: number;
}

/** A portion of what scopes have stored. */
export interface Usage {
  readonly bytes: ReadonlyMap<string, number>;
  readonly next: number | null;
}

/** How much a store holds, in bytes. */
export interface StoreSize {
  /** what is used */
  readonly used: number;
  /** what it takes of its disk, with what is freed and not given back */
  readonly onDisk: number;
}

/** How much a store holds and may hold, in bytes (SESS-37). */
export interface Storage extends StoreSize {
  readonly limit: number;
  /** what rows of runs that are under way in this process take of its data directory's disk, beside the store */
  readonly spilled: number;
}

/**
 * What a sweep needs (SESS-37): all scopes, in portions of `limit`. No call is made of it. What is removed
 * is removed only if nothing has changed that would keep it.
 */
export interface StoreUpkeep {
  /** Records of a kind whose age counts from `until` or earlier, the oldest first. */
  aged<K extends RecordKind>(
    kind: K,
    until: number,
    limit: number,
  ): Promise<readonly Aged<ListedTypes[K]>[]>;
  /** Counts a record's age from another time; its version stays. */
  ageFrom(kind: RecordKind, scope: string, id: string, from: number): Promise<void>;
  /** Removes a record if its version is still `version`. */
  remove(kind: RecordKind, scope: string, id: string, version: number): Promise<boolean>;
  /** Removes the records of a kind whose id starts with `prefix`. */
  removeAll(kind: RecordKind, scope: string, prefix: string): Promise<void>;
  /** Gives up the counters of an owner. */
  removeCounters(owner: string): Promise<void>;
  /** Gives up the slots that principals have for a logical session (SESS-3). */
  freeSlots(logicalId: string): Promise<void>;

  /** Sessions whose lifetime is over, and which have not been ended yet, except for `but`. */
  expiredSessions(but: ReadonlySet<string>, limit: number): Promise<readonly ExecuteSession[]>;
  /**
   * Ends a session whose lifetime is over, whatever the clock says later, and removes its waves: a
   * look-up renews it before or finds it lost after (SESS-11). False if it was renewed.
   */
  endSession(key: SessionKey): Promise<boolean>;
  /** Sessions that ended, and whose lifetime was over at `until` or earlier. */
  endedSessions(until: number, limit: number): Promise<readonly ExecuteSession[]>;
  /** Removes a session that has ended. */
  removeSession(key: SessionKey): Promise<void>;
  /** Removes catalogs pinned at `until` or earlier that are of no session's waves; how many. */
  removeCatalogs(until: number, limit: number): Promise<number>;
  /** Removes blobs written at `until` or earlier that no record names; how many. */
  removeBlobs(until: number, limit: number): Promise<number>;
  /** Brings rows that an earlier program wrote to what a sweep relies on; how many. */
  settle(limit: number): Promise<number>;
  /**
   * The bytes of the next `limit` records after a place, by scope, with the content that they name; a long text counts
   * once in each scope that has it, and audit logs do not count. `next` is the place after them, null at the end. The first place is 0.
   */
  usage(after: number, limit: number): Promise<Usage>;
}

/**
 * What can be done inside a transaction. Scope is part of every look-up: a record of another
 * scope and one that does not exist give the same answer (SESS-38).
 */
export interface StoreOps extends StoreUpkeep {
  /** The store's clock in milliseconds since the epoch; expiry is judged by it (SESS-11). */
  now(): number;

  get<K extends RecordKind>(
    kind: K,
    scope: string,
    id: string,
  ): Promise<Stored<RecordTypes[K]> | null>;
  /** The same without its long texts, for those who need none of them: damage of a text is not met. */
  peek<K extends RecordKind>(
    kind: K,
    scope: string,
    id: string,
  ): Promise<Stored<ListedTypes[K]> | null>;
  /** The records of these ids with their long texts, in this order; those that are not there are left out. */
  getAll<K extends RecordKind>(
    kind: K,
    scope: string,
    ids: readonly string[],
  ): Promise<readonly Stored<RecordTypes[K]>[]>;
  /** Writes a record that does not exist yet; false if it does. */
  insert<K extends RecordKind>(
    kind: K,
    scope: string,
    id: string,
    value: RecordTypes[K],
  ): Promise<boolean>;
  /** Replaces a record if its version is still `version`. */
  cas<K extends RecordKind>(
    kind: K,
    scope: string,
    id: string,
    version: number,
    next: RecordTypes[K],
  ): Promise<boolean>;
  /** All records whose id starts with `prefix`, in the order they were inserted. */
  list<K extends RecordKind>(
    kind: K,
    scope: string,
    prefix: string,
  ): Promise<readonly Stored<ListedTypes[K]>[]>;
  /** Records of a scope by their ids, in the order of these: of a list that is too long to be read whole. */
  range<K extends RecordKind>(
    kind: K,
    scope: string,
    range: IdRange,
  ): Promise<readonly Stored<ListedTypes[K]>[]>;
  delete(kind: RecordKind, scope: string, id: string): Promise<void>;

  /** Stores bytes under their SHA-256; writing the same bytes twice is one blob (SESS-30). */
  putBlob(sha256: string, bytes: Uint8Array): Promise<void>;

  /** The next number of a counter, from 1 (`pc` from 0); it never restarts (SESS-6). */
  nextNumber(owner: string, kind: CounterKind): Promise<number>;

  /** The slot of a principal that holds this logical session, allotted on first use (SESS-3). */
  slotOf(principal: string, logicalId: string): Promise<number>;
  /** The slot of a principal that holds this logical session; null, and none is allotted, where it has not opened it. */
  heldSlot(principal: string, logicalId: string): Promise<number | null>;
  /** The logical session that holds a slot of this principal. */
  logicalAtSlot(principal: string, slot: number): Promise<string | null>;
  /** The slots of a principal that are held, in their order. */
  slots(principal: string): Promise<readonly HeldSlot[]>;

  /** Finds the live session with this reuse key, else stores the one `make` gives (SESS-14). */
  findOrCreateSession(
    reuseKey: string,
    make: () => ExecuteSession,
  ): Promise<{ readonly row: ExecuteSession; readonly created: boolean }>;
  /** The live session with this reuse key, if there is one. */
  liveSession(reuseKey: string): Promise<ExecuteSession | null>;
  /** Lets a session be found by its reuse key no more: another one may take it. */
  giveUpReuseKey(key: SessionKey): Promise<void>;
  /** Reads a session, live or not. */
  session(scope: string, key: SessionKey): Promise<ExecuteSession | null>;
  /**
   * Renews a live session's lifetime, which is never shortened, and returns it; null if it has expired or
   * does not exist.
   */
  renewSession(scope: string, key: SessionKey, lifetimeMs: number): Promise<ExecuteSession | null>;
  /** Appends waves if the log still has `expectedLength` entries (SESS-32). */
  appendWaves(
    key: SessionKey,
    expectedLength: number,
    waves: readonly WaveRecord[],
  ): Promise<"ok" | "conflict">;
  /** A session's waves in their order; those after the first `after` alone, if that is given. */
  waves(key: SessionKey, after?: number): Promise<readonly WaveRecord[]>;

  /** Keeps a catalog's content while sessions pin its digest (SESS-12). Idempotent. */
  pinCatalog(catalog: PinnedCatalog): Promise<void>;
  pinnedCatalog(digest: string): Promise<PinnedCatalog | null>;
  /** Whether a catalog's content is there. */
  isPinned(digest: string): Promise<boolean>;
  /** All contents that sessions have of an entry id; for administrators alone, since each is read whole. */
  pinnedCatalogs(entryId: string): Promise<readonly PinnedCatalog[]>;
  /** Withdraws a catalog's content: sessions that pin it are lost (SESS-12). False if it is not there. */
  withdrawCatalog(digest: string): Promise<boolean>;
}

/** All state of the engine behind one port (SESS-32). */
export interface Store extends StoreOps {
  /**
   * Runs `work` atomically; nothing of it is visible if it throws. No network call inside. Until `visible` it may
   * resolve when others see it, for whoever awaits {@link Store.durable} before anything is told of effects. A number of
   * a snapshot, a page or a plan that was taken in it is not given again, even if a loss of power takes the rest.
   */
  transaction<T>(work: (tx: StoreOps) => Promise<T>, until?: "durable" | "visible"): Promise<T>;
  /** The bytes, or null; damaged bytes are an error, never served (SESS-29). */
  getBlob(sha256: string): Promise<Uint8Array | null>;
  /** Answers when the store can be read and written. */
  ping(): Promise<void>;
  /**
   * Finds and renews the session that a slot leads to, in one look. Null where none lives or it is another user's: the
   * parts then say why. Absent where each part is found as soon.
   */
  sessionAtSlot?(asked: AskedSlot): Promise<SessionAtSlot | null>;
  /** Reads that do not wait for their turn behind calls: for looks at how it stands; absent where no call waits. */
  readonly urgent?: Pick<StoreOps, "get" | "list">;
  /**
   * Resolves when all that was written before outlasts a loss of power; absent where each write does when its
   * promise resolves. Of the others, {@link StoreOps.renewSession} and a transaction until `visible` alone may
   * resolve before that: no call is answered until this has (SESS-33), but a run that changed nothing (SESS-30).
   * Rejects where any of it was lost.
   */
  durable?(): Promise<void>;
  /** How much it holds, found without reading it; absent where that cannot be told. */
  size?(): Promise<StoreSize>;
  /** Gives space that was freed back to the disk, as far as it can while it is used. */
  reclaim?(): Promise<void>;
  /** Another number whenever another process has changed the store; absent where that cannot be told. */
  foreignChanges?(): number;
  /** the processes that have the store open; absent where nobody can tell who is alive */
  readonly processes?: {
    /** this one */
    readonly own: string;
    /** Whether one is certainly gone; false where that cannot be said. */
    isGone(id: string): boolean;
  };
  close(): Promise<void>;
}
