import type { IdRange, ListedTypes, RecordKind, RecordTypes, Stored } from "@plasm/agent-core";
import type { Db, Tables } from "../schema/tables.ts";
import { blobOf } from "./blobs.ts";
import { fixed, written } from "./fixed.ts";
import {
  hasTexts,
  keepTexts,
  loosen,
  MOST_NAMES,
  readAllTexts,
  readTexts,
  takeTexts,
  type TextNames,
} from "./texts.ts";

/** Runs work as if it were alone in the database. */
export type Alone = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

/** What names a record. */
export interface RecordId {
  readonly kind: RecordKind;
  readonly scope: string;
  readonly id: string;
}

/** A record's row, as it is read. */
export interface RecordRow extends TextNames {
  readonly id: string;
  readonly version: number;
  readonly body: string;
}

/** What a write says of it. */
interface Written extends TextNames {
  readonly body: string;
  readonly now: number;
  readonly blob: string | null;
}

interface Versions {
  readonly version: number;
  readonly next: number;
}

/** No id has it: with ids in the order of their bytes, it ends the range of a prefix. */
const LAST_CHARACTER = "\u{10ffff}";

const decode = <T>({ id, version, body }: { id: string; version: number; body: string }) => ({
  id,
  version,
  value: JSON.parse(body) as T,
});

const byId = fixed((db, { kind, scope, id }: RecordId) =>
  db
    .selectFrom("records")
    .select(["id", "version", "body", "program", "plan"])
    .where("kind", "=", kind)
    .where("scope", "=", scope)
    .where("id", "=", id),
);

/** Times that a record is looked at whose text is not there: it may have gone since, and its text been swept. */
const LOOKS = 3;

/** A row with its long texts; null where one of them is not there. */
export async function wholeRecord<T>(db: Db, row: RecordRow): Promise<Stored<T> | null> {
  if (row.program === null && row.plan === null) return decode<T>(row);
  const texts = await readTexts(db, row);
  if (texts === null) return null;
  const { value, ...rest } = decode<T>(row);
  return { ...rest, value: { ...value, ...texts } };
}

export async function getRecord<K extends RecordKind>(
  db: Db,
  kind: K,
  scope: string,
  id: string,
): Promise<Stored<RecordTypes[K]> | null> {
  for (let look = 1; ; look += 1) {
    const [row] = (await byId(db, { kind, scope, id })).rows;
    if (row === undefined) return null;
    const whole = await wholeRecord<RecordTypes[K]>(db, row);
    if (whole !== null) return whole;
    if (look === LOOKS)
      throw new Error(`Blob ${row.program ?? row.plan} is damaged: it is missing`);
  }
}

/** The records of a kind in a scope, without their long texts. */
const listed = (db: Db, kind: RecordKind, scope: string) =>
  db
    .selectFrom("records")
    .select(["id", "version", "body"])
    .where("kind", "=", kind)
    .where("scope", "=", scope);

export async function getRecords<K extends RecordKind>(
  db: Db,
  kind: K,
  scope: string,
  ids: readonly string[],
): Promise<readonly Stored<RecordTypes[K]>[]> {
  const rows: RecordRow[] = [];
  for (let from = 0; from < ids.length; from += MOST_NAMES) {
    const some = await listed(db, kind, scope)
      .select(["program", "plan"])
      .where("id", "in", ids.slice(from, from + MOST_NAMES))
      .execute();
    rows.push(...some);
  }
  const textsOf = await readAllTexts(db, rows);
  const found = new Map<string, Stored<RecordTypes[K]>>();
  for (const row of rows) {
    const texts = textsOf(row);
    const { value, ...rest } = decode<RecordTypes[K]>(row);
    // It may have gone since, and its text been swept: then it is looked at alone.
    const whole =
      texts === null
        ? await getRecord(db, kind, scope, row.id)
        : { ...rest, value: { ...value, ...texts } };
    if (whole !== null) found.set(row.id, whole);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

export async function peekRecord<K extends RecordKind>(
  db: Db,
  kind: K,
  scope: string,
  id: string,
): Promise<Stored<ListedTypes[K]> | null> {
  const [row] = (await byId(db, { kind, scope, id })).rows;
  return row === undefined ? null : decode<ListedTypes[K]>(row);
}

const inserting = fixed((db, record: RecordId & Written) =>
  db
    .insertInto("records")
    .values({
      kind: record.kind,
      scope: record.scope,
      id: record.id,
      version: 1,
      body: record.body,
      aged_from: record.now,
      blob: record.blob,
      program: record.program,
      plan: record.plan,
      settled: 1,
    })
    .onConflict((c) => c.columns(["kind", "scope", "id"]).doNothing()),
);

export async function insertRecord<K extends RecordKind>(
  db: Db,
  alone: Alone,
  now: number,
  kind: K,
  scope: string,
  id: string,
  value: RecordTypes[K],
): Promise<boolean> {
  const { body, names, texts } = takeTexts(kind, value);
  const record = { kind, scope, id, body, now, blob: blobOf(kind, value), ...names };
  if (texts.size === 0) return written(await inserting(db, record)) > 0;
  return alone(async (tx) => {
    if (written(await inserting(tx, record)) === 0) return false;
    await keepTexts(tx, texts);
    return true;
  });
}

const replacing = fixed((db, record: RecordId & Written & Versions) =>
  db
    .updateTable("records")
    .set({
      version: record.next,
      body: record.body,
      aged_from: record.now,
      blob: record.blob,
      program: record.program,
      plan: record.plan,
      settled: record.next,
    })
    .where("kind", "=", record.kind)
    .where("scope", "=", record.scope)
    .where("id", "=", record.id)
    .where("version", "=", record.version),
);

/** The same where it names these texts already: they are there, and stay, since it does. */
const replacingBody = fixed((db, record: RecordId & Written & Versions) =>
  db
    .updateTable("records")
    .set({
      version: record.next,
      body: record.body,
      aged_from: record.now,
      blob: record.blob,
      settled: record.next,
    })
    .where("kind", "=", record.kind)
    .where("scope", "=", record.scope)
    .where("id", "=", record.id)
    .where("version", "=", record.version)
    .where("program", "is not distinct from", record.program)
    .where("plan", "is not distinct from", record.plan),
);

const textsAt = fixed((db, { kind, scope, id, version }: RecordId & Versions) =>
  db
    .selectFrom("records")
    .select(["program", "plan"])
    .where("kind", "=", kind)
    .where("scope", "=", scope)
    .where("id", "=", id)
    .where("version", "=", version),
);

export async function casRecord<K extends RecordKind>(
  db: Db,
  alone: Alone,
  now: number,
  kind: K,
  scope: string,
  id: string,
  version: number,
  value: RecordTypes[K],
): Promise<boolean> {
  const { body, names, texts } = takeTexts(kind, value);
  const versions = { version, next: version + 1 };
  const record = { kind, scope, id, body, now, blob: blobOf(kind, value), ...names, ...versions };
  if (!hasTexts(kind)) return written(await replacing(db, record)) > 0;
  if (written(await replacingBody(db, record)) > 0) return true;
  return alone(async (tx) => {
    const [before] = (await textsAt(tx, record)).rows;
    if (before === undefined || written(await replacing(tx, record)) === 0) return false;
    await keepTexts(tx, texts);
    await loosen(tx, [before.program, before.plan], "texts");
    return true;
  });
}

export async function listRecords<K extends RecordKind>(
  db: Db,
  kind: K,
  scope: string,
  prefix: string,
): Promise<readonly Stored<ListedTypes[K]>[]> {
  const rows = await listed(db, kind, scope)
    .where("id", ">=", prefix)
    .where("id", "<", prefix + LAST_CHARACTER)
    .orderBy("seq")
    .execute();
  return rows.map((row) => decode<ListedTypes[K]>(row));
}

export async function recordsInRange<K extends RecordKind>(
  db: Db,
  kind: K,
  scope: string,
  { from, to, limit, newestFirst = false }: IdRange,
): Promise<readonly Stored<ListedTypes[K]>[]> {
  let query = listed(db, kind, scope);
  if (from !== undefined) query = query.where("id", ">=", from);
  if (to !== undefined) query = query.where("id", "<=", to);
  const rows = await query
    .orderBy("id", newestFirst ? "desc" : "asc")
    .limit(limit)
    .execute();
  return rows.map((row) => decode<ListedTypes[K]>(row));
}

/** What a record named that was removed. */
type Named = Pick<Tables["records"], "blob" | "program" | "plan">;

/** Has a sweep look at what removed records named. */
async function loosenNamed(db: Db, removed: readonly Named[]): Promise<void> {
  const contents = removed.map(({ blob }) => blob);
  await loosen(db, contents, "contents");
  const texts = removed.flatMap(({ program, plan }) => [program, plan]);
  await loosen(db, texts, "texts");
}

const deleting = fixed((db, { kind, scope, id }: RecordId) =>
  db
    .deleteFrom("records")
    .where("kind", "=", kind)
    .where("scope", "=", scope)
    .where("id", "=", id)
    .returning(["blob", "program", "plan"]),
);

export async function deleteRecord(
  db: Db,
  kind: RecordKind,
  scope: string,
  id: string,
): Promise<void> {
  await loosenNamed(db, (await deleting(db, { kind, scope, id })).rows);
}

/** A store at its bound removes a hundred thousand in one go: their statement is built once. */
const removing = fixed((db, { kind, scope, id, version }: RecordId & Pick<Versions, "version">) =>
  db
    .deleteFrom("records")
    .where("kind", "=", kind)
    .where("scope", "=", scope)
    .where("id", "=", id)
    .where("version", "=", version)
    .returning(["blob", "program", "plan"]),
);

/** Removes a record of this version; true if there was one. */
export async function removeRecord(
  db: Db,
  kind: RecordKind,
  scope: string,
  id: string,
  version: number,
): Promise<boolean> {
  const { rows } = await removing(db, { kind, scope, id, version });
  await loosenNamed(db, rows);
  return rows.length > 0;
}

/** Removes the records whose id starts with a prefix. */
export async function removeRecords(
  db: Db,
  kind: RecordKind,
  scope: string,
  prefix: string,
): Promise<void> {
  const removed = await db
    .deleteFrom("records")
    .where((e) => e.and({ kind, scope }))
    .where("id", ">=", prefix)
    .where("id", "<", prefix + LAST_CHARACTER)
    .returning(["blob", "program", "plan"])
    .execute();
  await loosenNamed(db, removed);
}
