/** Which ref a session and principal last minted for a commit id, so that planning repeats it (OPS-2). */
export interface MintedRecord {
  readonly ref: string;
}
