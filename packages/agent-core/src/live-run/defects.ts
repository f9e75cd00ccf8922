import { isStoreFault, storeProblem } from "../errors/store-faults.ts";
import type { ToldError } from "../errors/told-error.ts";
import type { LiveDeps } from "./live-deps.ts";

/** The defects of one run: what a log says of them, and the id by which an answer names them. */
export interface Defects {
  /** the runtime's report of what an `internal` error was */
  note(thrown: unknown): void;
  /** An `internal` error with an id to report; its cause is in the log under that id (ERR section 4). */
  identified(error: ToldError): ToldError;
  /** whether all that was noted is that the store cannot be used: no defect, and it passes (ERR-030) */
  ofStore(): boolean;
}

/** Collects the defects of a run: `defect` logs a cause and gives its id, faults of the store are logged as such. */
export function collectDefects({
  defect: report,
  storeFaults,
}: Pick<LiveDeps, "defect" | "storeFaults">): Defects {
  const causes: unknown[] = [];
  const ofStore = (): boolean => causes.length > 0 && causes.every(isStoreFault);
  return {
    ofStore,
    note: (thrown) => {
      causes.push(thrown);
      storeFaults.note(thrown);
    },
    identified: (error) => {
      if (error.code !== "internal") return error;
      const [first] = causes;
      if (ofStore() && isStoreFault(first))
        return { ...error, correction: storeProblem(first).text };
      const what = `${error.node}: ${error.message}`;
      const cause = causes.length === 1 ? causes[0] : new AggregateError(causes, "several defects");
      const id = report(causes.length === 0 ? new Error(what) : new Error(what, { cause }));
      return { ...error, correction: `report the id ${id} to the operator` };
    },
  };
}
