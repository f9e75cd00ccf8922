import type { OperationKey, OperationQueue } from "@plasm/agent-core";
import type { PgBoss } from "pg-boss";
import { randomUUID } from "node:crypto";
import { readAddress } from "../postgres/address.ts";
import { type News, openPostgresNews } from "../postgres/news.ts";
import { openPool } from "../postgres/pool.ts";
import { openingError } from "../postgres/postgres-error.ts";
import { Jobs, jobName, QUEUE, SCHEMA, startBoss } from "./jobs.ts";

/** How operations are handed out among replicas. */
export interface PostgresQueueOptions {
  /** as the store's, on which the operations are */
  readonly url: string;
  /** operations that this process runs at a time, 32 by default */
  readonly most?: number;
  /** what an operator should know of */
  readonly warn?: (what: string, cause: unknown) => void;
}

/** All that a tenant may have unless the host says otherwise (OPS-14). */
const MOST = 32;

/** Says that there is a job; no operation's name is that. */
const JOB = "job";

const ignore = (): void => undefined;

class PostgresQueue implements OperationQueue {
  readonly #boss: PgBoss;
  readonly #news: News;
  readonly #options: PostgresQueueOptions;
  readonly #warn: (what: string, cause: unknown) => void;
  readonly #listeners = new Map<string, Set<() => void>>();
  /** this process among those on the database */
  readonly #self = randomUUID();
  readonly #overhearing = new Set<(place: OperationKey) => void>();
  #jobs: Jobs | null = null;
  #stopping: Promise<void> | null = null;

  constructor(boss: PgBoss, news: News, options: PostgresQueueOptions) {
    this.#boss = boss;
    this.#news = news;
    this.#options = options;
    this.#warn = options.warn ?? ignore;
    news.listen((text) => this.#heard(text));
  }

  work(run: (place: OperationKey) => Promise<void>): void {
    const { most = MOST } = this.#options;
    this.#jobs = new Jobs(this.#boss, run, { warn: this.#warn, most });
  }

  async submit(place: OperationKey): Promise<void> {
    const { scope, id } = place;
    try {
      // One that is in the queue already, or under way, is not sent twice.
      await this.#boss.send(QUEUE, { scope, id }, { singletonKey: jobName(place) });
      this.#jobs?.wake();
      this.#news.announce(`${this.#self} ${JOB}`);
    } catch (cause) {
      // Its record is stored: whoever looks for what is left sends it again.
      this.#warn("An operation could not be put into the queue", cause);
    }
  }

  /** Those of this process hear it now, others a little later. */
  announce(place: OperationKey): void {
    const name = jobName(place);
    this.#tell(name);
    this.#news.announce(`${this.#self} ${name}`);
  }

  listen(place: OperationKey, heard: () => void): () => void {
    const name = jobName(place);
    const all = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, all.add(heard));
    return () => {
      all.delete(heard);
      if (all.size === 0 && this.#listeners.get(name) === all) this.#listeners.delete(name);
    };
  }

  overhear(heard: (place: OperationKey) => void): () => void {
    this.#overhearing.add(heard);
    return () => void this.#overhearing.delete(heard);
  }

  async rest(): Promise<void> {
    await this.#jobs?.stop();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    await this.rest();
    await this.#news.stop();
    await this.#boss.stop({ graceful: false });
  }

  #heard(text: string | null): void {
    if (text === null) {
      this.#jobs?.wake();
      for (const all of this.#listeners.values()) for (const heard of all) heard();
      return;
    }
    const sender = text.slice(0, this.#self.length);
    const name = text.slice(sender.length + 1);
    if (sender === this.#self) return;
    if (name === JOB) this.#jobs?.wake();
    else this.#tell(name);
  }

  #tell(name: string): void {
    for (const heard of this.#listeners.get(name) ?? []) heard();
    if (this.#overhearing.size === 0) return;
    const [scope, id] = JSON.parse(name) as readonly [string, string];
    for (const heard of this.#overhearing) heard({ scope, id });
  }
}

/** A user may have a schema of its own in a database where it may make none. */
async function isThere(url: string): Promise<boolean> {
  const pool = await openPool({ url, max: 1 });
  try {
    const { rows } = await pool.query("select 1 from pg_namespace where nspname = $1", [SCHEMA]);
    return rows.length > 0;
  } finally {
    await pool.end();
  }
}

/**
 * Opens the queue that replicas share, on the database of their store (OPS-31): a job an operation, which
 * one process has at a time, and news of operations to all. It holds no truth. Throws StoreUnavailableError.
 */
export async function openPostgresQueue(options: PostgresQueueOptions): Promise<OperationQueue> {
  const { url, warn = ignore } = options;
  const address = await readAddress(url);
  const news = await openPostgresNews({ url });
  try {
    const boss = await startBoss(url, !(await isThere(url)), warn);
    return new PostgresQueue(boss, news, options);
  } catch (thrown) {
    await news.stop();
    throw openingError(address, thrown);
  }
}
