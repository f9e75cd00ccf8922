/** Which operation a number of a session names; also which one sits on a seat of OPS-14. */
export interface OperationName {
  readonly operation: string;
}
