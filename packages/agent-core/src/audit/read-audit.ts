import type { AuditHead, AuditKind, AuditLine } from "../records/audit.ts";
import type { Store, StoreOps } from "../store-port.ts";
import { auditHead, lineId, linkAudit } from "./audit-log.ts";

/** Lines that one page looks at: a filter that few lines pass ends a page early, and says where it goes on. */
const MOST_LOOKED_AT = 10_000;

/** Lines that are read from the store at a time. */
const CHUNK = 1_000;

/** Which lines of a log (OPS-42). Times in ms. */
export interface AuditQuery {
  /** lines that became part of the chain at this time or later */
  readonly since: number | null;
  /** and before this time */
  readonly until: number | null;
  readonly kind: AuditKind | null;
  readonly subject: string | null;
  readonly entryId: string | null;
  /** number of the last line of the page before */
  readonly after: number | null;
  readonly limit: number;
  readonly order: "asc" | "desc";
}

/** A page of a tenant's audit log. */
export interface AuditPage {
  readonly lines: readonly AuditLine[];
  /** `after` of the next page; null at the end. A page may hold few lines, or none, and have a next one */
  readonly next: number | null;
  /** where the whole chain stands */
  readonly head: Pick<AuditHead, "n" | "hash">;
  /** its oldest line that is kept */
  readonly first: AuditHead["first"];
}

/** What operators read of the audit log (OPS-42). No engine has it. */
export interface AuditReader {
  page(tenant: string, query: AuditQuery): Promise<AuditPage>;
}

const isWanted =
  ({ kind, subject, entryId }: AuditQuery) =>
  (line: AuditLine): boolean =>
    (kind === null || line.kind === kind) &&
    (subject === null || line.subject === subject) &&
    (entryId === null || line.entry_id === entryId);

/** Returns the number of the first line from `low` to `high` that became part of the chain at a time or later; else `high + 1`. */
async function firstSince(
  store: StoreOps,
  tenant: string,
  [low, high]: readonly [number, number],
  ms: number,
): Promise<number> {
  const time = new Date(ms).toISOString();
  let [from, to] = [low, high + 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const found = await store.get("auditLine", tenant, lineId(middle));
    // A line that was dropped meanwhile is older than all that are left.
    if (found === null || found.value.at < time) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns the numbers between which the lines stand that a query may be answered with. */
async function rangeOf(
  store: StoreOps,
  tenant: string,
  head: AuditHead,
  { since, until, after, order }: AuditQuery,
): Promise<readonly [number, number]> {
  const whole = [head.first.n, head.n] as const;
  let low = since === null ? whole[0] : await firstSince(store, tenant, whole, since);
  let high = until === null ? whole[1] : (await firstSince(store, tenant, whole, until)) - 1;
  if (after !== null && order === "asc") low = Math.max(low, after + 1);
  if (after !== null && order === "desc") high = Math.min(high, after - 1);
  return [low, high];
}

async function pageOf(store: Store, tenant: string, query: AuditQuery): Promise<AuditPage> {
  await linkAudit(store, tenant);
  const head = await auditHead(store, tenant);
  let [low, high] = await rangeOf(store, tenant, head, query);
  const lines: AuditLine[] = [];
  let [lookedAt, last] = [0, 0];
  const wanted = isWanted(query);
  const newestFirst = query.order === "desc";
  while (low <= high && lines.length < query.limit && lookedAt < MOST_LOOKED_AT) {
    const found = await store.range("auditLine", tenant, {
      from: lineId(low),
      to: lineId(high),
      limit: CHUNK,
      newestFirst,
    });
    if (found.length === 0) low = high + 1;
    for (const { value } of found) {
      lookedAt += 1;
      last = value.n;
      if (newestFirst) high = value.n - 1;
      else low = value.n + 1;
      if (wanted(value)) lines.push(value);
      if (lines.length === query.limit) break;
    }
  }
  const { n, hash, first } = head;
  return { lines, next: low <= high ? last : null, head: { n, hash }, first };
}

/** What operators read of the audit logs in a store. */
export const auditIn = (store: Store): AuditReader => ({
  page: (tenant, query) => pageOf(store, tenant, query),
});
