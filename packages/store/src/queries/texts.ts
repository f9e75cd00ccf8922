import { hash } from "node:crypto";
import type { RecordKind, RecordTypes, TextField } from "@plasm/agent-core";
import { sql, type ExpressionBuilder } from "kysely";
import type { Db, Tables } from "../schema/tables.ts";
import { checked } from "./blobs.ts";
import { fixed } from "./fixed.ts";

/** A text of more UTF-16 units is kept outside its record (docs/adr/0137). */
const INLINE = 2_048;

/** Each has a column of its name, which says the blob that holds it. */
const FIELDS = ["program", "plan"] as const satisfies readonly TextField[];

/** The kinds whose records have such texts. */
const KINDS: {
  readonly [K in RecordKind as "program" extends keyof RecordTypes[K] ? K : never]: true;
} = { commit: true, operation: true, approval: true, cursor: true, savedProgram: true };

export const hasTexts = (kind: RecordKind): boolean => Object.hasOwn(KINDS, kind);

/** The blobs of a record's long texts. */
export type TextNames = Readonly<Record<TextField, string | null>>;

/** A record as it is written. */
interface Parts {
  /** without its long texts */
  readonly body: string;
  readonly names: TextNames;
  /** JSON of the long texts, which any text survives, by name */
  readonly texts: ReadonlyMap<string, string>;
}

const NONE: TextNames = { program: null, plan: null };

/** Takes the long texts out of a record. */
export function takeTexts<K extends RecordKind>(kind: K, value: RecordTypes[K]): Parts {
  const texts = new Map<string, string>();
  if (!hasTexts(kind)) return { body: JSON.stringify(value), names: NONE, texts };
  const rest = { ...value } as Partial<Record<TextField, unknown>>;
  const names = { ...NONE };
  for (const field of FIELDS) {
    const text = rest[field];
    if (typeof text !== "string" || text.length <= INLINE) continue;
    const json = JSON.stringify(text);
    names[field] = hash("sha256", json);
    texts.set(names[field], json);
    delete rest[field];
  }
  return { body: JSON.stringify(rest), names, texts };
}

/** Names that one statement takes: databases have a limit. */
export const MOST_NAMES = 1_000;

const distinct = (names: readonly (string | null)[]): readonly string[] =>
  [...new Set(names)].filter((name) => name !== null);

const bytesOf = fixed((db, { name }: { name: string }) =>
  db.selectFrom("blobs").select("bytes").where("sha256", "=", name),
);

/** A blob that holds a text. Damage is reported (SESS-29). */
function textIn(name: string, bytes: Uint8Array): string {
  const json = new TextDecoder().decode(checked(name, bytes));
  return JSON.parse(json) as string;
}

type Texts = Partial<Record<TextField, string>>;

/** The texts that a record names, of those that were read; null if one is not among them. */
function textsNamed(names: TextNames, read: ReadonlyMap<string, string>): Texts | null {
  const texts: Texts = {};
  for (const field of FIELDS) {
    const name = names[field];
    if (name === null) continue;
    const text = read.get(name);
    if (text === undefined) return null;
    texts[field] = text;
  }
  return texts;
}

/** Reads the texts that a record leaves out; null if one is not there. Damage is reported (SESS-29). */
export async function readTexts(db: Db, names: TextNames): Promise<Texts | null> {
  const read = new Map<string, string>();
  for (const name of distinct(FIELDS.map((field) => names[field]))) {
    const [row] = (await bytesOf(db, { name })).rows;
    if (row !== undefined) read.set(name, textIn(name, row.bytes));
  }
  return textsNamed(names, read);
}

/** The same for many records, each text read once. */
export async function readAllTexts(
  db: Db,
  records: readonly TextNames[],
): Promise<(names: TextNames) => Texts | null> {
  const blobs = distinct(records.flatMap((names) => FIELDS.map((field) => names[field])));
  const read = new Map<string, string>();
  for (let from = 0; from < blobs.length; from += MOST_NAMES) {
    const rows = await db
      .selectFrom("blobs")
      .select(["sha256", "bytes"])
      .where("sha256", "in", blobs.slice(from, from + MOST_NAMES))
      .execute();
    for (const { sha256, bytes } of rows) read.set(sha256, textIn(sha256, bytes));
  }
  return (names) => textsNamed(names, read);
}

/** What a blob is looked at by, whose last record has gone: earlier than any look of a sweep. */
const LONG_AGO = 1;

const isThere = fixed((db, { name }: { name: string }) =>
  db.selectFrom("blobs").select("sha256").where("sha256", "=", name),
);

const named = fixed((db, { name }: { name: string }) =>
  db
    .updateTable("blobs")
    .set({ loose_since: null })
    .where("sha256", "=", name)
    .where("loose_since", "=", LONG_AGO),
);

const keeping = fixed((db, of: { name: string; bytes: Uint8Array }) =>
  db
    .insertInto("blobs")
    .values({ sha256: of.name, bytes: of.bytes, loose_since: null })
    .onConflict((c) => c.column("sha256").doNothing()),
);

/**
 * Keeps texts that a record names since the same transaction: none of them is loose then, so that no sweep looks at one,
 * be it of an earlier program, which does not know that records name texts.
 */
export async function keepTexts(tx: Db, texts: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, json] of texts) {
    // Its bytes are not sent to be found there.
    if ((await isThere(tx, { name })).rows.length > 0) await named(tx, { name });
    else await keeping(tx, { name, bytes: Buffer.from(json) });
  }
}

/** Whether a record leaves a blob's text out. */
export const isText = (e: ExpressionBuilder<Tables, "blobs">) =>
  e.or(
    FIELDS.map((field) =>
      e.exists(
        e
          .selectFrom("records")
          .select("seq")
          .where((of) => of(`records.${field}`, "=", of.ref("blobs.sha256"))),
      ),
    ),
  );

const loosening = fixed((db, of: { name: string; since: number }) =>
  db
    .updateTable("blobs")
    .set({ loose_since: of.since })
    .where("sha256", "=", of.name)
    .where("loose_since", "is", null),
);

/** Has a sweep look at the blobs of `names` that a record has lost, at once: nobody is about to name one. */
export async function loosen(
  db: Db,
  names: readonly (string | null)[],
  which: "contents" | "texts",
): Promise<void> {
  const blobs = distinct(names);
  const [only, other] = blobs;
  if (only !== undefined && other === undefined && which === "contents") {
    await loosening(db, { name: only, since: LONG_AGO });
    return;
  }
  for (let from = 0; from < blobs.length; from += MOST_NAMES) {
    const lost = db
      .updateTable("blobs")
      .set({ loose_since: LONG_AGO })
      .where("sha256", "in", blobs.slice(from, from + MOST_NAMES))
      .where("loose_since", "is", null);
    // Of a text it is known at once whether others have it.
    await (which === "contents" ? lost : lost.where((e) => e.not(isText(e)))).execute();
  }
}

/** Bytes of a record's long texts: all, or those that no earlier record of its scope has. */
export const textBytes = (e: ExpressionBuilder<Tables, "records">, which: "all" | "first") => {
  const [program, plan] = FIELDS.map((field) => {
    const size = e
      .selectFrom("blobs as texts")
      .select(sql<number | string>`octet_length(${sql.ref("texts.bytes")})`.as("size"))
      .whereRef("texts.sha256", "=", `records.${field}`);
    if (which === "all") return size;
    const earlier = e
      .selectFrom("records as earlier")
      .select("earlier.seq")
      .whereRef(`earlier.${field}`, "=", `records.${field}`)
      .whereRef("earlier.scope", "=", "records.scope")
      .whereRef("earlier.seq", "<", "records.seq");
    return size.where(({ not, exists }) => not(exists(earlier)));
  });
  return sql<number | string>`coalesce((${program}), 0) + coalesce((${plan}), 0)`;
};
