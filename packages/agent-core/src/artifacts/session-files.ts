import { createHash, hash } from "node:crypto";
import type { ArtifactStore, StoredFile } from "@plasm/runtime";
import { fail } from "../errors/problem.ts";
import { named } from "../errors/arguments.ts";
import type { Store } from "../store-port.ts";
import type { Caller } from "../identity/caller.ts";
import type { FileRecord } from "../records/artifacts.ts";
import type { ResolvedSession } from "../session/locate.ts";
import { areBytesAllowed } from "./still-allowed.ts";
import { type FileRef, formatResourceUri, parseResourceUri } from "./uris.ts";

/** Whose files they are, and how the session's own URIs name them. */
export interface FileOwner {
  readonly scope: string;
  readonly owner: string;
  readonly place: FileRef;
  /** who calls: a session may be several principals', its files are each one's own */
  readonly principal: string;
  /** Whether its policy allows bytes that these capabilities gave; all are without it (SURF-25) */
  readonly allows?: (uses: readonly string[]) => boolean;
}

const idOf = (owner: string, sha256: string): string => `${owner}/${sha256}`;

const partId = (owner: string, sha256: string): string => `${owner}/part/${sha256}`;

/** A file is kept in parts of so many bytes: no more of it is in memory (VAL-01). */
const PART_BYTES = 1024 * 1024;

/** A file that a session has, with its size. */
interface FoundFile {
  readonly record: FileRecord;
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
}

const damaged = (sha256: string) =>
  fail("plasm-internal", `The file ${named(sha256)} is damaged: its content is missing.`);

async function* partsIn(
  store: Store,
  sha256: string,
  parts: readonly string[],
): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const bytes = await store.getBlob(part);
    if (bytes === null) throw damaged(sha256);
    yield bytes;
  }
}

/** Whether all parts of a file are there: some may have gone before others where room was made (SESS-37). */
async function hasParts(
  store: Store,
  scope: string,
  owner: string,
  parts: readonly string[],
): Promise<boolean> {
  for (const part of new Set(parts)) {
    if ((await store.get("file", scope, partId(owner, part))) === null) return false;
  }
  return true;
}

/** A file of an owner that a principal has taken; null if there is none, foreign ones included (SESS-38, VAL-04). */
export async function findFile(
  store: Store,
  scope: string,
  owner: string,
  sha256: string,
  principal: string,
): Promise<FoundFile | null> {
  const found = await store.get("file", scope, idOf(owner, sha256));
  if (found === null) return null;
  const record = found.value;
  const { whole, principals } = record;
  if (principals?.includes(principal) === false) return null;
  const parts = whole?.parts ?? [sha256];
  if (whole !== undefined && !(await hasParts(store, scope, owner, parts))) return null;
  return {
    record,
    size: whole?.bytes ?? record.bytes,
    open: () => partsIn(store, sha256, parts),
  };
}

/** What an entry and a new one of the same file say together. */
const both = (
  name: "uses" | "principals",
  before: readonly string[] | undefined,
  { [name]: more }: FileRecord,
): Partial<Record<typeof name, readonly string[]>> =>
  more === undefined ? {} : { [name]: [...new Set([...(before ?? []), ...more])] };

/** Writes a file's entry; one that is there is kept as long as a new one (SESS-37). True where it was not there. */
async function keepFile(
  store: Store,
  scope: string,
  id: string,
  record: FileRecord,
): Promise<boolean> {
  for (;;) {
    const found = await store.get("file", scope, id);
    if (found === null) {
      if (await store.insert("file", scope, id, record)) return true;
      continue;
    }
    const { uses, principals, sent } = found.value;
    const next = {
      ...record,
      ...both("uses", uses, record),
      ...both("principals", principals, record),
      ...(sent === true ? { sent } : {}),
    };
    if (await store.cas("file", scope, id, found.version, next)) return false;
  }
}

/** Bytes as they come, in parts of one size, so that equal files have equal parts. */
async function* inParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(PART_BYTES);
  let filled = 0;
  for await (const chunk of content) {
    for (let from = 0; from < chunk.length;) {
      const taken = chunk.subarray(from, from + PART_BYTES - filled);
      part.set(taken, filled);
      filled += taken.length;
      from += taken.length;
      if (filled < PART_BYTES) continue;
      yield part;
      // Whoever got it may still have it.
      part = new Uint8Array(PART_BYTES);
      filled = 0;
    }
  }
  // A part of the others' size would stay with a shorter one.
  if (filled > 0) yield part.slice(0, filled);
}

/** Parts on their way into the store. */
class IncomingFile {
  readonly #store: Store;
  readonly #scope: string;
  readonly #owner: string;
  readonly #hash = createHash("sha256");
  readonly #fresh: string[] = [];
  readonly parts: string[] = [];
  bytes = 0;

  constructor(store: Store, scope: string, owner: string) {
    this.#store = store;
    this.#scope = scope;
    this.#owner = owner;
  }

  async add(part: Uint8Array): Promise<void> {
    const sha256 = hash("sha256", part);
    this.#hash.update(part);
    await this.#store.putBlob(sha256, part);
    const bytes = part.length;
    const record = { sha256, mimeType: "", bytes, createdAt: this.#store.now() };
    const id = partId(this.#owner, sha256);
    if (await keepFile(this.#store, this.#scope, id, record)) this.#fresh.push(id);
    this.parts.push(sha256);
    this.bytes += bytes;
  }

  sha256(): string {
    return this.#hash.digest("hex");
  }

  /** Nothing stays of a file that did not come to its end, but for parts that others have. */
  async drop(): Promise<void> {
    for (const id of this.#fresh) await this.#store.delete("file", this.#scope, id);
  }
}

/**
 * The files of one session: parts first, then the entry, so that no entry lacks its bytes (RUN-038, VAL-01). Parts are
 * kept, counted and swept as files are.
 */
export function sessionFiles(store: Store, owner: FileOwner): ArtifactStore {
  const { scope, owner: session, place, principal, allows = () => true } = owner;
  const uriOf = (sha256: string): string => formatResourceUri({ kind: "file", place, sha256 });
  const stored = (sha256: string, { record, size, open }: FoundFile): StoredFile => ({
    uri: uriOf(sha256),
    sha256,
    size,
    mimeType: record.mimeType,
    open,
  });
  const keep = async (
    incoming: IncomingFile,
    mimeType: string,
    from: string | null | undefined,
  ): Promise<StoredFile> => {
    const sha256 = incoming.sha256();
    const { parts, bytes: size } = incoming;
    // Its bytes are counted with its parts.
    const whole = { bytes: size, parts };
    const uses = typeof from === "string" ? [from] : [];
    const by = { uses, principals: [principal], ...(from === null ? { sent: true as const } : {}) };
    const record = { sha256, mimeType, bytes: 0, whole, ...by, createdAt: store.now() };
    await keepFile(store, scope, idOf(session, sha256), record);
    return stored(sha256, { record, size, open: () => partsIn(store, sha256, parts) });
  };
  return {
    async put(content, mimeType, from) {
      const incoming = new IncomingFile(store, scope, session);
      try {
        for await (const part of inParts(content)) await incoming.add(part);
        return await keep(incoming, mimeType, from);
      } catch (error) {
        await incoming.drop();
        throw error;
      }
    },
    async open(uri) {
      const address = parseResourceUri(uri);
      if (address?.kind !== "file" || uriOf(address.sha256) !== uri) return null;
      const found = await findFile(store, scope, session, address.sha256, principal);
      if (found === null) return null;
      const { sent, uses = [] } = found.record;
      if (sent !== true && !allows(uses)) return null;
      return stored(address.sha256, found);
    },
  };
}

/** The files of the session that a caller is in. */
export const filesOfSession = (
  store: Store,
  { scope }: Caller,
  { owner, principal, ref, view }: ResolvedSession,
): ArtifactStore =>
  sessionFiles(store, {
    scope,
    owner,
    principal,
    place: ref === null ? { key: view.session } : { ref },
    allows: (uses) => areBytesAllowed(view.exposure.policy, uses),
  });

/** Whether bytes are read by nobody: they were taken to be sent, and no API has answered with them (VAL-07). */
export const isOnlySent = ({ sent, uses = [] }: FileRecord): boolean =>
  sent === true && uses.length === 0;
