import type { Catalog } from "@plasm/core";
import {
  type Behind,
  type FaultProxy,
  type FaultRule,
  findSecrets,
  jsonAnswer,
  requestText,
  startFaultProxy,
  startWitness,
} from "@plasm/testkit";
import type { RunOutcome } from "../run/run-types.ts";
import type { RunError } from "../base/run-failure.ts";
import type { Transport } from "../ports.ts";
import { crates, depot, type DepotParts } from "./depot-catalog.ts";
import { quickClock, run, type Setting } from "./fixture-run.ts";
import { namedHosts, type Patience } from "./named-hosts.ts";
import { compute } from "./nodes.ts";

export const SECRET = "s3cr/et+key=0451";
const TENANT = "tenant/of+the=depot";

/** The depot's own origin, and others that it names; all lead to loopback servers. */
export const API = "https://api.depot.example";
export const FRIEND = "https://friend.depot.example";
export const STRANGER = "http://stranger.example";

export const BY_QUERY = "auth: { scheme: api_key_query, param: api_key, env: DEPOT_KEY }";
export const BY_HEADER = "auth: { scheme: bearer_token, env: DEPOT_KEY }";

/** A header that a mapping sends with each request. */
const TENANT_HEADER = `headers: { type: object, fields: [[X-Tenant, { type: const, value: ${TENANT} }]] }`;

export interface FaultRun {
  readonly rules?: readonly FaultRule[];
  readonly behind?: Behind;
  /** keys of the mapping besides method, path and headers */
  readonly list?: string;
  readonly method?: string;
  /** keys of the catalog besides; with origins of its own there or not */
  readonly top?: string;
  readonly ownOrigins?: true;
  /** whether the whole list is read, as a sort does; else one page */
  readonly whole?: boolean;
  readonly patience?: Patience;
  readonly over?: Partial<Setting>;
}

/** What a run over a depot that goes wrong came to. */
export interface FaultSeen {
  readonly outcome: RunOutcome;
  readonly error: RunError | null;
  readonly ids: readonly unknown[];
  readonly partial: string | null;
  readonly codes: readonly string[];
  readonly hasCursor: boolean;
  readonly waits: readonly number[];
  readonly api: FaultProxy;
  /** where nothing of this run may be told */
  readonly stranger: FaultProxy;
  /** an origin that the catalog may call without credentials */
  readonly friend: FaultProxy;
}

const ROWS: Behind = () => jsonAnswer({ items: [{ id: "a" }, { id: "b" }] });

interface Servers {
  readonly api: FaultProxy;
  readonly stranger: FaultProxy;
  readonly friend: FaultProxy;
  readonly transport: Transport;
}

async function withServers<T>(how: FaultRun, work: (servers: Servers) => Promise<T>): Promise<T> {
  const api = await startFaultProxy(how.behind ?? ROWS, how.rules);
  const rows = jsonAnswer({ items: [{ id: "z" }] });
  const [stranger, friend] = [await startWitness(rows), await startWitness(rows)];
  const hosts = {
    [API]: api.url,
    [FRIEND]: friend.url,
    [STRANGER]: stranger.url,
    [API.replace("https:", "http:")]: stranger.url,
  };
  const transport = namedHosts(hosts, how.patience);
  try {
    return await work({ api, stranger, friend, transport });
  } finally {
    await transport.close();
    await Promise.all([api, stranger, friend].map((server) => server.close()));
  }
}

const catalogs = new Map<string, Catalog>();

function depotOf({ list = "response: items_list", top = BY_HEADER, ...how }: FaultRun): Catalog {
  const { method, ownOrigins } = how;
  const parts: DepotParts = {
    backend: API,
    top: ownOrigins === true ? top : `${top}\nallow_origins: [${FRIEND}]`,
    list: `${TENANT_HEADER}\n${list}`,
    ...(method === undefined ? {} : { method }),
  };
  const key = JSON.stringify(parts);
  const known = catalogs.get(key) ?? depot(parts);
  catalogs.set(key, known);
  return known;
}

/** Reads the depot's crates while its API goes wrong; the clock is the run's own, so nothing waits. */
export function readThrough(how: FaultRun): Promise<FaultSeen> {
  return withServers(how, async (servers) => {
    const clock = quickClock();
    const setting: Setting = {
      catalogs: [depotOf(how)],
      backends: {},
      env: { DEPOT_KEY: SECRET },
      clock,
      transport: servers.transport,
      ...how.over,
    };
    const sort = compute(
      "n2",
      "n1",
      { sort: [{ path: ["id"], desc: false }] },
      { result: crates().result },
    );
    const outcome = await run(setting, how.whole === true ? [crates(), sort] : [crates()]);
    const [result] = outcome.results;
    return {
      outcome,
      error: outcome.nodes[0]?.error ?? null,
      ids: result?.rows.map(({ values }) => values["id"]) ?? [],
      partial: result?.partial ?? null,
      codes: outcome.diagnostics.map(({ code }) => code),
      hasCursor: (result?.cursor ?? null) !== null,
      waits: clock.waits,
      ...servers,
    };
  });
}

/** Which of the credential and the template header a server was told, in any writing. */
export function toldTo(server: FaultProxy): readonly string[] {
  const found = server.requests.flatMap((request) =>
    findSecrets("request", requestText(request), { SECRET, TENANT }),
  );
  return [...new Set(found.map(({ secret }) => secret))].toSorted();
}

/** Where a credential stands in what the caller was told. */
export const toldBack = (outcome: RunOutcome) =>
  findSecrets("outcome", JSON.stringify(outcome), { SECRET });
