import { join } from "node:path";
import {
  approvalsIn,
  createEngine,
  keysIn,
  LOCAL,
  NOBODY,
  policyAdmin,
  storedPolicies,
  type Approvals,
  type Authenticator,
  type CatalogAdmin,
  type Engine,
  type Keys,
  type PolicyAdmin,
  type Store,
} from "@plasm/agent-core";
import type { Policies, Policy } from "@plasm/core";
import {
  createHttpTransport,
  createTokenCache,
  type FunctionTable,
  openCompiledCache,
  openCredentialFiles,
  type Plugin,
  type Ports,
  registerPlugins,
  systemClock,
  systemIds,
} from "@plasm/runtime";
import { connectionsIn, type Connections } from "../http/connections.ts";
import { authModeFromEnv, issuersFromEnv } from "./auth-from-env.ts";
import { builtInPlugins } from "./built-in-plugins.ts";
import { budgetsFromEnv } from "./budgets-from-env.ts";
import { catalogRemarks, needsBackend } from "./catalog-remarks.ts";
import { graftsFromEnv } from "./grafts-from-env.ts";
import { firstEntity, type FirstEntity } from "./first-entity.ts";
import { backendsOf, hostCatalogs, type Opening, onFreshCatalogs } from "./host-catalogs.ts";
import { hostRecording, type RecordingChoice, recordingRemark } from "./host-recording.ts";
import { type AuthSettings, hostAuthenticator, secretsFromEnv } from "./host-auth.ts";
import {
  filePolicies,
  readPolicyFile,
  refuseWithoutOperator,
  withBudgets,
} from "./host-policies.ts";
import { hostSecrets } from "./host-secrets.ts";
import { keepPrivate } from "./keep-private.ts";
import { type Catalogs, loadCatalogs } from "./load-catalogs.ts";
import { openQueue, openStore } from "./open-store.ts";
import { operationLimitsFromEnv } from "./operation-limits-from-env.ts";
import { switchFromEnv } from "./switch-from-env.ts";
import { originsFromEnv } from "./origins-from-env.ts";
import { collectorOf, openTelemetry, sendsTraceparent } from "./telemetry.ts";
import { retentionFromEnv } from "./retention-from-env.ts";

/** What a host is opened with. */
export interface HostOptions {
  /** directory of credentials and, without `PLASM_DATABASE_URL`, of the store; made if missing */
  readonly dataDir: string;
  /** absolute paths, each of a catalog or of a directory of catalogs */
  readonly catalogs: readonly string[];
  /**
   * where secrets, the store, backends, budgets and origins are looked up: `PLASM_DATABASE_URL`,
   * `PLASM_BACKEND_<ENTRY_ID>`, `PLASM_BUDGET_<NAME>`, `PLASM_OPERATIONS_PER_<SESSION or TENANT>`,
   * `PLASM_RETENTION_<NAME>`, `PLASM_SEND_TRACEPARENT`, `OTEL_<NAME>`, `PLASM_GRAFT_URL`, `PLASM_PROFILE`, `PLASM_UI_ORIGIN`, `PLASM_TRANSPORT_ORIGIN`, `PLASM_AUTH`, `PLASM_JWT_<…>`, `PLASM_CREDENTIALS`, and
   * what catalogs name
   */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** functions that catalogs call by name; those that come with Plasm if not given (RUN-105) */
  readonly plugins?: readonly Plugin[];
  /** file of the policies of tenants; all is allowed without one (SURF-25) */
  readonly policyFile?: string;
  /**
   * whether callers prove who they are, before `PLASM_AUTH`; `open`: where they need not, they are nobody in
   * particular, since other machines may call (SESS-8)
   */
  readonly auth?: { readonly mode?: string | undefined; readonly open?: boolean };
  /** what to record or replay; all calls are live without it (RUN-161) */
  readonly recording?: RecordingChoice;
  /** what an operator should know of: defects with their id, refused snapshots */
  readonly warn?: (what: string, cause: unknown) => void;
}

/** An engine with everything real, and what there is to say of how it came up. */
export interface Host {
  readonly engine: Engine;
  readonly connections: Connections;
  /** runs may be MCP tasks: the setting `mcp.tasks` (OPS-26) */
  readonly tasks: boolean;
  /** MCP answers stand as data beside their text, too: the setting `structured_content` (SURF-5) */
  readonly structured: boolean;
  /** who decides on plans that wait: for the routes of operators alone (OPS-36) */
  readonly operators: { readonly keys: Keys; readonly approvals: Approvals };
  /** who changes policies and catalogs: for the routes of administrators alone (SURF-16) */
  readonly administrators: {
    readonly keys: Keys;
    readonly policies: PolicyAdmin;
    readonly catalogs: CatalogAdmin;
  };
  /** how callers over HTTP prove who they are, MCP included (SURF-23) */
  readonly auth: Authenticator;
  /** where clients meet the server, if that is set */
  readonly origin: string | undefined;
  /** names that Host and Origin may have, as the origins that are set have them */
  readonly hostnames: readonly string[];
  /** ids of the catalogs on offer */
  readonly loaded: readonly string[];
  /** a line on each catalog that is not on offer or cannot be called yet, and on files that were open to others */
  readonly remarks: readonly string[];
  readonly first: FirstEntity | null;
  /** where sessions and results are, if not in the data directory */
  readonly storePlace: string | null;
  close(): Promise<void>;
}

/**
 * The keys of the store, with which its policies can be kept (OPS-36) and callers are known, what was imported
 * into it beside the catalogs of directories, and the queue of replicas.
 */
async function besideStore(
  store: Store,
  { files, opening }: { readonly files: Catalogs; readonly opening: Opening },
  policies: Policies,
  most: number,
  settings: AuthSettings,
  { env, warn = () => undefined }: HostOptions,
) {
  const keys = keysIn(store);
  try {
    await refuseWithoutOperator(policies, keys);
    const auth = await hostAuthenticator(settings, keys);
    const catalogs = await hostCatalogs(store, files, opening);
    return { keys, auth, catalogs, queue: await openQueue(store, env, { most, warn }) };
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

/** What is read of the environment before anything is opened. Throws HostStartError. */
function settingsOf({ env, auth }: HostOptions) {
  const origins = originsFromEnv(env);
  return {
    budgets: budgetsFromEnv(env),
    operations: operationLimitsFromEnv(env),
    retention: retentionFromEnv(env),
    grafts: graftsFromEnv(env),
    origins,
    hostnames: Object.values(origins).map((origin: string) => new URL(origin).hostname),
    secrets: secretsFromEnv(env),
    auth: {
      mode: authModeFromEnv(env, auth?.mode),
      issuers: issuersFromEnv(env),
      local: auth?.open === true ? NOBODY : LOCAL,
    },
  };
}

/** What tenants may do: as administrators have set it, else as the file says (SURF-25). */
const policiesOf = (store: Store, file: Policies, budgets: NonNullable<Policy["budgets"]>) =>
  withBudgets(storedPolicies(store, filePolicies(file)), budgets);

/** The real world. */
const livePorts = (secrets: Ports["secrets"], functions: FunctionTable): Ports => ({
  transport: createHttpTransport(),
  secrets,
  clock: systemClock,
  ids: systemIds,
  functions,
  tokens: createTokenCache(),
});

/**
 * Brings up the engine on its store, with catalogs from directories, secrets from environment
 * and data directory, backends from the environment, and the network or a recording of it. Throws
 * HostStartError; then nothing is left open.
 */
export async function openHost(options: HostOptions): Promise<Host> {
  const { env, warn = () => undefined, dataDir } = options;
  const tasks = switchFromEnv(env, "PLASM_MCP_TASKS");
  const structured = switchFromEnv(env, "PLASM_MCP_STRUCTURED_CONTENT");
  const propagateTraces = sendsTraceparent(env);
  collectorOf(env);
  const { budgets, operations, origins, retention, grafts, ...settings } = settingsOf(options);
  const recording = await hostRecording(options.recording, warn);
  const files = openCredentialFiles(dataDir, () => systemClock.now());
  const secrets = hostSecrets(env, files, LOCAL.scope, recording);
  const cache = await openCompiledCache(join(dataDir, "compiled"));
  const plugins = registerPlugins(options.plugins ?? builtInPlugins);
  const loading = { functions: plugins.functionNames, ...(cache === null ? {} : { cache }) };
  const catalogs = await loadCatalogs(options.catalogs, secrets.has, loading);
  const policies = await readPolicyFile(
    options.policyFile,
    catalogs.entries.map(({ catalog }) => catalog),
  );
  const fromFiles = catalogs.entries.map(({ catalog }) => catalog.entryId);
  const set = backendsOf(fromFiles, env);
  const backends = recording?.backends(set) ?? set;
  const { store, place: storePlace } = await openStore(dataDir, env);
  const opened = await keepPrivate(dataDir);
  const live = livePorts(secrets.provider, plugins.functions);
  const most = operations.perTenant;
  const known = { files: catalogs, opening: { loading, hasCredential: secrets.has, warn } };
  const beside = await besideStore(store, known, policies, most, settings.auth, options);
  const { keys, auth, queue } = beside;
  const { registry, admin } = beside.catalogs;
  const telemetry = await openTelemetry(env);
  const engine = createEngine({
    store,
    propagateTraces,
    ...(queue === null ? {} : { queue }),
    registry,
    ports: recording?.ports(live) ?? live,
    backends,
    pluginGeneration: plugins.generation,
    origins,
    operations,
    retention,
    grafts,
    policies: policiesOf(store, policies, budgets),
    ...settings.secrets,
    warn,
  });
  const callable = catalogs.entries.filter(
    (entry) => catalogs.ready.has(entry.catalog.entryId) && !needsBackend(entry, backends),
  );
  const imported = registry.list().map(({ catalog }) => catalog.entryId);
  return {
    engine: onFreshCatalogs(engine, registry),
    connections: connectionsIn(store),
    tasks,
    structured,
    operators: { keys, approvals: approvalsIn(store) },
    administrators: { keys, policies: policyAdmin({ store, registry, keys }), catalogs: admin },
    auth,
    origin: origins.transport,
    hostnames: settings.hostnames,
    loaded: [...new Set([...fromFiles, ...imported])],
    remarks: [
      ...(options.recording === undefined ? [] : [recordingRemark(options.recording)]),
      ...catalogRemarks(catalogs, backends),
      ...opened,
    ],
    first: firstEntity(callable.map(({ catalog }) => catalog)),
    storePlace,
    close: async () => {
      await engine.close();
      await telemetry.close();
    },
  };
}
