/** Rows of a node that had finished ahead of an effect (OPS-28); its id is the operation's and the node's. */
export interface OutputRecord {
  readonly node: string;
  /** SHA-256 of the stored rows, as the runtime reads them */
  readonly rows: string;
}
