export interface YardBoat {
  readonly id: number;
  readonly dock: string | null;
}

export interface Part {
  readonly maker: string;
  readonly no: number;
  /** The part's description, line by line: what edits insert into and drop from. */
  readonly lines: readonly string[];
}

export interface YardData {
  readonly format: 1;
  readonly boats: readonly YardBoat[];
  readonly parts: readonly Part[];
}

/** Whether a stored value has yard's shape, as far as its outline goes. */
export const isYardData = (value: unknown): value is YardData => {
  if (typeof value !== "object" || value === null) return false;
  const record = value as Readonly<Record<string, unknown>>;
  return record["format"] === 1 && Array.isArray(record["boats"]) && Array.isArray(record["parts"]);
};
