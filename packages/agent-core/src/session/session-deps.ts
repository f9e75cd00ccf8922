import type { FileRules } from "@plasm/runtime";
import type { CatalogRegistry, PolicyProvider } from "../ports.ts";
import type { Store } from "../store-port.ts";
import type { PinnedCatalogs } from "./catalog-content.ts";
import type { DelegationOf } from "./delegation.ts";
import type { KeyedLock } from "../keyed-lock.ts";
import type { OverlayReader } from "./read-overlay.ts";

/** What session routines work on. */
export interface SessionDeps {
  readonly store: Store;
  readonly registry: CatalogRegistry;
  readonly policies: PolicyProvider;
  /** entry id → backend set by the deployment (RUN-004) */
  readonly backends: ReadonlyMap<string, string>;
  /** digest of the registered plug-ins, null without any (SESS-13) */
  readonly pluginGeneration: string | null;
  /** delegated calls and their principal (SURF-24) */
  readonly delegation: DelegationOf;
  readonly overlays: OverlayReader;
  readonly pinned: PinnedCatalogs;
  /** 128 random bits as 32 hex digits (SESS-9) */
  readonly newSessionId: () => string;
  /** lets the calls of one session that this process serves take turns before the store judges */
  readonly contexts: KeyedLock;
  /** what files may be, and which programs may name; VAL-05's limits without it, and none named (VAL-07) */
  readonly files?: FileRules;
  /** SESS-11, in ms */
  readonly sessionLifetimeMs: number;
}

/** SESS-11's default lifetime. */
export const SESSION_LIFETIME_MS = 3_600_000;
