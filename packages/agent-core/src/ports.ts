import type { Catalog, Policy } from "@plasm/core";
import type { CredentialScope } from "@plasm/runtime";
import type { TraceFact, TraceKey } from "./records/traces.ts";
import type { CatalogOrigin } from "./records/sessions.ts";

/** A catalog on offer, with the text of its files as a session pins it. */
export interface RegisteredCatalog {
  readonly catalog: Catalog;
  readonly domain: string;
  readonly mappings: string | null;
  /** whether a credential is at hand, or none is needed (RUN-183) */
  readonly credentials: boolean;
  /** the same for certain callers, where that depends on who they are */
  credentialsFor?(scope: CredentialScope): boolean;
  /** what it was made of, where that is kept; null where it is not */
  origin?(): Promise<CatalogOrigin | null>;
}

/** The catalogs on offer now; a reload replaces the whole (RUN-180). */
export interface CatalogRegistry {
  list(): readonly RegisteredCatalog[];
  get(entryId: string): RegisteredCatalog | undefined;
}

/** What tenants may do now: asked at every check, so that a change counts at once (SURF-25). */
export interface PolicyProvider {
  policyOf(scope: string): Policy | Promise<Policy>;
}

/** Whose grafts a provider is asked for (GRAFT-2). */
export interface GraftQuestion {
  /** the caller's subject: never empty (GRAFT-4) */
  readonly userId: string;
  readonly tenant: string;
  readonly profile: string;
  /** of the logical session; null where there is none */
  readonly intent: string | null;
}

/** Where the grafts of a deployment's users come from, besides their own calls (GRAFT-2). */
export interface GraftProvider {
  /**
   * The set of a user as it came, to be checked; null for none. Throws an error named `GraftProviderError`,
   * whose message callers may read, where there is no answer (GRAFT-14).
   */
  ask(question: GraftQuestion): Promise<unknown>;
  close(): Promise<void>;
}

/** An operation as the store knows it. */
export interface OperationKey {
  readonly scope: string;
  readonly id: string;
}

/**
 * Brings operations to processes that run them, and news of them to those who wait. What is true of
 * an operation stands in the store alone: an operation is claimed, its lease renewed and its flag of
 * cancel set by compare-and-set on its record (OPS-12, OPS-31), so that a queue may deliver twice,
 * late, or to an owner that has lost it. Two adapters: one process, or several on one database.
 */
export interface OperationQueue {
  /**
   * Takes up work: `run` is called for each operation that was submitted. It resolves when that attempt
   * is over, and does nothing for an operation that another attempt holds.
   */
  work(run: (place: OperationKey) => Promise<void>): void;
  /** Hands over an operation whose record is stored. One that is handed over again has one attempt at a time. */
  submit(place: OperationKey): Promise<void>;
  /** Says that the record of an operation has changed: an event, a cancel, the end. */
  announce(place: OperationKey): void;
  /**
   * Calls `heard` after each change of an operation by any process, perhaps for nothing, until the
   * function it gives is called.
   */
  listen(place: OperationKey, heard: () => void): () => void;
  /**
   * Calls `heard` with each operation that any process announces, until the function it gives is called;
   * for notifications of what other processes run (OPS-23). A queue of one process has no need of it.
   */
  overhear?(heard: (place: OperationKey) => void): () => void;
  /** Takes up no more; resolves when attempts under way are over. What is submitted then is for others. */
  rest(): Promise<void>;
  /** Rests, and lets go of what it holds. */
  stop(): Promise<void>;
}

/** Where what happens is told for traces (SURF-29): at once, without waiting and without failing. */
export interface TraceSink {
  note(place: TraceKey, fact: TraceFact): void;
  /** The same where the trace has to be found first; null for what is of none. */
  noteWhere(find: () => Promise<TraceKey | null>, fact: TraceFact): void;
}
