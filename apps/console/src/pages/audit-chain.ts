import { canonicalJson } from "@plasm/core";
import { sha256Hex } from "@plasm/core/internal";
import { callRaw } from "../api.ts";
import { csvCell } from "../parts/save.ts";
import type { LogLine, LogPage } from "../records.ts";

/** What an export is asked for with; the whole log without any. */
export type AuditFilter = Readonly<Record<string, string>>;

const MOST = "1000";

/** All lines of a filter, the oldest first, as the server has them. Throws ApiProblem. */
async function* allPages(filter: AuditFilter, signal: AbortSignal): AsyncGenerator<LogPage> {
  const query = new URLSearchParams({ ...filter, order: "asc", limit: MOST });
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
  for await (const page of allPages({}, signal)) {
    before ??= page.first.n === 0 ? null : { n: page.first.n - 1, hash: page.first.prev };
    for (const line of page.lines) {
      const fault = faultOf(line, before);
      if (fault !== null) return { kind: "broken", fault };
      before = { n: line.n, hash: line.hash };
      lines += 1;
    }
    onLines(lines);
  }
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
] as const;

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
