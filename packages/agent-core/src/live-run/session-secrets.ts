import type { CredentialScope, RunContext } from "@plasm/runtime";
import type { Caller } from "../identity/caller.ts";

/** What a host knows of a caller's session and no answer may show (RUN-015, RUN-120). */
export interface SessionSecrets {
  readonly credentials: CredentialScope;
  readonly variables?: NonNullable<RunContext["sessionVariables"]>;
}

/**
 * Gives the secrets of a session, asked before each run. `session` names it as long as it lives: the
 * logical session, or an execute session that none binds.
 */
export type SessionSecretsOf = (caller: Caller, session: string) => SessionSecrets;

/** Sessions without secrets of their own use the deployment's. */
export const deploymentSecrets: SessionSecretsOf = ({ scope }) => ({
  credentials: { tenant: scope },
});
