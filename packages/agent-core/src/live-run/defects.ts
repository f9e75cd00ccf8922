import type { ToldError } from "../errors/told-error.ts";

/** The defects of one run: what a log says of them, and the id by which an answer names them. */
export interface Defects {
  /** the runtime's report of what an `internal` error was */
  note(thrown: unknown): void;
  /** An `internal` error with an id to report; its cause is in the log under that id (ERR section 4). */
  identified(error: ToldError): ToldError;
  /** whether all that was noted is that the store cannot be used: no defect, and it passes (ERR-030) */
  ofStore(): boolean;
}

const isOfStore = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.name === "StoreUnavailableError";

/** Collects the defects of a run; `report` logs a cause and gives its id. */
export function collectDefects(report: (thrown: unknown) => string): Defects {
  const causes: unknown[] = [];
  const ofStore = (): boolean => causes.length > 0 && causes.every(isOfStore);
  return {
    ofStore,
    note: (thrown) => void causes.push(thrown),
    identified: (error) => {
      if (error.code !== "internal") return error;
      if (ofStore()) return { ...error, correction: "wait until the store can be used again" };
      const what = `${error.node}: ${error.message}`;
      const cause = causes.length === 1 ? causes[0] : new AggregateError(causes, "several defects");
      const id = report(causes.length === 0 ? new Error(what) : new Error(what, { cause }));
      return { ...error, correction: `report the id ${id} to the operator` };
    },
  };
}
