import type { RecordKind, RecordTypes } from "@plasm/agent-core";

const none = (): null => null;

/** The blob that a record of each kind names, if any: what is named is not swept (SESS-30). */
const BLOBS: { readonly [K in RecordKind]: (value: RecordTypes[K]) => string | null } = {
  snapshot: ({ contentSha256 }) => contentSha256,
  file: ({ sha256 }) => sha256,
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
  effect: none,
  mark: none,
  expected: none,
  connection: none,
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
};

/** Whether this program knows what records of a kind are. */
export const isKnownKind = (kind: string): kind is RecordKind => Object.hasOwn(BLOBS, kind);

export const blobOf = <K extends RecordKind>(kind: K, value: RecordTypes[K]): string | null =>
  BLOBS[kind](value);
