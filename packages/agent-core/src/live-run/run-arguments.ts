/** How far a run is: of its steps, and in words (OPS-25). */
export interface RunProgress {
  readonly k: number;
  readonly of: number;
  readonly line: string;
}

/** A live run as a surface hands it in, before any check (OPS-34). */
export interface RunArguments {
  /** may be left out with `planCommitRef`, which then runs what was planned under it */
  readonly program?: unknown;
  readonly planCommitRef?: unknown;
  readonly force?: unknown;
  readonly wait?: unknown;
  /** for answers that carry every row as data: no `rest` handles are made (SURF-30) */
  readonly complete?: boolean;
  readonly signal?: AbortSignal;
  /** told how far a run is that somebody waits for (OPS-25) */
  readonly onProgress?: (progress: RunProgress) => void;
}
