import type { RecordKind, RecordTypes, Stored, StoreOps } from "@plasm/agent-core";
import DataLoader from "dataloader";
import { sql } from "kysely";
import { fixed } from "../queries/fixed.ts";
import { getRecord, type RecordId, type RecordRow, wholeRecord } from "../queries/records.ts";
import type { Db } from "../schema/tables.ts";

/** A record as it was found, with its place among those asked for. */
interface Row extends RecordRow {
  readonly nth: number;
}

/** Ids of records, by their parts. */
interface Given {
  readonly kinds: readonly string[];
  readonly scopes: readonly string[];
  readonly ids: readonly string[];
}

const byIds = fixed((db, of: Given) => {
  const query = sql<Row>`
    select asked.nth::int as nth, r.id, r.version, r.body, r.program, r.plan
    from unnest(${of.kinds}::text[], ${of.scopes}::text[], ${of.ids}::text[])
      with ordinality as asked(kind, scope, id, nth)
    join plasm.records as r
      on r.kind = asked.kind and r.scope = asked.scope and r.id = asked.id`;
  return { compile: () => query.compile(db) };
});

type Found = Stored<RecordTypes[RecordKind]> | null;

async function readTogether(db: Db, asked: readonly RecordId[]): Promise<readonly Found[]> {
  const [first] = asked;
  if (first !== undefined && asked.length === 1) {
    return [await getRecord(db, first.kind, first.scope, first.id)];
  }
  const { rows } = await byIds(db, {
    kinds: asked.map(({ kind }) => kind),
    scopes: asked.map(({ scope }) => scope),
    ids: asked.map(({ id }) => id),
  });
  const found = new Map(rows.map((row) => [row.nth, row]));
  return Promise.all(
    asked.map(async ({ kind, scope, id }, index) => {
      const row = found.get(index + 1);
      if (row === undefined) return null;
      // A text that went between the two looks is looked for again.
      return (await wholeRecord(db, row)) ?? getRecord(db, kind, scope, id);
    }),
  );
}

/** Most records that one statement reads. */
const MOST = 100;

/** Reads records; those that are asked for in the same turn of the event loop in one statement. */
export function gatheredGets(db: Db): StoreOps["get"] {
  const loader = new DataLoader<RecordId, Found>((asked) => readTogether(db, asked), {
    cache: false,
    maxBatchSize: MOST,
  });
  return async <K extends RecordKind>(kind: K, scope: string, id: string) =>
    (await loader.load({ kind, scope, id })) as Stored<RecordTypes[K]> | null;
}
