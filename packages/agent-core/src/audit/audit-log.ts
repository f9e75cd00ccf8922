import { randomUUID } from "node:crypto";
import type { AuditFacts, AuditHead, AuditLine } from "../records/audit.ts";
import type { Store, StoreOps } from "../store-port.ts";
import { countAudit } from "../meter.ts";
import { EMPTY_CHAIN, lineBehind } from "./chain.ts";

/** The one record of a tenant that says where its chain stands. */
const HEAD = "head";

/** Events that one transaction makes lines of. */
const PORTION = 200;

/** Characters of a text in a line: names and ids are shorter. */
const LONGEST = 300;

const UNKNOWN: Omit<AuditFacts, "kind"> = Object.freeze({
  subject: null,
  acting_for: null,
  entry_id: null,
  capability: null,
  target: null,
  plan_commit_ref: null,
  commit: null,
  operation_uuid: null,
  request_id: null,
  outcome: null,
  detail: null,
});

/** Lines sort by their ids as by their numbers. */
export const lineId = (n: number): string => String(n).padStart(12, "0");

/** A text as a line has it: not longer than names are, and valid in any encoding. */
const told = (text: string): string =>
  (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text).replaceAll(
    /\p{Surrogate}/gu,
    "\u{fffd}",
  );

function shortened(facts: AuditFacts): AuditFacts {
  const cut = Object.entries(facts).map(([name, value]: [string, string | null]) => [
    name,
    value === null ? null : told(value),
  ]);
  return Object.fromEntries(cut) as unknown as AuditFacts;
}

/** What is told of one thing that happened; what is left out is null. */
export type AuditNote = Partial<AuditFacts> & Pick<AuditFacts, "kind">;

/**
 * Notes what happens, in the transaction in which it happens (OPS-40): it becomes a line of the tenant's chain a moment
 * later, so that no two transactions wait for each other at the end of one chain.
 */
export async function noteAudit(tx: StoreOps, tenant: string, note: AuditNote): Promise<void> {
  const happened_at = new Date(tx.now()).toISOString();
  const facts = shortened({ ...UNKNOWN, ...note });
  await tx.insert("auditEvent", tenant, randomUUID(), { ...facts, happened_at });
}

/**
 * Where a tenant's chain stands: at its last line, also where the record of that was lost or is older. So a damaged log
 * goes on, and whoever verifies it is told which line does not fit.
 */
export async function auditHead(store: StoreOps, tenant: string): Promise<AuditHead> {
  const kept = (await store.get("auditHead", tenant, HEAD))?.value ?? EMPTY_CHAIN;
  const [last] = await store.range("auditLine", tenant, { limit: 1, newestFirst: true });
  if (last === undefined || last.value.n <= kept.n) return kept;
  const { n, hash, at } = last.value;
  if (kept.n > 0) return { ...kept, n, hash, at };
  const [oldest = last] = await store.range("auditLine", tenant, { limit: 1 });
  return { n, hash, at, first: { n: oldest.value.n, prev: oldest.value.prev } };
}

async function keepHead(tx: StoreOps, tenant: string, next: AuditHead): Promise<void> {
  const found = await tx.get("auditHead", tenant, HEAD);
  const kept =
    found === null
      ? await tx.insert("auditHead", tenant, HEAD, next)
      : await tx.cas("auditHead", tenant, HEAD, found.version, next);
  if (!kept) throw new Error("The end of an audit log was moved within a transaction");
}

async function linkPortion(tx: StoreOps, tenant: string): Promise<readonly AuditLine[]> {
  const events = (await tx.list("auditEvent", tenant, "")).slice(0, PORTION);
  if (events.length === 0) return [];
  const lines: AuditLine[] = [];
  let head = await auditHead(tx, tenant);
  for (const { id, value } of events) {
    const line = lineBehind(head, tenant, value, tx.now());
    // A second line of one number would be a fork.
    if (!(await tx.insert("auditLine", tenant, lineId(line.n), line))) {
      throw new Error(`The audit log of a tenant has a line ${line.n} already`);
    }
    await tx.delete("auditEvent", tenant, id);
    lines.push(line);
    head = { ...head, n: line.n, hash: line.hash, at: line.at };
  }
  await keepHead(tx, tenant, head);
  return lines;
}

/**
 * Makes lines of all that was noted of a tenant, in the order it was noted (OPS-41). Any number of processes may do so
 * at once: each portion is one transaction, and of two that meet at the end of a chain one begins again.
 */
export async function linkAudit(store: Store, tenant: string): Promise<void> {
  for (;;) {
    const linked = await store.transaction((tx) => linkPortion(tx, tenant));
    countAudit(linked);
    if (linked.length < PORTION) return;
  }
}

/**
 * Makes lines of what was noted of any tenant, by this process or by one that ended before it could. Throws the first
 * error when every other tenant has had its turn: a chain that was damaged holds up none but its own.
 */
export async function linkAll(store: Store): Promise<void> {
  for (;;) {
    const waiting = await store.aged("auditEvent", Number.MAX_SAFE_INTEGER, PORTION);
    const failed: unknown[] = [];
    for (const tenant of new Set(waiting.map(({ scope }) => scope))) {
      await linkAudit(store, tenant).catch((cause: unknown) => failed.push(cause));
    }
    if (failed.length > 0) throw failed[0];
    if (waiting.length < PORTION) return;
  }
}

/** What was dropped of a chain. */
export interface TrimmedAudit {
  readonly count: number;
  readonly bytes: number;
}

/**
 * Removes the oldest lines of a tenant: those that became part of the chain at `until` or before (ms; at any time if null), at
 * most so many and so many bytes. The chain says where it begins from then on, so that a line that is missing is never taken for one that
 * was dropped (OPS-43).
 */
export async function trimAudit(
  tx: StoreOps,
  tenant: string,
  until: number | null,
  { most, bytes: mostBytes }: { readonly most: number; readonly bytes: number },
): Promise<TrimmedAudit> {
  const oldest = await tx.range("auditLine", tenant, { limit: most });
  const before = until === null ? null : new Date(until).toISOString();
  let count = 0;
  let bytes = 0;
  let first: AuditHead["first"] | null = null;
  for (const { id, value } of oldest) {
    if ((before !== null && value.at > before) || bytes >= mostBytes) break;
    await tx.delete("auditLine", tenant, id);
    count += 1;
    bytes += JSON.stringify(value).length;
    first = { n: value.n + 1, prev: value.hash };
  }
  if (first !== null) await keepHead(tx, tenant, { ...(await auditHead(tx, tenant)), first });
  return { count, bytes };
}

interface AuditLinkerOptions {
  readonly store: Store;
  readonly everyMs: number;
  readonly warn: (what: string, cause: unknown) => void;
}

/** How often what was noted becomes lines, in ms. */
export const LINK_EVERY_MS = 1_000;

/** Makes lines of what is noted, every so often while it runs; whoever reads a log does so first, too. */
export class AuditLinker {
  readonly #options: AuditLinkerOptions;
  #timer: NodeJS.Timeout | null = null;
  #linking: Promise<void> = Promise.resolve();
  #isStopped = false;
  #isWarned = false;

  constructor(options: AuditLinkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#linking = this.#link().finally(() => {
        if (!this.#isStopped) this.start();
      });
    }, this.#options.everyMs).unref();
  }

  /** Resolves when what was noted stands in the log, or is left to another process. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#linking;
    // A store that is gone would only be waited for: another process links what is left.
    if (!this.#isWarned) await this.#link();
  }

  async #link(): Promise<void> {
    const { store, warn } = this.#options;
    try {
      await linkAll(store);
      this.#isWarned = false;
    } catch (cause) {
      // Once an outage: what was noted stays until it can be linked.
      if (!this.#isWarned && !this.#isStopped) warn("The audit log could not be continued", cause);
      this.#isWarned = true;
    }
  }
}
