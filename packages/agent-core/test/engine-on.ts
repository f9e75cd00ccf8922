import type { Policy } from "@plasm/core";
import {
  type Clock,
  type FileRules,
  type Limits,
  type RowLimits,
  type SpillPlace,
  systemClock,
  systemIds,
} from "@plasm/runtime";
import { createEngine } from "../src/create-engine.ts";
import type { Engine } from "../src/engine.ts";
import type { Problem } from "../src/errors/problem.ts";
import type { NoticeTarget } from "../src/notices/outbox.ts";
import type { GraftSettings } from "../src/grafts/graft-key.ts";
import { type Caller, LOCAL } from "../src/identity/caller.ts";
import type { RunArguments } from "../src/program/run/run-request.ts";
import type { SessionSecretsOf } from "../src/session/secrets.ts";
import type { OperationLimits } from "../src/program/operation/seats.ts";
import type { CatalogRegistry, PolicyProvider, RegisteredCatalog } from "../src/ports.ts";
import type { Store } from "../src/store-port.ts";
import type { BoatsApi } from "./boats-api.ts";
import type { StoreBounds } from "../src/retention/retention.ts";
import { fixtureEntry } from "./fixture-entry.ts";

export interface EngineOn {
  readonly store: Store;
  readonly api: BoatsApi;
  readonly policy?: Policy;
  /** in place of one policy for all */
  readonly policies?: PolicyProvider;
  readonly limits?: Limits;
  readonly rows?: RowLimits;
  readonly files?: FileRules;
  readonly spill?: SpillPlace;
  readonly leaseMs?: number;
  /** how often what is due, or was left, is looked for */
  readonly lookEveryMs?: number;
  /** a handle is answered at once without it */
  readonly answerHoldMs?: number;
  readonly operations?: OperationLimits;
  readonly sessionLifetimeMs?: number;
  readonly bounds?: StoreBounds;
  readonly grafts?: GraftSettings;
  readonly notices?: readonly NoticeTarget[];
  readonly repeatedFailures?: number;
  readonly secretsOf?: SessionSecretsOf;
  readonly warn?: (what: string, cause: unknown) => void;
  /** the clock that runs are dated and made to wait by */
  readonly clock?: Clock;
  /** catalogs in place of quay alone */
  readonly registry?: CatalogRegistry;
}

let opened: RegisteredCatalog | null = null;

/** Frozen data, opened once: most of what an engine of a test costs. */
const quay = (): RegisteredCatalog => (opened ??= fixtureEntry("quay"));

const quayAlone: CatalogRegistry = {
  list: () => [quay()],
  get: (id) => (id === "quay" ? quay() : undefined),
};

/** An engine with quay on offer, its API in memory. */
export function engineOn({ store, api, policy = {}, clock, ...rest }: EngineOn): Engine {
  return createEngine({
    store,
    registry: quayAlone,
    policies: { policyOf: () => policy },
    ports: {
      transport: api.transport,
      secrets: { env: () => undefined, hosted: async () => undefined },
      clock: clock ?? systemClock,
      ids: systemIds,
      functions: new Map(),
    },
    answerHoldMs: 0,
    ...rest,
  });
}

/** What a call came to: its text, and its problem if it was one. */
export interface Told {
  readonly text: string;
  readonly meta: Problem["meta"];
  readonly problem: Problem | null;
}

/** An agent in a session of its own on quay's boats. */
export interface Agent {
  plan(program: string): Promise<Told>;
  run(program: string, more?: Omit<RunArguments, "program">): Promise<Told>;
  /** Runs what was planned under a ref, without its program. */
  runPlanned(planCommitRef: string, more?: Omit<RunArguments, "program">): Promise<Told>;
}

/** Opens a session on quay's boats for an intent, in which programs use names. */
export const agentOn = (engine: Engine, intent = "boats", caller: Caller = LOCAL): Promise<Agent> =>
  agentOf(engine, { api: "quay", entity: "Boat" }, intent, caller);

interface Seed {
  readonly api: string;
  readonly entity: string;
}

/** Opens a session on entities for an intent, in which programs use names. */
export async function agentOf(
  engine: Engine,
  seed: Seed | readonly Seed[],
  intent = "rows",
  caller: Caller = LOCAL,
): Promise<Agent> {
  const seeds = [seed].flat();
  const { meta } = await engine.context(caller, { intent, seeds, notation: "names" });
  const ref = meta["logical_session_ref"];
  if (typeof ref !== "string") throw new Error("the session has no ref");
  const address = { kind: "ref", ref } as const;
  const told = async (call: Promise<{ text: string; meta: Problem["meta"] }>): Promise<Told> => {
    try {
      const { text, meta: all } = await call;
      return { text, meta: all, problem: null };
    } catch (thrown) {
      const problem = engine.problemOf(thrown);
      return { text: problem.text, meta: problem.meta, problem };
    }
  };
  return {
    plan: (program) => told(engine.plan(caller, address, program)),
    run: (program, more = {}) => told(engine.run(caller, address, { program, ...more })),
    runPlanned: (planCommitRef, more = {}) =>
      told(engine.run(caller, address, { planCommitRef, ...more })),
  };
}
