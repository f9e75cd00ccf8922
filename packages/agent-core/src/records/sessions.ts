import type { Notation, Policy, WaveEntry, WaveText } from "@plasm/core";
import type { ProjectedOverlay } from "@plasm/core/internal";

/** What a catalog was made of, as whoever made it kept it: no text of the document itself. */
export type CatalogOrigin = {
  /** a file by its name, an address without its query, or a program */
  readonly source: string;
  /** of the document */
  readonly digest: string;
  /** when the document was read, as in `2026-11-23T16:50:00.000Z` */
  readonly read_at: string;
  /** operations of the document, and those of them that the catalog has */
  readonly operations: number;
  readonly reached: number;
  /** what is left out and why, a line each, at most 200 of them */
  readonly left_out: readonly string[];
  /** further lines that are not told */
  readonly omitted: number;
};

/** The content of a catalog that an administrator imported, by its digest (SESS-12). Times in ms. */
export interface ImportedCatalog {
  /** of its files (RUN-170) */
  readonly digest: string;
  readonly entryId: string;
  readonly version: number;
  readonly domain: string;
  /** null where the mappings are part of the domain file */
  readonly mappings: string | null;
  /** what it was made of, as whoever imported it said; absent where they did not */
  readonly origin?: CatalogOrigin;
  /** the administrator who imported it */
  readonly by: string;
  readonly at: number;
}

/** Which import of an entry id is on offer. */
export interface OfferRecord {
  readonly entryId: string;
  readonly digest: string;
}

/** A version of a tenant's policy; every one is kept (SURF-25). Times in ms. */
export interface PolicyRecord {
  readonly tenant: string;
  /** from 1 on */
  readonly version: number;
  readonly policy: Policy;
  /** the administrator who set it */
  readonly by: string;
  readonly at: number;
}

/**
 * What a key's bearer may do: decide on plans that wait, change policies, or call as its subject
 * (OPS-36, SURF-16, SURF-23).
 */
export type KeyRole = "operator" | "admin" | "agent" | "monitor";

/** What the key of an agent is good for: reading alone, or effects as well. */
export type KeyScope = "read" | "effects";

/** A key that this deployment gave out; the key itself is kept nowhere (SURF-23). Times in ms. */
export interface KeyRecord {
  /** 16 hex digits, which the key itself begins with */
  readonly id: string;
  /** SHA-256 of the key, in hex */
  readonly hash: string;
  readonly tenant: string;
  readonly subject: string;
  readonly role: KeyRole;
  /** other users that its bearer may act for (SURF-24) */
  readonly actAs?: readonly string[];
  /** it stands for no user (SURF-24) */
  readonly service?: boolean;
  readonly createdAt: number;
  /** what an agent may do with it; all without it */
  readonly scopes?: readonly KeyScope[];
  /** when it ends, by the store's clock in ms; never without it */
  readonly expiresAt?: number;
  /** when it was used last, to the minute */
  readonly lastUsedAt?: number;
  /** when it got the text that is valid now, if that is not its first */
  readonly rotatedAt?: number;
}

/** An overlay as it was read for one tenant, credential, catalog and backend (RUN-103). */
export interface OverlayRecord {
  /** null while it has not been read, or its last reading failed */
  readonly content: {
    readonly overlay: ProjectedOverlay;
    /** what was left out of it */
    readonly notes: readonly string[];
    /** the store's clock, in ms */
    readonly readAt: number;
  } | null;
  /** until when one process may be at reading it: others wait for what it finds; the store's clock */
  readonly readingUntil: number;
}

/**
 * The content of a catalog as a session opened it: both files' text, and the overlay it was opened with
 * (SESS-12, RUN-173).
 */
export interface PinnedCatalog {
  readonly digest: string;
  readonly entryId: string;
  readonly domain: string;
  readonly mappings: string | null;
  /** absent without overlay */
  readonly overlay?: ProjectedOverlay;
  /** some of its parts were left out when it was loaded; absent where it is whole */
  readonly partial?: true;
}

/** One exposure step as it was taught; never re-rendered (TEACH-30). */
export interface WaveRecord {
  /** from 1, without gaps */
  readonly n: number;
  readonly mode: "open" | "expand" | "federate";
  readonly entry: WaveEntry;
  readonly text: string;
  readonly parts: WaveText["parts"];
  /** first and last number of each family this wave allotted, null if none */
  readonly e: readonly [number, number];
  readonly m: readonly [number, number] | null;
  readonly p: readonly [number, number] | null;
  readonly tokens: number;
  readonly untaught: WaveText["untaught"];
  /** descriptions that its table shows in part, if there are any; waves stored earlier say nothing of them */
  readonly cut?: WaveText["cut"];
}

/** How much of a logical session's tables a connection has been sent. */
export interface SentWaves {
  readonly sessionId: string;
  /** the other half of its binding; none in records of earlier versions */
  readonly promptHash?: string;
  readonly waves: number;
}

/** A call of a connection that was cancelled, by the name its surface gave it, and when. */
interface CancelledCall {
  readonly call: string;
  readonly at: number;
}

/** What is known of a connection itself; its sessions have records of their own (SESS-39). */
export interface ConnectionRecord {
  readonly id: string;
  /** the last calls that were cancelled on it (OPS-11) */
  readonly cancelled?: readonly CancelledCall[];
  readonly lastUsedAt: number;
  /** its client leads people to pages that it is given (RUN-131) */
  readonly leadsToUrls?: boolean;
  /** its client shows cards (SURF-45) */
  readonly showsCards?: boolean;
  /** its sessions, in records of an earlier program: waves by logical session, those opened, those restored */
  readonly sent?: Readonly<Record<string, SentWaves>>;
  readonly opened?: readonly string[];
  readonly restored?: readonly string[];
}

/**
 * A logical session, else an execute session, that a connection knows: it was opened on it, or it goes on with one
 * that was opened elsewhere (SESS-3, SESS-4). One record each, so that no call costs in proportion to the others.
 */
export interface ConnectionSession {
  /** how much of its tables the connection has been sent (SESS-19, SESS-40) */
  readonly sent?: SentWaves;
  /** it was opened on the connection, though nothing may have been sent: it is told of its operations (OPS-23) */
  readonly opened?: boolean;
  readonly lastUsedAt: number;
}

/** What names an execute session; both parts stay fixed through all waves (SESS-9). */
export interface SessionKey {
  readonly promptHash: string;
  readonly sessionId: string;
}

/** One symbol space: what waves, commits and cursors belong to (SESS-10). Times in ms. */
export interface ExecuteSession extends SessionKey {
  readonly scope: string;
  /** the principal's subject in delegated mode, else null */
  readonly subject: string | null;
  readonly logicalId: string | null;
  /** the principal that opened it, where no intent binds it; absent in records of an earlier program */
  readonly opener?: string;
  readonly notation: Notation;
  /** it teaches and takes reads alone; absent where it may change data */
  readonly readOnly?: true;
  readonly primary: string;
  readonly reuseKey: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** when its lifetime was over, once it has ended for good; absent while it may live */
  readonly endedAt?: number;
}

/** Which account calls of a catalog use, by entry id (RUN-129). */
export type AccountNames = Readonly<Record<string, string>>;

/** Why an execute session is gone (SESS-26). */
export type LossReason = "expired" | "missing" | "catalog_gone";

/** That an execute session is gone, kept until its agent has been told (SESS-25). */
export interface Loss {
  readonly reason: LossReason;
  readonly previous: SessionKey;
  /** a plasm_context answer has reported it */
  readonly reported: boolean;
}

/** A loss that was done with, for connections that hear of it later (SESS-40). */
export type PastLoss = Pick<Loss, "reason" | "previous">;

/** The pair (scope, intent), with the execute session it is bound to (SESS-1, SESS-5). */
export interface LogicalSession {
  readonly uuid: string;
  readonly scope: string;
  /** the principal whose it is where calls are delegated */
  readonly subject?: string | null;
  readonly intent: string;
  /** the accounts that principals have named, by principal and entry id; it stays what it is (RUN-129) */
  readonly accounts?: Readonly<Record<string, AccountNames>>;
  readonly bound: SessionKey | null;
  readonly loss: Loss | null;
  /** earlier losses, the last first; the oldest are forgotten */
  readonly past?: readonly PastLoss[];
  readonly createdAt: number;
  readonly lastUsedAt: number;
}

/**
 * A browser that somebody has signed in with to the console (SURF-32). Its id is whose it is, a slash, and the SHA-256 of the secret
 * in its cookie.
 */
export interface ConsoleSessionRecord {
  readonly tenant: string;
  /** SHA-256 of what its page sends with each call */
  readonly page: string;
  /** the credentials of the sign-in, sealed with a key that only the secret in the cookie gives */
  readonly sealed: string;
  /** in ms by the store's clock */
  readonly until: number;
}
