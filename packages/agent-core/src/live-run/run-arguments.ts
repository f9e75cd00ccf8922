/** A live run as a surface hands it in, before any check (OPS-34). */
export interface RunArguments {
  readonly program: unknown;
  readonly planCommitRef?: unknown;
  readonly force?: unknown;
  readonly wait?: unknown;
  /** for answers that carry every row as data: no `rest` handles are made (SURF-30) */
  readonly complete?: boolean;
  readonly signal?: AbortSignal;
}
