import {
  type Catalog,
  type CatalogSet,
  openCatalog,
  type PlanBody,
  type PlanNode,
  type PlanReturn,
} from "@plasm/core";
import { readFixtureCatalog } from "@plasm/testkit";
import type { EffectLog } from "../effects/effect-log.ts";
import { envSecrets } from "../request/auth/secret-provider.ts";
import { continueCursor } from "../run/continue-cursor.ts";
import { runPlan } from "../run/run-plan.ts";
import type { ContinueOutcome, Cursor, RunContext, RunOutcome } from "../run/run-types.ts";
import { DEFAULT_LIMITS, type Limits } from "../limits/limits.ts";
import type { Clock, FunctionTable, Ports } from "../ports.ts";
import { createHttpTransport } from "../transport/http-transport.ts";
import type { Recording } from "../recording/open-recording.ts";
import { memoryLog } from "./memory-log.ts";

/** A catalog from YAML text; a fault in it fails the test. */
export function catalogOf(
  entryId: string,
  domain: string,
  mappings: string,
  functions: readonly string[] = [],
): Catalog {
  const opened = openCatalog({
    entryId,
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
    functions,
  });
  if (opened.catalog === null || opened.catalog.dropped !== undefined) {
    throw new Error(opened.diagnostics.map((each) => `${each.code} ${each.message}`).join("\n"));
  }
  return opened.catalog;
}

/** A fixture catalog of the testkit. */
export function fixture(name: "quay" | "yard"): Catalog {
  const { domain, mappings } = readFixtureCatalog(name);
  return catalogOf(name, domain, mappings);
}

/** A clock whose waits are over at once and noted; time moves by what was waited, and by nothing else. */
export function quickClock(start = Date.UTC(2026, 0, 5, 12)): Clock & { readonly waits: number[] } {
  let now = start;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    sleep: (ms) => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
}

export interface Setting {
  readonly catalogs: readonly Catalog[];
  readonly backends: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** in place of `env` */
  readonly secrets?: Ports["secrets"];
  readonly credentials?: RunContext["credentials"];
  readonly sessionVariables?: RunContext["sessionVariables"];
  readonly keepVariables?: RunContext["keepVariables"];
  readonly tokens?: Ports["tokens"];
  /** what stands between the run and its ports */
  readonly recording?: Recording;
  readonly limits?: Partial<Limits>;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  readonly transport?: Ports["transport"];
  readonly functions?: FunctionTable;
  readonly onDefect?: (error: unknown) => void;
  /** default: one in memory that nobody looks at; null for none */
  readonly effectLog?: EffectLog | null;
  readonly runId?: string;
  readonly origins?: RunContext["origins"];
  readonly endpoints?: RunContext["endpoints"];
  readonly readers?: Ports["readers"];
  readonly artifacts?: RunContext["artifacts"];
  readonly session?: RunContext["session"];
  readonly spill?: RunContext["spill"];
  readonly memory?: RunContext["memory"];
}

const transport = createHttpTransport();

/** The context of a run against test servers. */
export function contextOf(setting: Setting): RunContext {
  const catalogs: CatalogSet = new Map(setting.catalogs.map((each) => [each.entryId, each]));
  const clock = setting.clock ?? quickClock();
  const { signal } = setting;
  const live = {
    transport: setting.transport ?? transport,
    secrets: setting.secrets ?? envSecrets(setting.env ?? {}),
    clock,
    ids: { id: () => "id", random: () => 0.5 },
    functions: setting.functions ?? new Map(),
    ...(setting.tokens === undefined ? {} : { tokens: setting.tokens }),
    ...(setting.readers === undefined ? {} : { readers: setting.readers }),
  };
  const ports: Ports = setting.recording?.ports(live) ?? live;
  const started = ports.runs?.start() ?? { at: clock.now(), id: setting.runId ?? "run" };
  return {
    catalogs,
    backends: new Map(Object.entries(setting.backends)),
    ports,
    limits: { ...DEFAULT_LIMITS, ...setting.limits },
    credentials: setting.credentials ?? { tenant: "test" },
    ...(setting.sessionVariables === undefined
      ? {}
      : { sessionVariables: setting.sessionVariables }),
    ...(setting.keepVariables === undefined ? {} : { keepVariables: setting.keepVariables }),
    startedAt: started.at,
    runId: started.id,
    onDefect:
      setting.onDefect ??
      ((error) => {
        throw error;
      }),
    ...(signal === undefined ? {} : { signal }),
    ...(setting.origins === undefined ? {} : { origins: setting.origins }),
    ...(setting.endpoints === undefined ? {} : { endpoints: setting.endpoints }),
    ...(setting.spill === undefined ? {} : { spill: setting.spill }),
    ...(setting.memory === undefined ? {} : { memory: setting.memory }),
    ...(setting.session === undefined ? {} : { session: setting.session }),
    ...(setting.artifacts === undefined ? {} : { artifacts: setting.artifacts }),
  };
}

/** A plan of these nodes, in order; every node is returned under its id unless returns are given. */
function planOf(nodes: readonly PlanNode[], returns?: readonly PlanReturn[]): PlanBody {
  const last = nodes.at(-1);
  const edges = nodes.flatMap((node) =>
    "source" in node && node.source !== undefined ? [{ from: node.source, to: node.id }] : [],
  );
  return {
    version: 1,
    nodes,
    edges,
    topological_order: nodes.map(({ id }) => id),
    returns: returns ?? [{ label: "it", node: last?.id ?? "", page_size: null }],
  };
}

export function run(
  setting: Setting,
  nodes: readonly PlanNode[],
  returns?: readonly PlanReturn[],
): Promise<RunOutcome> {
  const { effectLog = memoryLog() } = setting;
  const request = { ...contextOf(setting), plan: planOf(nodes, returns) };
  return runPlan(effectLog === null ? request : { ...request, effectLog });
}

/**
 * Continues a cursor after it went through JSON, as a store would keep it; `stale` says that an effect
 * came after its rows were read (PLAN-083).
 */
export function goOn(
  setting: Setting,
  cursor: Cursor,
  limit?: number,
  stale = false,
): Promise<ContinueOutcome> {
  const stored = JSON.parse(JSON.stringify(cursor)) as Cursor;
  return continueCursor({
    ...contextOf(setting),
    cursor: stored,
    stale,
    ...(limit === undefined ? {} : { limit }),
  });
}
