import type { Catalog, Cgs, Json, PlanNode } from "@plasm/core";
import { createRedactor, type Redactor } from "../request/auth/redactor.ts";
import { openCredential } from "../request/auth/open-credential.ts";
import { createTokenCache } from "../request/auth/token-credential.ts";
import { type Coalescer, createCoalescer, createRunCache, type RunCache } from "./run-cache.ts";
import type { EffectRecorder } from "../effects/effect-log.ts";
import { type Budget, createBudget, FIXED, LATE_WORK_MS, RunStop } from "../limits/limits.ts";
import { createRowBudget, type RowBudget } from "../limits/row-budget.ts";
import { RowMemory, type RunMemory } from "../limits/row-memory.ts";
import type { Exchange, BackendAccess, RequestContext } from "../limits/exchange.ts";
import { pausesOfRun, TenantHosts } from "../limits/gate.ts";
import { openShelf, type Shelf } from "../rows/shelf.ts";
import {
  type ChargeWork,
  createWorkQueue,
  type NextTurn,
  nextTurn,
  type WorkQueue,
} from "../base/turns.ts";
import type { BoundFunctions } from "../request/build-request.ts";
import { effectiveBackend } from "../request/effective-backend.ts";
import type { SentRequest } from "../ports.ts";
import type { Feed } from "./feed.ts";
import { createNodeWatch, type NodeWatch } from "./node-outcome.ts";
import type { EndpointFacts, NodeName, RunContext } from "./run-types.ts";
import type { ColumnTypes } from "../rows/row.ts";
import type { RowSequence } from "../rows/row-list.ts";
import type { CapabilityCall } from "../request/environment.ts";

/** A call of a read, whatever serves it. */
export type ReadCall = Omit<CapabilityCall, "template" | "identity">;

/** What the nodes of one run share; it lives as long as the run. */
export interface RunEngine {
  readonly context: RunContext;
  readonly budget: Budget;
  /** what rows may take, counted before they are made */
  readonly rows: RowBudget;
  /** where rows and answers are put away that are not read now */
  readonly shelf: Shelf;
  /** awaited before local work whose length grows with its rows or its text */
  readonly nextTurn: NextTurn;
  /** the same in the middle of such work; throws RunStop where the run has been over for a while (PLAN-051) */
  readonly pause: NextTurn;
  /** counts pieces of local work that were done; throws RunStop once the budget `work` is used up (PLAN-053) */
  readonly charge: ChargeWork;
  /** does such work with pauses, one piece of the run after the other, and charges it */
  readonly work: WorkQueue;
  readonly wire: RequestContext;
  readonly cache: RunCache;
  readonly answers: Coalescer<Exchange>;
  readonly functions: BoundFunctions;
  readonly redactor: Redactor;
  readonly variables: SessionVariables;
  readonly sent: SentRequest[];
  /** nodes of which some consumer needs whole rows, not only the wanted fields */
  readonly whole: ReadonlySet<string>;
  readonly effects: EffectRecorder;
  /** files that the program names, by the name that it has for them: each is taken once (VAL-07) */
  readonly taken: Map<string, Promise<Json>>;
  /** tells those who watch the run of its nodes */
  readonly watch: NodeWatch;
  /** what readers of transports have asked endpoints, as the session knows it (MAP-053) */
  readonly endpoints: EndpointFacts;
  /** a node of the plan by its id */
  readonly nodeOf: (id: string) => PlanNode;
  /** how messages name a node of the plan */
  readonly nameOf: (id: string) => NodeName;
  /** the feed of a node of the plan */
  readonly feedOf: (node: string) => Feed;
  catalog(entryId: string): Catalog;
  /** The backend and credential of a catalog, resolved once per run (SESS-22). */
  party(entryId: string, node: string): Promise<BackendAccess>;
}

function bindFunctions(context: RunContext): BoundFunctions {
  const { functions, ids } = context.ports;
  return new Map(
    [...functions].map(([name, call]) => [
      name,
      (args: readonly (Json | undefined)[], bindings: ReadonlyMap<string, Json>) =>
        call(
          {
            environment: Object.fromEntries(bindings),
            now: context.startedAt,
            id: () => ids.id(),
          },
          args,
        ),
    ]),
  );
}

function createWire(
  context: RunContext,
  budget: Budget,
  redactor: Redactor,
): RequestContext & { sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const { signal, hosts = new TenantHosts(FIXED.perHost) } = context;
  return {
    ports: context.ports,
    budget,
    gate: hosts.gate(FIXED.perRun, { signal, wallLeft: budget.wallLeft }),
    pauses: pausesOfRun(hosts.pauses, () => context.ports.clock.now()),
    redactor,
    signal,
    sent,
    onSending: (request) => context.observer?.request(request) ?? null,
    onSent: (request) => {
      sent.push(request);
      const { node } = request;
      context.onProgress?.({ kind: "request_sent", node, requests: budget.use().requests });
    },
  };
}

/** The parties of a run by entry id; a failure to resolve one is every node's that needs it. */
function createParties(context: RunContext, catalog: RunEngine["catalog"], redactor: Redactor) {
  const known = new Map<string, Promise<Omit<BackendAccess, "node">>>();
  const ofNodes = new Map<string, Promise<BackendAccess>>();
  const { secrets, transport, clock, tokens = createTokenCache() } = context.ports;
  const setting = { secrets, transport, clock, tokens, redactor, scope: context.credentials };
  const resolve = async (entryId: string): Promise<Omit<BackendAccess, "node">> => {
    const entry = catalog(entryId);
    const backend = effectiveBackend(entry, context.backends);
    return { backend, credential: await openCredential(entry, backend, setting) };
  };
  const open = async (entryId: string, node: string): Promise<BackendAccess> => {
    const party = known.get(entryId) ?? resolve(entryId);
    known.set(entryId, party);
    return { ...(await party), node };
  };
  return (entryId: string, node: string): Promise<BackendAccess> => {
    const key = `${entryId} ${node}`;
    const party = ofNodes.get(key) ?? open(entryId, node);
    ofNodes.set(key, party);
    return party;
  };
}

/**
 * The pause of local work: it looks at the wall and at cancels. Rows in hand still become results after either, for
 * as long as templates do (PLAN-051, PLAN-065).
 */
function createPause({ signal }: RunContext, budget: Budget): NextTurn {
  let cancelled: number | null = null;
  return async () => {
    await nextTurn();
    if (budget.wallLeft() + LATE_WORK_MS <= 0) throw new RunStop("wall");
    if (signal?.aborted !== true) return;
    cancelled ??= performance.now();
    if (performance.now() - cancelled >= LATE_WORK_MS) throw new RunStop("cancelled");
  };
}

/** What differs between a run and a continuation. */
export interface EngineSetting {
  readonly whole: ReadonlySet<string>;
  readonly effects: EffectRecorder;
  /** makes the feed of a node when it is first asked for */
  readonly open: (engine: RunEngine, node: PlanNode) => Feed;
}

/** What the rows of a run may take. */
function rowsOf(context: RunContext, budget: Budget, memory: RunMemory): RowBudget {
  const { clock } = context.ports;
  return createRowBudget(memory, {
    clock,
    // Whatever the clock is set to meanwhile, the wall time that is left is the same.
    get deadline() {
      return clock.now() + budget.wallLeft();
    },
    signal: context.signal,
  });
}

/** The shared state of a run over these nodes. */
export function createRunEngine(
  context: RunContext,
  nodes: readonly PlanNode[],
  { whole, effects, open }: EngineSetting,
): RunEngine {
  const budget = createBudget(context.limits, context.ports.clock, context.signal);
  const redactor = createRedactor();
  const variables = createSessionVariables(context, redactor);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const feeds = new Map<string, Feed>();
  const catalog = (entryId: string): Catalog => {
    const found = context.catalogs.get(entryId);
    if (found === undefined) throw new Error(`the plan names no catalog of the run: ${entryId}`);
    return found;
  };
  const nodeOf = (id: string): PlanNode => {
    const node = byId.get(id);
    if (node === undefined) throw new Error(`the plan has no node ${id}`);
    return node;
  };
  const wire = createWire(context, budget, redactor);
  const pause = createPause(context, budget);
  // A run whose host gives it no memory has that of a process to itself.
  const memory = context.memory ?? new RowMemory().open("");
  const charge: ChargeWork = (pieces) => {
    if (budget.takeWork(1, pieces) === 0) throw new RunStop("work");
  };
  const engine: RunEngine = {
    context,
    budget,
    rows: rowsOf(context, budget, memory),
    shelf: openShelf(memory, context.spill ?? null),
    nextTurn,
    pause,
    charge,
    work: createWorkQueue(pause, charge),
    wire,
    redactor,
    variables,
    sent: wire.sent,
    whole,
    effects,
    taken: new Map(),
    watch: createNodeWatch(context.observer),
    endpoints: context.endpoints ?? new Map(),
    cache: createRunCache(),
    answers: createCoalescer(),
    functions: bindFunctions(context),
    catalog,
    party: createParties(context, catalog, redactor),
    nodeOf,
    nameOf: context.nameOf ?? ((id) => ({ name: id, text: null })),
    feedOf(id) {
      const known = feeds.get(id);
      if (known !== undefined) return known;
      const feed = open(engine, nodeOf(id));
      feeds.set(id, feed);
      return feed;
    },
  };
  return engine;
}

type Variables = Readonly<Record<string, string>>;

/** The variables of a session as a run knows them, by entry id: its host's, and what hooks set (RUN-015). */
interface SessionVariables {
  of(entryId: string): Variables;
  /** Sets some for the rest of the run, and tells the host; from now on they are redacted. */
  set(entryId: string, values: Variables): void;
}

/** The variables that a run starts with; all of them are secret (RUN-142). */
function createSessionVariables(context: RunContext, redactor: Redactor): SessionVariables {
  const all = new Map(context.sessionVariables);
  const none: Variables = Object.freeze({});
  const hide = (values: Variables): void => {
    for (const value of Object.values(values)) redactor.add(value);
  };
  for (const values of all.values()) hide(values);
  return {
    of: (entryId) => all.get(entryId) ?? none,
    set(entryId, values) {
      hide(values);
      all.set(entryId, { ...all.get(entryId), ...values });
      context.keepVariables?.(entryId, values);
    },
  };
}

/** The schema that the columns of these rows are typed by, and their entity; null for plain rows. */
export interface RowSchema {
  readonly cgs: Cgs | null;
  readonly entity: string | null;
  /** types of the columns of rows of no entity */
  readonly types?: ColumnTypes;
}

/** The schema of rows of one node: all are of one entity, or none is (SESS-21). */
export function schemaOf(engine: RunEngine, rows: RowSequence): RowSchema {
  for (const { base } of rows) {
    if (base !== null) return { cgs: engine.catalog(base.entryId).cgs, entity: base.entity };
  }
  const types = rows.at(0)?.types;
  return { cgs: null, entity: null, ...(types === undefined ? {} : { types }) };
}

/** How a message names the rows of a node: by their label, else by the expression that made them. */
export function rowsName(engine: RunEngine, id: string): string {
  const { name, text } = engine.nameOf(id);
  return name === id ? (text ?? id) : name;
}
