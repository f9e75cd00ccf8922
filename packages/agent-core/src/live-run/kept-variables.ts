import type { SessionSecretsOf } from "./session-secrets.ts";

const MOST_SESSIONS = 10_000;

type Variables = Readonly<Record<string, string>>;

/**
 * Remembers the variables that response hooks set, for the runs of the same session to come (RUN-015,
 * RUN-105). They are secrets: in memory only, each session's its own; where the host knows one by the same
 * name, what the hook set last counts.
 */
export function keepingVariables(secretsOf: SessionSecretsOf): SessionSecretsOf {
  const sessions = new Map<string, Map<string, Variables>>();
  const keep = (key: string, entryId: string, values: Variables): void => {
    const known = sessions.get(key) ?? new Map<string, Variables>();
    known.set(entryId, { ...known.get(entryId), ...values });
    sessions.delete(key);
    const oldest = sessions.keys().next();
    if (sessions.size >= MOST_SESSIONS && !oldest.done) sessions.delete(oldest.value);
    sessions.set(key, known);
  };
  return (caller, session) => {
    const own = secretsOf(caller, session);
    const key = JSON.stringify([caller.scope, session]);
    const variables = new Map(own.variables);
    for (const [entryId, values] of sessions.get(key) ?? []) {
      variables.set(entryId, { ...variables.get(entryId), ...values });
    }
    return {
      credentials: own.credentials,
      ...(variables.size === 0 ? {} : { variables }),
      keep: (entryId, values) => keep(key, entryId, values),
    };
  };
}
