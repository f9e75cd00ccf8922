import type { Catalog } from "@plasm/core";
import type {
  CredentialScope,
  Limits,
  Ports,
  RowMemory,
  SessionOrigins,
  SharedHosts,
  SpillPlace,
} from "@plasm/runtime";
import type { SignInLink } from "../errors/problem.ts";
import type { StoreFaultLog } from "../errors/store-faults.ts";
import type { OperationQueue, TraceSink } from "../ports.ts";
import type { Caller } from "../identity/caller.ts";
import type { KeyedLock } from "../keyed-lock.ts";
import type { SessionDeps } from "../session/session-deps.ts";
import type { SessionEndpoints } from "./run/session-endpoints.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import type { AccountDeps, AccountDirectory } from "../session/accounts.ts";
import type { EndedRun } from "../outcome.ts";
import type { OperationStep } from "../records/operations.ts";
import type { OperationNews } from "./operation/events.ts";
import type { OperationLimits } from "./operation/seats.ts";
import type { DriftWatch } from "./run/drift.ts";
import type { UnwrittenEnd } from "./effects/effect-log.ts";

/** What the store refused of an attempt: nobody but this process knows of it. */
interface UnkeptEnd {
  readonly owner: string;
  /** the end that was told, or might have been; null for a run that is to go on when the store is back */
  readonly end: EndedRun | null;
  readonly effects: readonly UnwrittenEnd[];
}

/** An operation that this process runs. */
interface RunningOperation {
  /** null where it was left to others */
  readonly end: Promise<EndedRun | null>;
  /** where it stands, also below what was told (OPS-19) */
  readonly step: () => OperationStep;
}

/** What operations need besides what any live run does. */
export interface OperationDeps extends LiveDeps {
  readonly queue: OperationQueue;
  /** the operations that this process runs, by id */
  readonly running: Map<string, RunningOperation>;
  /** ends that the store refused, by operation: they stand if nobody has gone on with it (OPS-12) */
  readonly unkept: Map<string, UnkeptEnd>;
  /** how many may be unfinished (OPS-14) */
  readonly unfinished: OperationLimits;
  /** OPS-31, in ms */
  readonly leaseMs: number;
  /** wall time of a run that nobody waits for, in seconds (RUN-130) */
  readonly asyncWallSeconds: number;
  /** how long an accepted run is awaited before its handle is answered, in ms (OPS-13) */
  readonly answerHoldMs: number;
  /** aborts when this process is to leave its operations to others */
  readonly stopping: AbortSignal;
  /** those who are told of events as they happen (OPS-23) */
  readonly news: OperationNews;
}

/** Why a catalog's calls wait for a person. */
export interface PersonAsked {
  /** one of several accounts is to be named, and its plan is another one; or somebody signs in, and the same plan runs */
  readonly kind: "choose" | "sign-in";
  readonly text: string;
  /** where the person signs in; null where only an operator can, and where an account is to be named */
  readonly link: SignInLink | null;
}

/** Asks people to sign in to APIs (RUN-128). */
export interface SignInInvitations extends AccountDirectory {
  /** how long after an invitation a person may come back signed in, in ms: a ref lasts as long */
  readonly lastsMs: number;
  /**
   * What a caller is told whose calls lack a credential that a person gets by signing in, or of whose accounts one must be
   * named; null where they lack none, or the catalog does not say how people sign in.
   */
  invite(
    catalog: Catalog,
    caller: Caller,
    credentials: CredentialScope,
    /** what its calls do that changes something: scopes that they need are told before any is sent (RUN-124) */
    effects: readonly string[],
  ): Promise<PersonAsked | null>;
}

/** What a live run needs besides the session routines. */
export interface LiveDeps extends SessionDeps, AccountDeps {
  readonly ports: Ports;
  readonly limits: Limits;
  /** what runs in this process share of hosts, each tenant for itself */
  readonly hosts: SharedHosts;
  /** what the rows of all runs of this process share */
  readonly rowMemory: RowMemory;
  /** where rows go that do not stay in memory; null where they all do */
  readonly spill: SpillPlace | null;
  /** where sessions are, for views that take it (RUN-100) */
  readonly origins: SessionOrigins;
  /** null where nobody is asked to sign in (RUN-128) */
  readonly signIn: SignInInvitations | null;
  readonly endpoints: SessionEndpoints;
  /** serialises the continuations of one cursor (SESS-31) */
  readonly pages: KeyedLock;
  /** what happens is told here (SURF-29) */
  readonly trace: TraceSink;
  /** whether APIs are told whose trace their requests are of */
  readonly propagate: boolean;
  /** a problem that does not fail its call, for the log */
  readonly warn: (what: string, cause: unknown) => void;
  /** sees where APIs answer otherwise than their catalogs say (OPS-66) */
  readonly drift: DriftWatch;
  /** names of those outside who are told of what waits and what ended uncertain (OPS-49) */
  readonly noticeTargets: readonly string[];
  /** what callers, tenants and catalogs have used (OPS-52) */
  readonly quotas: QuotaLedger;
  /** what keeps the store from being used, for the log */
  readonly storeFaults: StoreFaultLog;
  /** notes a defect and returns the id to show of it */
  readonly defect: (thrown: unknown) => string;
}
