import { randomUUID } from "node:crypto";
import type { RunContext } from "@plasm/runtime";
import { sessionFiles } from "../artifacts/session-files.ts";
import type { Caller } from "../identity/caller.ts";
import type { Located } from "../session/locate.ts";
import type { Defects } from "./defects.ts";
import type { LiveDeps } from "./live-deps.ts";

/** What every run of a session has in common: its catalogs, its limits, one clock reading (PLAN-063), its secrets. */
export function runContext(
  deps: LiveDeps,
  caller: Caller,
  at: Located,
  defects: Defects,
  signal?: AbortSignal,
): RunContext {
  const { clock, runs } = deps.ports;
  const started = runs?.start() ?? { at: clock.now(), id: randomUUID() };
  const { credentials, variables } = deps.secretsOf(caller, at.owner);
  return {
    catalogs: at.view.exposure.catalogs,
    backends: deps.backends,
    ports: deps.ports,
    limits: { ...deps.limits, ...at.view.exposure.policy.budgets },
    origins: deps.origins,
    credentials,
    session: at.view.session,
    artifacts: sessionFiles(deps.store, {
      scope: caller.scope,
      owner: at.owner,
      place: at.ref === null ? { key: at.view.session } : { ref: at.ref },
    }),
    chains: deps.chains.of(at.view.session.sessionId),
    startedAt: started.at,
    runId: started.id,
    onDefect: (thrown) => defects.note(thrown),
    ...(variables === undefined ? {} : { sessionVariables: variables }),
    ...(signal === undefined ? {} : { signal }),
  };
}
