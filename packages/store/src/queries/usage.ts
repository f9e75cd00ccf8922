import type { Usage } from "@plasm/agent-core";
import { sql, type Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { textBytes } from "./texts.ts";

/**
 * What each scope has of the next records in the order they were inserted, with the content that they name; a text
 * that several of a scope have is that of the first.
 */
export async function usageAfter(db: Kysely<Tables>, after: number, limit: number): Promise<Usage> {
  const size = sql<number | string>`octet_length(body)`;
  const named = sql<number | string>`coalesce(octet_length(bytes), 0)`;
  const rows = await db
    .selectFrom("records")
    .leftJoin("blobs", "blobs.sha256", "records.blob")
    .select(["records.seq", "records.scope", size.as("size"), named.as("named")])
    .select((e) => textBytes(e, "first").as("texts"))
    .where("records.seq", ">", after)
    .orderBy("records.seq")
    .limit(limit)
    .execute();
  const bytes = new Map<string, number>();
  for (const { scope, size: own, named: content, texts } of rows) {
    const all = Number(own) + Number(content) + Number(texts);
    bytes.set(scope, (bytes.get(scope) ?? 0) + all);
  }
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { bytes, next: last === undefined ? null : Number(last.seq) };
}
