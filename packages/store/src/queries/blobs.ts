import { hash } from "node:crypto";
import type { Kysely } from "kysely";
import type { RecordKind, RecordTypes } from "@plasm/agent-core";
import type { Tables } from "../schema/tables.ts";
import { fixed } from "./fixed.ts";

const sha256Hex = (bytes: Uint8Array): string => hash("sha256", bytes);

const keeping = fixed((db, of: { sha256: string; bytes: Uint8Array; now: number }) =>
  db
    .insertInto("blobs")
    .values({ sha256: of.sha256, bytes: of.bytes, loose_since: of.now })
    .onConflict((c) => c.column("sha256").doUpdateSet({ loose_since: of.now })),
);

/** Keeps bytes, which no record names yet: a sweep leaves them for a while (SESS-30). */
export async function putBlob(
  db: Kysely<Tables>,
  now: number,
  sha256: string,
  bytes: Uint8Array,
): Promise<void> {
  if (sha256Hex(bytes) !== sha256) throw new Error("A blob's name is the SHA-256 of its bytes");
  await keeping(db, { sha256, bytes, now });
}

/** Bytes as such, of which a driver's Buffer is a view. */
const plain = ({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** The bytes of a blob if they are what its name says: damage is reported, never served (SESS-29). */
export function checked(sha256: string, bytes: Uint8Array): Uint8Array {
  if (sha256Hex(bytes) !== sha256) throw new Error(`Blob ${sha256} is damaged`);
  return bytes;
}

/** Reads a blob and checks it against its name (SESS-29). */
export async function getBlob(db: Kysely<Tables>, sha256: string): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom("blobs")
    .select("bytes")
    .where("sha256", "=", sha256)
    .executeTakeFirst();
  return row === undefined ? null : plain(checked(sha256, row.bytes));
}

const none = (): null => null;

/** The blob that a record of each kind names, if any: what is named is not swept (SESS-30). */
const BLOBS: { readonly [K in RecordKind]: (value: RecordTypes[K]) => string | null } = {
  snapshot: ({ contentSha256 }) => contentSha256,
  file: ({ sha256, whole }) => (whole === undefined ? sha256 : null),
  output: ({ rows }) => rows,
  operation: ({ answer }) => answer,
  task: ({ answer }) => answer,
  graft: ({ sha256 }) => sha256,
  logical: none,
  commit: none,
  minted: none,
  approval: none,
  waiting: none,
  rejection: none,
  key: none,
  cursor: none,
  number: none,
  seat: none,
  poll: none,
  unfinished: none,
  setAside: none,
  ended: none,
  effect: none,
  mark: none,
  expected: none,
  connection: none,
  connectionSession: none,
  graftSet: none,
  overlay: none,
  policy: none,
  policyVersion: none,
  importedCatalog: none,
  offer: none,
  sweep: none,
  dropped: none,
  trace: none,
  traceEvents: none,
  auditEvent: none,
  auditLine: none,
  auditHead: none,
  notice: none,
  quota: none,
  savedProgram: none,
  drift: none,
  driftSigns: none,
  schedule: none,
  watched: none,
  watchEvent: none,
  wake: none,
  consoleSession: none,
};

/** Whether this program knows what records of a kind are. */
export const isKnownKind = (kind: string): kind is RecordKind => Object.hasOwn(BLOBS, kind);

export const blobOf = <K extends RecordKind>(kind: K, value: RecordTypes[K]): string | null =>
  BLOBS[kind](value);
