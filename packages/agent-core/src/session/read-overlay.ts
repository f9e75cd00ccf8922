import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { canonicalJson, type Catalog } from "@plasm/core";
import { type ProjectedOverlay, sha256Hex } from "@plasm/core/internal";
import {
  type Limits,
  openOverlay,
  type OverlayOrigin,
  type Ports,
  type RunContext,
  type SharedHosts,
} from "@plasm/runtime";
import type { Caller } from "../identity/caller.ts";
import type { Store, Stored } from "../store-port.ts";
import type { AccountNames, OverlayRecord } from "../records/sessions.ts";
import { withAccounts } from "./accounts.ts";
import { KeyedLock } from "../keyed-lock.ts";

/** How long a stored overlay serves new sessions (RUN-103). */
const TTL_MS = 600_000;

/** How long one reading may take before another process reads for itself; longer than a run's wall time. */
const READING_MS = 60_000;

/** After that no stored overlay serves, nor keeps it others from reading. */
export const OVERLAY_KEPT_MS = TTL_MS + READING_MS;

const POLL_MS = 200;

/** The overlay of a catalog for one tenant; null where it could not be read. */
export interface OverlayContent {
  readonly overlay: ProjectedOverlay | null;
  /** what a wave says of it: why it is missing, or what was left out */
  readonly notes: readonly string[];
}

/** Reads overlays when sessions open (RUN-103, SESS-16). */
export interface OverlayReader {
  /**
   * The overlay of a catalog that declares one; asks the store before the API. `owner` is whose credentials
   * they are: the logical session, else the execute session, null for a new one without intent; of several
   * accounts those that are named (RUN-129).
   */
  read(
    caller: Caller,
    owner: string | null,
    catalog: Catalog,
    accounts?: AccountNames,
  ): Promise<OverlayContent>;
}

/** What requests of a session carry. */
export type OverlaySecrets = {
  readonly credentials: RunContext["credentials"];
  readonly variables?: NonNullable<RunContext["sessionVariables"]>;
  readonly keep?: NonNullable<RunContext["keepVariables"]>;
};

/** What reading overlays needs of the host. */
export interface OverlayDeps {
  readonly store: Store;
  readonly ports: Ports;
  readonly backends: ReadonlyMap<string, string>;
  readonly limits: Limits;
  readonly hosts: SharedHosts;
  /** credentials and variables of a session (RUN-015, RUN-120) */
  readonly secretsOf: (caller: Caller, owner: string, accounts?: AccountNames) => OverlaySecrets;
  readonly warn: (what: string, cause: unknown) => void;
}

type Opened = Extract<OverlayOrigin, { ok: true }>;

const missing = (reason: string): OverlayContent => ({
  overlay: null,
  notes: [
    `Its schema of this tenant could not be read (${reason}); only what all tenants have is here.`,
  ],
});

/**
 * The key of RUN-103: tenant, credential, entry id, base digest, backend. The tenant is the scope; variables
 * of the session are part of the credential, since they say whose data an API shows (RUN-015).
 */
function recordId(
  catalog: Catalog,
  { credential, backend }: Opened,
  { variables }: OverlaySecrets,
): string {
  const own = variables?.get(catalog.entryId) ?? {};
  const whose = Object.keys(own).length === 0 ? credential : [credential, own];
  return sha256Hex(canonicalJson([whose, catalog.entryId, catalog.digest, backend]));
}

async function open(
  deps: OverlayDeps,
  { credentials, variables, keep }: OverlaySecrets,
  catalog: Catalog,
): Promise<OverlayOrigin> {
  const { ports, backends, limits, hosts, warn } = deps;
  const context: RunContext = {
    catalogs: new Map([[catalog.entryId, catalog]]),
    backends,
    ports,
    limits,
    credentials,
    hosts: hosts.of(credentials.tenant),
    ...(variables === undefined ? {} : { sessionVariables: variables }),
    ...(keep === undefined ? {} : { keepVariables: keep }),
    startedAt: ports.clock.now(),
    runId: randomUUID(),
    onDefect: (thrown: unknown) => warn("reading an overlay", thrown),
  };
  return openOverlay(context, catalog.entryId);
}

/** What is stored and fresh, or null. */
function freshContent(store: Store, record: Stored<OverlayRecord> | null): OverlayContent | null {
  const content = record?.value.content ?? null;
  return content !== null && store.now() - content.readAt < TTL_MS ? content : null;
}

/** Takes the right to read, unless another process has it now. */
async function claim(
  store: Store,
  scope: string,
  id: string,
  record: Stored<OverlayRecord> | null,
): Promise<boolean> {
  const next = { content: record?.value.content ?? null, readingUntil: store.now() + READING_MS };
  if (record === null) return store.insert("overlay", scope, id, next);
  if (record.value.readingUntil > store.now()) return false;
  return store.cas("overlay", scope, id, record.version, next);
}

async function keep(store: Store, scope: string, id: string, next: OverlayRecord): Promise<void> {
  const record = await store.get("overlay", scope, id);
  if (record !== null) await store.cas("overlay", scope, id, record.version, next);
}

async function fetchOnce(
  { store }: OverlayDeps,
  scope: string,
  id: string,
  source: Opened,
): Promise<OverlayContent> {
  let outcome: Awaited<ReturnType<Opened["read"]>> | null = null;
  try {
    outcome = await source.read();
  } finally {
    const content =
      outcome?.ok === true
        ? { overlay: outcome.overlay, notes: outcome.notes, readAt: store.now() }
        : null;
    await keep(store, scope, id, { content, readingUntil: 0 });
  }
  return outcome.ok ? outcome : missing(outcome.reason);
}

async function storedOrRead(
  deps: OverlayDeps,
  scope: string,
  id: string,
  source: Opened,
): Promise<OverlayContent> {
  const { store } = deps;
  for (;;) {
    const record = await store.get("overlay", scope, id);
    const known = freshContent(store, record);
    if (known !== null) return known;
    if (await claim(store, scope, id, record)) return fetchOnce(deps, scope, id, source);
    // Not the run's clock: in a replay it waits for nothing.
    await sleep(POLL_MS);
  }
}

/**
 * Overlays by tenant, credential, entry id, base digest and backend, kept in the store for 600 s. One process
 * at a time reads each; others wait for what it finds (RUN-103).
 */
export function createOverlayReader(deps: OverlayDeps): OverlayReader {
  const turns = new KeyedLock();
  return {
    async read(caller, owner, catalog, accounts = {}) {
      if (catalog.cgs.overlay === undefined) return { overlay: null, notes: [] };
      const { scope } = caller;
      const secrets = withAccounts(deps.secretsOf(caller, owner ?? "", accounts), accounts);
      const source = await open(deps, secrets, catalog);
      if (!source.ok) return missing(source.reason);
      const id = recordId(catalog, source, secrets);
      return turns.run(`${scope} ${id}`, () => storedOrRead(deps, scope, id, source));
    },
  };
}
