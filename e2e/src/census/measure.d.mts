/** What an import made of one document. */
export interface Measured {
  readonly operations: number;
  readonly reached: number;
  readonly entities: number;
  readonly lists: number;
  readonly paged: number;
  readonly unpaged: number;
  readonly listsAsRows: number;
  /** effects that the document says to answer, and those of them whose answer a catalog has */
  readonly effects: number;
  readonly effectsThatAnswer: number;
  /** operations and parts of them that are left out, one line each */
  readonly left: readonly string[];
  /** operations that keep the catalog from being usable */
  readonly examples: readonly string[];
  /** why there is no catalog, or none that loads strictly */
  readonly fault: string | null;
  readonly strict: boolean;
}

export function measure(text: string, entryId: string): Promise<Measured>;

/** At least 80 % of operations, no list whose pages are unseen, no list taught as one row of JSON. */
export function isUsable(measured: Measured): boolean;
