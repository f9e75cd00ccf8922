import type { Redactor } from "../auth/redactor.ts";
import type { RunContext } from "./run-types.ts";

type Variables = Readonly<Record<string, string>>;

/** The variables of a session as a run knows them, by entry id: its host's, and what hooks set (RUN-015). */
export interface SessionVariables {
  of(entryId: string): Variables;
  /** Sets some for the rest of the run, and tells the host; from now on they are redacted. */
  set(entryId: string, values: Variables): void;
}

/** The variables that a run starts with; all of them are secret (RUN-142). */
export function createSessionVariables(context: RunContext, redactor: Redactor): SessionVariables {
  const all = new Map(context.sessionVariables);
  const hide = (values: Variables): void => {
    for (const value of Object.values(values)) redactor.add(value);
  };
  for (const values of all.values()) hide(values);
  return {
    of: (entryId) => all.get(entryId) ?? {},
    set(entryId, values) {
      hide(values);
      all.set(entryId, { ...all.get(entryId), ...values });
      context.keepVariables?.(entryId, values);
    },
  };
}
