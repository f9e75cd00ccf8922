import { createEngine, type Engine, type RegisteredCatalog, type Store } from "@plasm/agent-core";
import { usersSecrets } from "@plasm/agent-core/internal";
import { type Catalog, openCatalog } from "@plasm/core";
import { systemClock, systemIds } from "@plasm/runtime";
import { type FixtureCatalogName, readFixtureCatalog } from "@plasm/testkit";
import { answeringTransport, boatAt } from "../answering-transport.ts";
import { Life, mortalStore } from "./mortal-store.ts";
import { accountOf, credentialOf, isDelegated } from "./people.ts";
import { Turns } from "./turns.ts";

/** A store that engines are made on again and again. */
export interface Ground {
  /** Connects to what is there now, as a new process does. */
  open(now: () => number): Promise<Store>;
  /** Whether replicas that live at the same time have connections of their own. */
  readonly apart: boolean;
  /** where the store has a clock of its own */
  advance?(ms: number): void;
  close(): Promise<void>;
}

/** An engine and its connection to the store. */
export interface Replica {
  readonly engine: Engine;
  readonly life: Life;
  readonly store: Store;
}

/** How many boats there are, `b1` and so on. */
export const BOATS = 5;
const boats = Array.from({ length: BOATS }, (_, at) => boatAt(`/boats/b${at + 1}`));

/** Answers all boats, each with the name as its note of whom it was read for. */
const boatsApi = () =>
  answeringTransport(({ authorization }) => {
    const note = accountOf(authorization);
    const items = boats.map((boat) => ({ ...boat, note }));
    return { items, page: 1, total: items.length };
  }).transport;

/** A catalog as its files have it, but that its calls need a credential. */
function registered(name: FixtureCatalogName): RegisteredCatalog {
  const { domain: open, mappings } = readFixtureCatalog(name);
  const domain = open.replace("scheme: none", "scheme: bearer_token, env: HARBOUR_TOKEN");
  const { catalog, diagnostics } = openCatalog({
    entryId: name,
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (catalog === null) throw new Error(JSON.stringify(diagnostics));
  return { catalog, domain, mappings, credentials: true };
}

/** Two replicas on one store, each of which can be killed at any step, and the clock of all. */
export class Replicas {
  readonly turns = new Turns();
  readonly #ground: Ground;
  readonly #offer: readonly RegisteredCatalog[];
  #living: readonly Replica[] = [];
  /** connections of replicas that died, for those after them: opening others costs much */
  #idle: readonly Store[] = [];
  #now = Date.UTC(2026, 0, 5, 10);

  private constructor(ground: Ground, offer: readonly RegisteredCatalog[]) {
    this.#ground = ground;
    this.#offer = offer;
  }

  static async on(ground: Ground): Promise<Replicas> {
    const replicas = new Replicas(ground, [registered("quay"), registered("yard")]);
    await replicas.replaceDead();
    return replicas;
  }

  get now(): number {
    return this.#now;
  }

  get catalogs(): ReadonlyMap<string, Catalog> {
    return new Map(this.#offer.map(({ catalog }) => [catalog.entryId, catalog]));
  }

  advance(ms: number): void {
    this.#now += ms;
    this.#ground.advance?.(ms);
  }

  at(index: number): Replica {
    const found = this.#living[index % this.#living.length];
    if (found === undefined) throw new Error("No replica is open");
    return found;
  }

  /** Kills a replica where it stands: nothing of it is closed, nothing of it is waited for. */
  kill(index: number): void {
    this.at(index).life.dead = true;
  }

  /** A step is over: who has not died in it lives on. */
  spare(): void {
    for (const { life } of this.#living) life.endAt(null);
  }

  /**
   * All processes die. What a file holds is opened anew; a server, which lives on, has told all of its
   * connections the same.
   */
  async restart(): Promise<void> {
    for (const { life } of this.#living) life.dead = true;
    if (!this.#ground.apart) await this.#end();
    await this.replaceDead();
  }

  /** Makes others in the place of those that have died, on what the store holds. */
  async replaceDead(): Promise<void> {
    const { apart } = this.#ground;
    const before = this.#living;
    const gone = apart || before.every(({ life }) => !life.dead) ? before.filter(isDead) : before;
    if (gone.length === 0 && before.length > 0) return;
    const kept = before.filter((one) => !gone.includes(one));
    for (const { life } of gone) life.dead = true;
    const stores = await this.#stores(2 - kept.length);
    this.#living = [...kept, ...stores.map((store) => this.#replica(store))];
    await forget(gone);
    this.#idle = [...this.#idle, ...new Set(gone.map(({ store }) => store))];
  }

  async #stores(count: number): Promise<readonly Store[]> {
    const different = this.#ground.apart ? count : 1;
    const found = this.#idle.slice(0, different);
    this.#idle = this.#idle.slice(different);
    const open = () => this.#ground.open(() => this.#now);
    const missing = Array.from({ length: different - found.length }, open);
    const stores = [...found, ...(await Promise.all(missing))];
    // Of one process, both have one.
    return this.#ground.apart ? stores : Array.from({ length: count }, () => stores).flat();
  }

  async #end(): Promise<void> {
    const living = this.#living;
    const stores = new Set([...living.map(({ store }) => store), ...this.#idle]);
    [this.#living, this.#idle] = [[], []];
    for (const { life } of living) life.dead = true;
    await forget(living);
    await Promise.all([...stores].map((store) => store.close()));
  }

  #replica(store: Store): Replica {
    const life = new Life();
    const byId = new Map(this.#offer.map((entry) => [entry.catalog.entryId, entry]));
    const engine = createEngine({
      store: mortalStore(store, life, () => this.turns.pass()),
      registry: { list: () => this.#offer, get: (id) => byId.get(id) },
      ports: {
        transport: boatsApi(),
        secrets: {
          env: () => credentialOf(null),
          hosted: async (_key, { principal = null }) => credentialOf(principal),
        },
        clock: systemClock,
        ids: systemIds,
        functions: new Map(),
      },
      secretsOf: (caller, session) =>
        isDelegated(caller)
          ? usersSecrets(caller, session)
          : { credentials: { tenant: caller.scope } },
    });
    return { engine, life, store };
  }

  async close(): Promise<void> {
    await this.#end();
    await this.#ground.close();
  }
}

const isDead = ({ life }: Replica): boolean => life.dead;

/** Gives back timers of replicas; what they could not write is lost. */
async function forget(replicas: readonly Replica[]): Promise<void> {
  await Promise.all(replicas.map(({ engine }) => engine.close().catch(() => undefined)));
}
