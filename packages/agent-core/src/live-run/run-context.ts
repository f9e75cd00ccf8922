import { randomUUID } from "node:crypto";
import type { RunContext } from "@plasm/runtime";
import type { Caller } from "../identity/caller.ts";
import type { Located } from "../session/locate.ts";
import type { Defects } from "./defects.ts";
import type { LiveDeps } from "./live-deps.ts";

/** What every run of a session has in common: its catalogs, its limits, one clock reading (PLAN-063). */
export function runContext(
  deps: LiveDeps,
  caller: Caller,
  at: Located,
  defects: Defects,
  signal?: AbortSignal,
): RunContext {
  return {
    catalogs: at.view.exposure.catalogs,
    backends: deps.backends,
    ports: deps.ports,
    limits: { ...deps.limits, ...at.view.exposure.policy.budgets },
    origins: deps.origins,
    credentials: { tenant: caller.scope },
    startedAt: deps.ports.clock.now(),
    runId: randomUUID(),
    onDefect: (thrown) => defects.note(thrown),
    ...(signal === undefined ? {} : { signal }),
  };
}
