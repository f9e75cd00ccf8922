/** One exposure step: the only input of the symbol fold (TEACH-4). `entities` are sorted and new. */
export interface WaveEntry {
  readonly entryId: string;
  readonly entities: readonly string[];
  readonly digest: string;
}
