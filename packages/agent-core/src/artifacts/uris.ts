import type { SessionKey } from "../records/sessions.ts";

/** Whose file it is: a slot's, or that of a session which none binds. */
export type FileRef = { readonly ref: string } | { readonly key: SessionKey };

/** A resource, as its URI names it (SURF-10). */
export type ResourceAddress =
  | { readonly kind: "registry" }
  | { readonly kind: "snapshot"; readonly ref: string; readonly n: number }
  | { readonly kind: "table"; readonly ref: string }
  | { readonly kind: "grafts"; readonly ref: string }
  | { readonly kind: "graft"; readonly ref: string; readonly graftId: string }
  | { readonly kind: "file"; readonly place: FileRef; readonly sha256: string }
  | { readonly kind: "run"; readonly key: SessionKey; readonly runId: string }
  /** what a watch has found after an event, or the newest (WATCH-06) */
  | { readonly kind: "watch"; readonly id: string; readonly after: string | null };

const SNAPSHOT = /^plasm:\/\/session\/([^/]+)\/r\/([1-9][0-9]{0,8})$/;
const TABLE = /^plasm:\/\/session\/([^/]+)\/table$/;
const GRAFT = /^plasm:\/\/session\/([^/]+)\/g(?:\/([^/]+))?$/;
const FILE =
  /^plasm:\/\/(?:session\/([^/]+)|execute\/([0-9a-f]{64})\/([0-9a-f]{32}))\/a\/([0-9a-f]{64})$/;
const RUN = /^plasm:\/\/execute\/([0-9a-f]{64})\/([0-9a-f]{32})\/run\/(pr[0-9a-f]{64})$/;
const WATCH =
  /^plasm:\/\/watch\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\?after=(\d{12}-[\w-]{22}))?$/;

/** The URI of the list of catalogs (SURF-10). */
export const REGISTRY_URI = "plasm://registry";

/** Reads a resource URI; null for anything else (P11). */
export function parseResourceUri(uri: string): ResourceAddress | null {
  if (uri === REGISTRY_URI) return { kind: "registry" };
  const snapshot = SNAPSHOT.exec(uri);
  if (snapshot !== null) {
    return { kind: "snapshot", ref: snapshot[1] ?? "", n: Number(snapshot[2]) };
  }
  const table = TABLE.exec(uri);
  if (table !== null) return { kind: "table", ref: table[1] ?? "" };
  const graft = GRAFT.exec(uri);
  if (graft !== null) {
    const [, ref = "", graftId] = graft;
    return graftId === undefined ? { kind: "grafts", ref } : { kind: "graft", ref, graftId };
  }
  const file = FILE.exec(uri);
  if (file !== null) {
    const [, ref, promptHash = "", sessionId = "", sha256 = ""] = file;
    const place = ref === undefined ? { key: { promptHash, sessionId } } : { ref };
    return { kind: "file", place, sha256 };
  }
  const watch = WATCH.exec(uri);
  if (watch !== null) return { kind: "watch", id: watch[1] ?? "", after: watch[2] ?? null };
  const run = RUN.exec(uri);
  if (run === null) return null;
  const key = { promptHash: run[1] ?? "", sessionId: run[2] ?? "" };
  return { kind: "run", key, runId: run[3] ?? "" };
}

/** The inverse of parseResourceUri. */
export function formatResourceUri(address: ResourceAddress): string {
  switch (address.kind) {
    case "registry":
      return REGISTRY_URI;
    case "snapshot":
      return `plasm://session/${address.ref}/r/${address.n}`;
    case "table":
      return `plasm://session/${address.ref}/table`;
    case "grafts":
      return `plasm://session/${address.ref}/g`;
    case "graft":
      return `plasm://session/${address.ref}/g/${address.graftId}`;
    case "file": {
      const { place, sha256 } = address;
      if ("ref" in place) return `plasm://session/${place.ref}/a/${sha256}`;
      const { promptHash, sessionId } = place.key;
      return `plasm://execute/${promptHash}/${sessionId}/a/${sha256}`;
    }
    case "watch": {
      const { id, after } = address;
      return `plasm://watch/${id}${after === null ? "" : `?after=${after}`}`;
    }
    case "run": {
      const { promptHash, sessionId } = address.key;
      return `plasm://execute/${promptHash}/${sessionId}/run/${address.runId}`;
    }
  }
}
