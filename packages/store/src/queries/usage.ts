import type { Usage } from "@plasm/agent-core";
import { sql, type Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";

/** What each scope has of the next records in the order they were inserted, with the content that they name. */
export async function usageAfter(db: Kysely<Tables>, after: number, limit: number): Promise<Usage> {
  const size = sql<number | string>`octet_length(body)`;
  const named = sql<number | string>`coalesce(octet_length(bytes), 0)`;
  const rows = await db
    .selectFrom("records")
    .leftJoin("blobs", "blobs.sha256", "records.blob")
    .select(["records.seq", "records.scope", size.as("size"), named.as("named")])
    .where("records.seq", ">", after)
    .orderBy("records.seq")
    .limit(limit)
    .execute();
  const bytes = new Map<string, number>();
  for (const { scope, size: own, named: content } of rows) {
    bytes.set(scope, (bytes.get(scope) ?? 0) + Number(own) + Number(content));
  }
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { bytes, next: last === undefined ? null : Number(last.seq) };
}
