import type {
  Limits,
  Ports,
  RowMemory,
  SessionOrigins,
  SharedHosts,
  SpillPlace,
} from "@plasm/runtime";
import type { StoreFaultLog } from "../errors/store-faults.ts";
import type { TraceSink } from "../ports.ts";
import type { KeyedLock } from "../session/keyed-lock.ts";
import type { SessionDeps } from "../session/session-deps.ts";
import type { SessionChains } from "./session-chains.ts";
import type { SessionSecretsOf } from "./session-secrets.ts";

/** What a live run needs besides the session routines. */
export interface LiveDeps extends SessionDeps {
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
  readonly secretsOf: SessionSecretsOf;
  readonly chains: SessionChains;
  /** serialises the continuations of one cursor (SESS-31) */
  readonly pages: KeyedLock;
  /** what happens is told here (SURF-29) */
  readonly trace: TraceSink;
  /** whether APIs are told whose trace their requests are of */
  readonly propagate: boolean;
  /** a problem that does not fail its call, for the log */
  readonly warn: (what: string, cause: unknown) => void;
  /** what keeps the store from being used, for the log */
  readonly storeFaults: StoreFaultLog;
  /** notes a defect and returns the id to show of it */
  readonly defect: (thrown: unknown) => string;
}
