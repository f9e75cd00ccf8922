/** A file that a session holds since it is too large for a row (RUN-038); its bytes are a blob. */
export interface FileRecord {
  readonly sha256: string;
  readonly mimeType: string;
  readonly bytes: number;
  /** the store's clock, in ms */
  readonly createdAt: number;
}
