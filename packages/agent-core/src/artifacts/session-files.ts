import { createHash } from "node:crypto";
import type { ArtifactStore } from "@plasm/runtime";
import { fail } from "../errors/problem.ts";
import { named } from "../errors/arguments.ts";
import type { Store } from "../store-port.ts";
import type { FileRecord } from "../records/artifacts.ts";
import { type FileRef, formatResourceUri, parseResourceUri } from "./uris.ts";

/** Whose files they are, and how the session's own URIs name them. */
export interface FileOwner {
  readonly scope: string;
  readonly owner: string;
  readonly place: FileRef;
}

const idOf = (owner: string, sha256: string): string => `${owner}/${sha256}`;

/** A file of an owner with its bytes; null if there is none, foreign ones included (SESS-38). */
export async function readFile(
  store: Store,
  scope: string,
  owner: string,
  sha256: string,
): Promise<{ readonly record: FileRecord; readonly bytes: Uint8Array } | null> {
  const record = await store.get("file", scope, idOf(owner, sha256));
  if (record === null) return null;
  const bytes = await store.getBlob(sha256);
  if (bytes !== null && bytes.length === record.value.bytes) return { record: record.value, bytes };
  throw fail("plasm-internal", `The file ${named(sha256)} is damaged: its content is missing.`);
}

/** Writes a file's entry; one that is there is kept as long as a new one (SESS-37). */
async function keepFile(
  store: Store,
  scope: string,
  id: string,
  record: FileRecord,
): Promise<void> {
  for (;;) {
    const found = await store.get("file", scope, id);
    if (found === null) {
      if (await store.insert("file", scope, id, record)) return;
      continue;
    }
    const uses = [...new Set([...(found.value.uses ?? []), ...(record.uses ?? [])])];
    if (await store.cas("file", scope, id, found.version, { ...record, uses })) return;
  }
}

/** The files of one session: blob first, then its entry, so that no entry lacks its bytes (RUN-038). */
export function sessionFiles(store: Store, { scope, owner, place }: FileOwner): ArtifactStore {
  const uriOf = (sha256: string): string => formatResourceUri({ kind: "file", place, sha256 });
  return {
    async put(bytes, mimeType, from) {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      await store.putBlob(sha256, bytes);
      const uses = from === undefined ? [] : [from];
      const record = { sha256, mimeType, bytes: bytes.length, uses, createdAt: store.now() };
      await keepFile(store, scope, idOf(owner, sha256), record);
      return uriOf(sha256);
    },
    async get(uri) {
      const address = parseResourceUri(uri);
      if (address?.kind !== "file" || uriOf(address.sha256) !== uri) return null;
      return (await readFile(store, scope, owner, address.sha256))?.bytes ?? null;
    },
  };
}
