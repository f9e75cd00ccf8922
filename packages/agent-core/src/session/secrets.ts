import type { CredentialScope, RunContext } from "@plasm/runtime";
import { type Caller, userOf } from "../identity/caller.ts";
import { tenantOfScope } from "../identity/tenant-scope.ts";
import type { AccountNames } from "../records/sessions.ts";
import type { DelegationOf } from "./delegation.ts";

/** What a host knows of a caller's session and no answer may show (RUN-015, RUN-120). */
export interface SessionSecrets {
  readonly credentials: CredentialScope;
  readonly variables?: NonNullable<RunContext["sessionVariables"]>;
  /** told of variables that response hooks set (RUN-105); the engine keeps them for the session */
  readonly keep?: NonNullable<RunContext["keepVariables"]>;
}

/**
 * Gives the secrets of a session, asked before each run. `session` names it as long as it lives: the
 * logical session, or an execute session that none binds; it is empty where none is open yet. Whether calls
 * are delegated, and to whom, depends on the caller alone (SURF-24). `accounts` are those that its calls use,
 * for secrets that come of them (RUN-129).
 */
export type SessionSecretsOf = (
  caller: Caller,
  session: string,
  accounts?: AccountNames,
) => SessionSecrets;

/** Whose calls a caller's are, as the secrets of its sessions have it (SURF-24). */
export const delegationIn =
  (secretsOf: SessionSecretsOf): DelegationOf =>
  (caller) => {
    const { principal, delegated = principal !== undefined } = secretsOf(caller, "").credentials;
    return { delegated, principal: delegated ? (principal ?? null) : null };
  };

/** Sessions without secrets of their own use the deployment's. */
export const deploymentSecrets: SessionSecretsOf = ({ scope }) => ({
  credentials: { tenant: tenantOfScope(scope) },
});

/** Calls use the credentials of the user whom a caller stands for, and nothing else (SURF-24). */
export const usersSecrets: SessionSecretsOf = ({ scope, subject }) => ({
  credentials: {
    tenant: tenantOfScope(scope),
    delegated: true,
    ...(subject === null ? {} : { principal: subject }),
  },
});

/** Has the secrets of the user whom a caller acts for, not those of the caller (SURF-24). */
export const ofItsUser =
  (secretsOf: SessionSecretsOf): SessionSecretsOf =>
  (caller, session, accounts) =>
    secretsOf({ ...caller, subject: userOf(caller) }, session, accounts);

const MOST_SESSIONS = 10_000;

type Variables = Readonly<Record<string, string>>;

/**
 * Remembers the variables that response hooks set, for the runs of the same session to come (RUN-015,
 * RUN-105). They are secrets: in memory only, each session's its own, and of whoever's credentials brought them: of one
 * user and one account. Where the host knows one by the same name, what the hook set last counts.
 */
export function keepingVariables(secretsOf: SessionSecretsOf): SessionSecretsOf {
  const sessions = new Map<string, Map<string, Variables>>();
  const keep = (key: string, entryId: string, account: string | null, values: Variables): void => {
    const known = sessions.get(key) ?? new Map<string, Variables>();
    const name = JSON.stringify([entryId, account]);
    known.set(name, { ...known.get(name), ...values });
    sessions.delete(key);
    const oldest = sessions.keys().next();
    if (sessions.size >= MOST_SESSIONS && !oldest.done) sessions.delete(oldest.value);
    sessions.set(key, known);
  };
  return (caller, session, accounts = {}) => {
    const own = secretsOf(caller, session, accounts);
    const key = JSON.stringify([caller.scope, session, own.credentials.principal ?? null]);
    const accountOf = (entryId: string): string | null =>
      own.credentials.accounts?.get(entryId) ??
      (Object.hasOwn(accounts, entryId) ? (accounts[entryId] ?? null) : null);
    const variables = new Map(own.variables);
    for (const [name, values] of sessions.get(key) ?? []) {
      const [entryId, account] = JSON.parse(name) as [string, string | null];
      if (account === accountOf(entryId))
        variables.set(entryId, { ...variables.get(entryId), ...values });
    }
    return {
      credentials: own.credentials,
      ...(variables.size === 0 ? {} : { variables }),
      keep: (entryId, values) => keep(key, entryId, accountOf(entryId), values),
    };
  };
}
