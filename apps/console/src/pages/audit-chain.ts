import { canonicalJson } from "@plasm/core";
import { sha256Hex } from "@plasm/core/internal";
import { callRaw } from "../api.ts";
import { csvCell } from "../parts/save.ts";
import type { LogLine, LogPage } from "../records.ts";

/** What an export is asked for with; the whole log without any. */
export type AuditFilter = Readonly<Record<string, string>>;

/** A day as people choose it, of which all is meant: the API leaves out the moment that it is told to read until. */
function dayAfter(day: string): string {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(ms) ? day : new Date(ms + 86_400_000).toISOString().slice(0, 10);
}

/** A filter as the API takes it. */
export const asAsked = (filter: AuditFilter): AuditFilter =>
  filter["until"] === undefined ? filter : { ...filter, until: dayAfter(filter["until"]) };

const MOST = "1000";

/** All lines of a filter, the oldest first, as the server has them. Throws ApiProblem. */
async function* allPages(filter: AuditFilter, signal: AbortSignal): AsyncGenerator<LogPage> {
  const query = new URLSearchParams({ ...asAsked(filter), order: "asc", limit: MOST });
  for (;;) {
    const page = await callRaw<LogPage>(`/v1/audit?${query}`, { signal });
    yield page;
    if (page.next === null) return;
    query.set("after", String(page.next));
  }
}

/** What is wrong with a line as the next one of its chain; null if nothing is (OPS-41). */
function faultOf(
  line: LogLine,
  before: { readonly n: number; readonly hash: string } | null,
): string | null {
  if (before !== null && line.n !== before.n + 1)
    return `line ${line.n} stands behind line ${before.n}`;
  if (before !== null && line.prev !== before.hash)
    return `line ${line.n} does not continue line ${before.n}: one of them was changed`;
  const { hash, ...content } = line;
  const own = sha256Hex(canonicalJson({ ...content }));
  return own === hash ? null : `line ${line.n} was changed: its hash is not that of its content`;
}

/** What a check of the whole chain found. */
export type ChainCheck =
  | { readonly kind: "whole"; readonly lines: number; readonly n: number; readonly hash: string }
  | { readonly kind: "broken"; readonly fault: string };

/** Reads the whole log and checks each line against the one before. Throws ApiProblem. */
export async function verifyLog(
  signal: AbortSignal,
  onLines: (count: number) => void,
): Promise<ChainCheck> {
  let before: { readonly n: number; readonly hash: string } | null = null;
  let lines = 0;
  let head: LogPage["head"] | null = null;
  for await (const page of allPages({}, signal)) {
    // Lines that are written from here on may or may not come; those before have to.
    head ??= page.head;
    before ??= page.first.n === 0 ? null : { n: page.first.n - 1, hash: page.first.prev };
    for (const line of page.lines) {
      const fault = faultOf(line, before);
      if (fault !== null) return { kind: "broken", fault };
      if (line.n === head.n && line.hash !== head.hash)
        return { kind: "broken", fault: `line ${line.n} is not the one that the log ended with` };
      before = { n: line.n, hash: line.hash };
      lines += 1;
    }
    onLines(lines);
  }
  const last = before?.n ?? 0;
  if (head !== null && last < head.n)
    return {
      kind: "broken",
      fault: `lines ${last + 1} to ${head.n} are missing, the newest of it`,
    };
  return { kind: "whole", lines, n: before?.n ?? 0, hash: before?.hash ?? "" };
}

const COLUMNS = [
  "n",
  "at",
  "happened_at",
  "tenant",
  "kind",
  "subject",
  "acting_for",
  "entry_id",
  "capability",
  "target",
  "plan_commit_ref",
  "commit",
  "operation_uuid",
  "request_id",
  "outcome",
  "detail",
  "prev",
  "hash",
] as const satisfies readonly (keyof LogLine)[];

export type ExportFormat = "jsonl" | "csv";

/** The lines of a filter as a file. Throws ApiProblem. */
export async function exported(
  filter: AuditFilter,
  format: ExportFormat,
  signal: AbortSignal,
): Promise<Blob> {
  const parts: string[] = format === "csv" ? [`${COLUMNS.join(",")}\n`] : [];
  for await (const { lines } of allPages(filter, signal)) {
    for (const line of lines) {
      const text =
        format === "csv"
          ? COLUMNS.map((name) => csvCell(line[name])).join(",")
          : JSON.stringify(line);
      parts.push(`${text}\n`);
    }
  }
  return new Blob(parts, { type: format === "csv" ? "text/csv" : "application/x-ndjson" });
}
