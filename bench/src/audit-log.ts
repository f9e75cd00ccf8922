import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkAudit, noteAudit } from "@plasm/agent-core/internal";
import { openHost } from "@plasm/host";
import { startHttpServer } from "@plasm/http";
import { mountMcp } from "@plasm/mcp";
import { openSqliteStore } from "@plasm/store";
import { now } from "./operations/now.ts";

/** How long the server takes for a page of its audit log, as a client sees it. */
export interface AuditPageTime {
  readonly query: string;
  readonly lines: number;
  readonly ms: number;
}

/** Lines that are noted in one transaction. */
const AT_ONCE = 1_000;

const PEOPLE = 500;

/** A log of so many lines: one in fifty is a refusal, the last subject did one thing alone. */
async function fill(dataDir: string, lines: number): Promise<void> {
  const store = await openSqliteStore({ dataDir });
  for (let done = 0; done < lines; done += AT_ONCE) {
    await store.transaction(async (tx) => {
      for (let n = done; n < Math.min(done + AT_ONCE, lines); n += 1) {
        await noteAudit(tx, "anonymous", {
          kind: n % 50 === 0 ? "refused" : "effect_ended",
          subject: n === 0 ? "rare" : `person ${n % PEOPLE}`,
          entry_id: n % 2 === 0 ? "quay" : "yard",
          capability: "boat_update",
          target: `Boat:b${n}`,
          plan_commit_ref: "pc0",
          commit: "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
          operation_uuid: "0f5c8a52-6b1e-4d0a-9b0e-2f1f6c1d7a10",
          outcome: "done",
        });
      }
    });
    await linkAudit(store, "anonymous");
  }
  await store.close();
}

const QUERIES = [
  "limit=100",
  "limit=1000",
  "limit=100&order=asc",
  "limit=100&kind=refused",
  "limit=100&subject=person%207",
  "limit=100&subject=rare",
  "limit=100&entry_id=yard&since=2026-01-01",
] as const;

/** The middle of several times. */
const middle = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

/** Fills a log in SQLite, starts a server on it, and asks it for pages over HTTP. */
export async function measureAuditLog(lines: number, times = 9): Promise<readonly AuditPageTime[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "plasm-audit-"));
  try {
    await fill(dataDir, lines);
    const host = await openHost({ dataDir, catalogs: [], env: {} });
    const { engine, operators, administrators, auth } = host;
    const { key } = await operators.keys.add({
      tenant: "anonymous",
      subject: "olga",
      role: "operator",
    });
    const mcp = mountMcp(host);
    const serves = { engine, mcp, operators, administrators, auth };
    const server = await startHttpServer({ ...serves, host: "127.0.0.1", port: 0 });
    const results: AuditPageTime[] = [];
    for (const query of QUERIES) {
      const taken: number[] = [];
      let found = 0;
      for (let n = 0; n < times; n += 1) {
        const began = now();
        const answer = await fetch(`${server.url}/v1/audit?${query}`, {
          headers: { "x-api-key": key },
        });
        const page = (await answer.json()) as { readonly lines: readonly unknown[] };
        taken.push(now() - began);
        found = page.lines.length;
      }
      results.push({ query, lines: found, ms: middle(taken) });
    }
    await server.close();
    await host.close();
    return results;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** A line for each page. */
export const auditLogText = (all: readonly AuditPageTime[]): string =>
  all.map(({ query, lines, ms }) => `${query}: ${lines} lines, ${ms.toFixed(1)} ms`).join("\n");
