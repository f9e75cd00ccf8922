/** A file that a session holds since it is too large for a row (RUN-038); its bytes are a blob. */
export interface FileRecord {
  readonly sha256: string;
  readonly mimeType: string;
  readonly bytes: number;
  /** the capabilities whose answer it was, as `entry_id/capability` (SURF-25) */
  readonly uses?: readonly string[];
  /** the store's clock, in ms */
  readonly createdAt: number;
}
