import { proxiesIn } from "./environment.ts";
import { join } from "node:path";
import { createEngine, type Engine, type Store } from "@plasm/agent-core";
import {
  approvalsIn,
  deploymentSecrets,
  ofItsUser,
  auditIn,
  type ClientDecisions,
  clientDecisionsIn,
  type AuditReader,
  setAsideOperationsIn,
  type SetAsideOperations,
  keysIn,
  noteAudit,
  tenantOfScope,
  policyAdmin,
  storedPolicies,
  type Approvals,
  type Authenticator,
  type CatalogAdmin,
  type PolicyAdmin,
  type SignInInvitations,
} from "@plasm/agent-core/internal";
import type { Catalog, Policies } from "@plasm/core";
import {
  createHttpTransport,
  createTokenCache,
  offersSignIn,
  openSpillPlace,
  type Ports,
  systemClock,
  systemIds,
  outboundFetch,
  type Transport,
} from "@plasm/runtime";
import { effectiveBackend, signInIsOver } from "@plasm/runtime/internal";
import { evmReaders } from "@plasm/transport-evm";
import { type Accounts, accountsOf } from "./accounts.ts";
import { hostAuthenticator, type HostKeys, mayHaveTokenOperator } from "./auth.ts";
import { catalogRemarks, firstEntity, needsBackend, type FirstEntity } from "./catalog-remarks.ts";
import { type Connect, createConnect } from "./connect.ts";
import { connectionsIn, type Connections } from "./connections.ts";
import { cardIn } from "./console-files.ts";
import { type Console, createConsole } from "./console.ts";
import { type ConsoleProviders, consoleProviders } from "./console-providers.ts";
import { readContents, recordingRemark, type HostContents } from "./contents.ts";
import { reloadableCatalogs, type Reloaded } from "./directory-catalogs.ts";
import type { HostOptions } from "./host-options.ts";
import type { Budgets } from "./limits.ts";
import { hostCatalogs, onFreshCatalogs } from "./live-catalogs.ts";
import { filePolicies, refuseWithoutOperator, withBudgets, withoutForce } from "./policies.ts";
import { settingsOf, type HostSettings } from "./settings.ts";
import { signInSettings } from "./sign-in.ts";
import { keepPrivate, openQueue, openStore } from "./store.ts";
import { type TenantSettings, tenantSettings } from "./tenant-settings.ts";
import { type Metrics, openMetrics } from "./metrics.ts";
import { openTelemetry } from "./telemetry.ts";

/** An engine with everything real, and what there is to say of how it came up. */
export interface Host {
  readonly engine: Engine;
  readonly connections: Connections;
  /** runs may be MCP tasks: the setting `mcp.tasks` (OPS-26) */
  readonly tasks: boolean;
  /** MCP answers stand as data beside their text, too: the setting `structured_content` (SURF-5) */
  readonly structured: boolean;
  /** who decides on plans that wait: for the routes of operators alone (OPS-36) */
  readonly operators: {
    readonly keys: HostKeys;
    readonly approvals: Approvals;
    readonly setAside: SetAsideOperations;
    readonly audit: AuditReader;
    /** how the tenant is served (SURF-36) */
    readonly settings: TenantSettings;
  };
  /** who changes policies and catalogs: for the routes of administrators alone (SURF-16) */
  readonly administrators: {
    readonly keys: HostKeys;
    readonly policies: PolicyAdmin;
    readonly catalogs: CatalogAdmin;
    /** the figures of this process as text; null where they are not counted (OPS-44) */
    readonly metrics: Metrics["text"];
  };
  /** what the person at an MCP client decides on plans of its agent, where policy lets them (OPS-65) */
  readonly decisions: ClientDecisions;
  /** the page on which an MCP client shows a plan to its person; absent where the console's files are not (SURF-45) */
  readonly card: (() => Promise<string>) | undefined;
  /** the pages on which people sign in to APIs (RUN-128) */
  readonly connect: Connect;
  /** what callers are connected to, as each of them sees and changes it (RUN-186) */
  readonly accounts: Accounts;
  /** the page on which people look at what agents do, and decide (SURF-31) */
  readonly console: Console;
  /** whether a catalog on offer says how people sign in */
  readonly signsIn: boolean;
  /** the port of their pages where nothing else is served over HTTP; 0 for any */
  readonly signInPort: number;
  /** how callers over HTTP prove who they are, MCP included (SURF-23) */
  readonly auth: Authenticator;
  /** where clients meet the server, if that is set */
  readonly origin: string | undefined;
  /** names that Host and Origin may have, as the origins that are set have them */
  readonly hostnames: readonly string[];
  /** ids of the catalogs on offer */
  readonly loaded: readonly string[];
  /** a catalog on offer; null for the id of none */
  readonly catalogOf: (entryId: string) => Catalog | null;
  /** a line on each catalog that is not on offer or cannot be called yet, and on files that were open to others */
  readonly remarks: readonly string[];
  readonly first: FirstEntity | null;
  /**
   * Loads the catalogs of directories again, all at once; new sessions get what changed, open ones keep what they
   * were taught (RUN-180)
   */
  readonly reloadCatalogs: () => Promise<Reloaded>;
  /** where sessions and results are, if not in the data directory */
  readonly storePlace: string | null;
  close(): Promise<void>;
}

/**
 * The store, with what is kept in it beside the engine's own: keys, with which its policies can be kept (OPS-36)
 * and callers are known, what was imported beside the catalogs of directories, and the queue of replicas.
 */
async function openedStore(
  found: HostContents,
  settings: HostSettings,
  options: HostOptions,
  providers: ConsoleProviders,
) {
  const { dataDir, env, warn = () => undefined } = options;
  const { store, place } = await openStore(dataDir, env);
  try {
    const opened = await keepPrivate(dataDir);
    const keys = keysIn(store);
    const mayHave = mayHaveTokenOperator(settings.auth.issuers);
    const waiting = await refuseWithoutOperator(found.policies, keys, mayHave);
    const identity = await hostAuthenticator(settings.auth, keys, {
      signedIn: providers.holderOf,
      fetch: outboundFetch(settings.proxies),
    });
    const { loading, variables } = found;
    const { has: hasCredential } = found.secrets;
    const opening = { loading, hasCredential, keep: variables.keep, variables, warn };
    const files = reloadableCatalogs(options.catalogs, found.catalogs, opening);
    const catalogs = await hostCatalogs(store, files, opening);
    const queue = await openQueue(env, { most: settings.operations.perTenant, warn });
    return {
      store,
      place,
      opened: [...opened, ...waiting],
      keys,
      ...identity,
      files,
      catalogs,
      queue,
    };
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

type OpenedStore = Awaited<ReturnType<typeof openedStore>>;

/** What tenants may do: as administrators have set it, else as the file says (SURF-25). */
const policiesOf = (store: Store, file: Policies, budgets: Budgets) =>
  withBudgets(storedPolicies(store, filePolicies(file)), budgets);

/** A way to others, as the options have it: by the proxies of the environment (RUN-196). Throws HostStartError. */
const networkOf = ({ env, transport = (network) => network }: HostOptions): Transport =>
  transport(createHttpTransport(proxiesIn(env)));

/** The real world, or a recording of it. */
function portsOf({ recording, secrets, plugins }: HostContents, options: HostOptions): Ports {
  const live: Ports = {
    transport: networkOf(options),
    secrets: secrets.provider,
    clock: systemClock,
    ids: systemIds,
    functions: plugins.functions,
    readers: evmReaders,
    tokens: createTokenCache(),
  };
  return recording?.ports(live) ?? live;
}

/**
 * How long a run among replicas may be silent before another takes it over, in ms: with its look for what is left less than
 * 15 s after a death. On a data directory the system says who is dead (OPS-31).
 */
const REPLICA_LEASE_MS = 12_000;

/** Rows that do not stay in memory may have one part of so many of what the data directory may hold. */
const SPILL_PART = 4;

function engineOn(
  { store, queue, catalogs }: OpenedStore,
  found: HostContents,
  settings: HostSettings,
  { warn, strict = false, dataDir }: HostOptions,
  ports: Ports,
  signIn: SignInInvitations,
): Engine {
  const policies = policiesOf(store, found.policies, settings.budgets);
  const { propagateTraces, origins, rows, operations, retention, bounds, grafts, files } = settings;
  const spill = openSpillPlace(join(dataDir, "spill"), Math.floor(bounds.store / SPILL_PART));
  return createEngine({
    store,
    propagateTraces,
    ...(queue === null ? {} : { queue, leaseMs: REPLICA_LEASE_MS }),
    registry: catalogs.registry,
    ports,
    backends: found.backends,
    pluginGeneration: found.plugins.generation,
    origins,
    rows,
    ...(spill === null ? {} : { spill }),
    operations,
    retention,
    bounds,
    files,
    grafts,
    signIn,
    policies: strict ? withoutForce(policies) : policies,
    ...settings.secrets,
    notices: settings.notifications.targets,
    ...(settings.repeatedFailures === null ? {} : { repeatedFailures: settings.repeatedFailures }),
    ...(warn === undefined ? {} : { warn }),
  });
}

/** How people sign in to APIs of this host. */
const connectOf = (
  { files, secrets, backends, recording }: HostContents,
  auth: Authenticator,
  ports: Ports,
  options: HostOptions,
  store: Store,
): Connect =>
  createConnect({
    auth,
    files,
    has: secrets.hasOwn,
    accounts: secrets.accounts,
    replays: recording?.replays === true,
    isOver: async (catalog, scope) =>
      recording?.replays !== true &&
      signInIsOver(catalog, effectiveBackend(catalog, backends), ports, scope),
    setting: signInSettings(options.env, backends, networkOf(options)),
    signedIn: ({ tenant, subject, entryId, account }) =>
      noteAudit(store, tenantOfScope(tenant), {
        kind: "signed_in",
        subject,
        entry_id: entryId,
        detail: account === null ? null : `account ${account}`,
      }),
    now: () => systemClock.now(),
  });

const envOf =
  ({ env }: HostOptions) =>
  (name: string): string | undefined =>
    env[name];

/** What a strict start holds, in numbers where it has them. */
const strictRemark = ({ operations: { perSession, perTenant } }: HostSettings): string =>
  `strict: no force, credentials of users alone, at most ${perSession} operations a session and ${perTenant} a tenant`;

/** What there is to say of how a host came up. */
const remarksOf = (
  { recording: choice, strict = false, env }: HostOptions,
  { catalogs, backends, secretsFault }: HostContents,
  settings: HostSettings,
  opened: readonly string[],
): readonly string[] => [
  ...(secretsFault === null ? [] : [secretsFault.message]),
  ...(choice === undefined ? [] : [recordingRemark(choice)]),
  ...(strict ? [strictRemark(settings)] : []),
  ...catalogRemarks(catalogs, backends, env),
  ...settings.remarks,
  ...opened,
];

/** What a first session could be on: a catalog that can be called at once. */
const firstOf = ({ catalogs, backends }: HostContents): FirstEntity | null =>
  firstEntity(
    catalogs.entries
      .filter((one) => catalogs.ready.has(one.catalog.entryId) && !needsBackend(one, backends))
      .map(({ catalog }) => catalog),
  );

/** How tenants are served, for their operators (SURF-36). */
const settingsIn = (
  { store, catalogs }: OpenedStore,
  { policies }: HostContents,
  { budgets, notifications }: HostSettings,
  { policyFile, strict = false }: HostOptions,
): TenantSettings =>
  tenantSettings({
    store,
    registry: catalogs.registry,
    policies,
    policyFile,
    strict,
    budgets,
    notifications: notifications.places,
  });

/** Closes what is open already where something else cannot be opened, and throws what that threw. */
const closing =
  (...opened: readonly { close(): Promise<void> }[]) =>
  async (thrown: unknown): Promise<never> => {
    for (const one of opened) await one.close();
    throw thrown;
  };

/**
 * Brings up the engine on its store, with catalogs from directories, secrets from environment
 * and data directory, backends from the environment, and the network or a recording of it. Throws
 * HostStartError; then nothing is left open.
 */
export async function openHost(options: HostOptions): Promise<Host> {
  const settings = settingsOf(options);
  const found = await readContents(options);
  // Before the store: a wrong setting leaves nothing open.
  const telemetry = await openTelemetry(options.env);
  const counting = await openMetrics(options.env).catch(closing(telemetry));
  const providers = consoleProviders(settings.auth.providers, {
    origin: settings.origins.transport,
    now: () => systemClock.now(),
    fetch: outboundFetch(settings.proxies),
  });
  const kept = await openedStore(found, settings, options, providers).catch(
    closing(telemetry, counting),
  );
  const { store, keys, auth, holders } = kept;
  const { registry, admin } = kept.catalogs;
  const ports = portsOf(found, options);
  const connect = connectOf(found, auth, ports, options, store);
  const engine = engineOn(kept, found, settings, options, ports, connect);
  const page = createConsole({
    store,
    auth,
    keys: { ...keys, ...holders },
    providers,
    signedIn: (tenant, subject, issuer) =>
      noteAudit(store, tenantOfScope(tenant), {
        kind: "signed_in",
        subject,
        detail: `console, by ${issuer}`,
      }),
    directory: options.consoleDirectory,
    origin: settings.origins.transport,
    now: () => systemClock.now(),
  });
  const targets = settings.notifications.targets.map(({ name }) => name);
  const imported = registry.list().map(({ catalog }) => catalog.entryId);
  const catalogOf = (entryId: string): Catalog | null => registry.get(entryId)?.catalog ?? null;
  return {
    engine: onFreshCatalogs(engine, registry),
    connections: connectionsIn(store),
    tasks: settings.tasks,
    structured: settings.structured,
    operators: {
      keys: page.keys,
      approvals: approvalsIn(store, targets),
      setAside: setAsideOperationsIn(store),
      audit: auditIn(store),
      settings: settingsIn(kept, found, settings, options),
    },
    administrators: {
      keys: page.keys,
      policies: policyAdmin({
        store,
        registry,
        keys,
        mayHaveTokenOperator: mayHaveTokenOperator(settings.auth.issuers),
      }),
      catalogs: admin,
      metrics: counting.text,
    },
    auth,
    decisions: clientDecisionsIn(store, targets),
    card: cardIn(options.consoleDirectory),
    connect,
    accounts: accountsOf({
      files: found.files,
      connect,
      credentialsOf: (caller) =>
        ofItsUser(settings.secrets.secretsOf ?? deploymentSecrets)(caller, "").credentials,
      catalog: catalogOf,
      setting: signInSettings(options.env, found.backends, networkOf(options)),
      isAlone: auth.mode === "off",
      note: (tenant, facts) => noteAudit(store, tenantOfScope(tenant), facts),
    }),
    console: page,
    signsIn: registry.list().some(({ catalog }) => offersSignIn(catalog, envOf(options))),
    signInPort: settings.signInPort,
    origin: settings.origins.transport,
    hostnames: settings.hostnames,
    loaded: [...new Set([...found.entryIds, ...imported])],
    catalogOf,
    remarks: remarksOf(options, found, settings, kept.opened),
    first: firstOf(found),
    storePlace: kept.place,
    reloadCatalogs: async () => {
      const reloaded = await kept.files.reload();
      await registry.refresh();
      return reloaded;
    },
    close: async () => {
      await engine.close();
      await settings.notifications.close();
      await telemetry.close();
      await counting.close();
    },
  };
}
