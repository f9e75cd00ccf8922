export type { SnapshotRecord } from "./artifacts/snapshot-record.ts";
export type { CursorRecord, CursorSource } from "./artifacts/cursor-record.ts";
export type { CommitRecord, CommitState } from "./commit/commit-record.ts";
export type {
  CounterKind,
  RecordKind,
  RecordTypes,
  Store,
  StoreOps,
  Stored,
} from "./ports.ts";
export type { ConnectionRecord } from "./session/connection-record.ts";
export type { ExecuteSession, SessionKey } from "./session/execute-session.ts";
export type { LogicalSession, Loss, LossReason } from "./session/logical-session.ts";
export type { PinnedCatalog } from "./session/pinned-catalog.ts";
export type { WaveRecord } from "./session/wave-record.ts";
