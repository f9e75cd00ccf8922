export type { SnapshotRecord } from "./records/snapshot-record.ts";
export type { CursorRecord, CursorSource } from "./records/cursor-record.ts";
export type { CommitRecord, CommitState } from "./records/commit-record.ts";
export type {
  CatalogRegistry,
  CounterKind,
  PolicyProvider,
  RecordKind,
  RecordTypes,
  RegisteredCatalog,
  Store,
  StoreOps,
  Stored,
} from "./ports.ts";
export type { ConnectionRecord } from "./records/connection-record.ts";
export type { ExecuteSession, SessionKey } from "./records/execute-session.ts";
export type { LogicalSession, Loss, LossReason } from "./records/logical-session.ts";
export type { PinnedCatalog } from "./records/pinned-catalog.ts";
export type { WaveRecord } from "./records/wave-record.ts";
