/** Rows of an answer as text, cell by cell. */
export type Rows = readonly (readonly string[])[];

/** A side learns how an API is called, or does the task's work. */
export type Phase = "learn" | "work";

/** One call of a tool, and what the model reads of its answer. */
export interface Exchange {
  readonly phase: Phase;
  /** calls of one turn are made side by side */
  readonly turn: number;
  /** name and arguments, as the model writes them */
  readonly call: string;
  readonly text: string;
}

/** All that a model writes and reads for one task, after the definitions. */
export interface Transcript {
  readonly exchanges: readonly Exchange[];
  /** what the model has been told, or the server's state where the task was to change it */
  readonly rows: Rows;
  /** requests that reached the APIs */
  readonly requests: number;
}

/** A call as compact JSON, the same for every side. */
export const callText = (name: string, args: object): string =>
  JSON.stringify({ name, arguments: args });

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value as string | number);
};

/** Data as rows: a list of rows, else one row; members of an object in their order. */
export function rowsOf(data: unknown): Rows {
  const list: readonly unknown[] = Array.isArray(data) ? data : [data];
  return list.map((row) =>
    typeof row === "object" && row !== null ? Object.values(row).map(cellOf) : [cellOf(row)],
  );
}

/** Rows in an order of their own, where a question asks for none. */
export const sorted = (rows: Rows): Rows =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
