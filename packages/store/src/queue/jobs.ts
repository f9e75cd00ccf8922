import type { OperationKey } from "@plasm/agent-core";
import type { ConstructorOptions, Job, PgBoss, Queue } from "pg-boss";

/** Where the jobs are, beside the store's schema. */
export const SCHEMA = "plasm_queue";
export const QUEUE = "operations";

/** How often jobs are asked for; news of a job bring that forward. */
const POLL_MS = 1_000;
/** How often a process says that it still has its jobs. */
const HEARTBEAT_MS = 1_000;
/** What pg-boss needs to bring the job of a dead process within 15 s: its heartbeat, this, the delay and a poll. */
const SETTINGS = {
  superviseIntervalSeconds: 2,
  monitorIntervalSeconds: 2,
  schedule: false,
  useListenNotify: false,
} as const;

/**
 * One job a name at a time. A job that failed is brought again a little later; one that failed too often
 * is sent again by whoever looks for what is left.
 */
const OPTIONS: Omit<Queue, "name"> = {
  policy: "exclusive",
  heartbeatSeconds: 10,
  // The most pg-boss allows: wall time is judged by the run itself (RUN-130).
  expireInSeconds: 24 * 3_600,
  retryLimit: 10,
  retryDelay: 1,
  deleteAfterSeconds: 3_600,
};

const CONNECTIONS = 3;
const QUERY_MS = 30_000;

export const jobName = ({ scope, id }: OperationKey): string => JSON.stringify([scope, id]);

type Warn = (what: string, cause: unknown) => void;

/** Starts pg-boss on a database, its schema and queue made where missing. */
export async function startBoss(url: string, makeSchema: boolean, warn: Warn): Promise<PgBoss> {
  const { PgBoss: Boss } = await import("pg-boss");
  const connection = { keepAlive: true, query_timeout: QUERY_MS, application_name: "plasm queue" };
  const options: ConstructorOptions = {
    ...SETTINGS,
    ...connection,
    connectionString: url,
    max: CONNECTIONS,
    schema: SCHEMA,
    createSchema: makeSchema,
  };
  const boss = new Boss(options);
  boss.on("error", (cause) => warn("The queue of operations could not be kept", cause));
  try {
    await boss.start();
    await boss.createQueue(QUEUE, OPTIONS);
    return boss;
  } catch (thrown) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw thrown;
  }
}

type OperationJob = Job<OperationKey>;

/** Settles and keeps only the attempt that was fetched, not one that another process has by now. */
const attemptOf = ({ id, retryCount }: OperationJob) => ({ id, retryCount });

/** Jobs that this process has: fetched, kept alive, and settled when their attempt is over. */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #run: (place: OperationKey) => Promise<void>;
  readonly #warn: Warn;
  readonly #most: number;
  readonly #underWay = new Map<OperationJob, Promise<void>>();
  readonly #poll: NodeJS.Timeout;
  readonly #heartbeat: NodeJS.Timeout;
  #fetching: Promise<void> | null = null;
  #again = false;
  #ailing = false;
  #stopped = false;

  constructor(
    boss: PgBoss,
    run: (place: OperationKey) => Promise<void>,
    { warn, most }: { readonly warn: Warn; readonly most: number },
  ) {
    this.#boss = boss;
    this.#run = run;
    this.#warn = warn;
    this.#most = most;
    this.#poll = setInterval(() => this.wake(), POLL_MS).unref();
    this.#heartbeat = setInterval(() => this.#keep(), HEARTBEAT_MS).unref();
    this.wake();
  }

  /** Asks for jobs now, or once more when it is being asked. */
  wake(): void {
    this.#again = true;
    if (this.#fetching !== null || this.#stopped) return;
    this.#fetching = this.#fetch()
      .catch((cause: unknown) =>
        this.#failed("Operations could not be taken from the queue", cause),
      )
      .finally(() => (this.#fetching = null));
  }

  /** Takes no more; resolves when those under way are over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    await this.#fetching;
    await Promise.all(this.#underWay.values());
    clearInterval(this.#heartbeat);
  }

  /** Told once, until it works again: it is tried every second. */
  #failed(what: string, cause: unknown): void {
    if (!this.#stopped && !this.#ailing) this.#warn(what, cause);
    this.#ailing = true;
  }

  async #fetch(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      const batchSize = this.#most - this.#underWay.size;
      if (batchSize === 0) return;
      const jobs = await this.#boss.fetch<OperationKey>(QUEUE, { batchSize });
      this.#ailing = false;
      for (const job of jobs) {
        const attempt = this.#attempt(job).finally(() => {
          this.#underWay.delete(job);
          this.wake();
        });
        this.#underWay.set(job, attempt);
      }
    }
  }

  async #attempt(job: OperationJob): Promise<void> {
    try {
      const failure = await this.#run(job.data).then(
        () => null,
        (cause: unknown) => ({ cause }),
      );
      if (failure === null) return void (await this.#boss.complete(QUEUE, attemptOf(job)));
      this.#warn("An operation could not be run", failure.cause);
      await this.#boss.fail(QUEUE, attemptOf(job));
    } catch (cause) {
      // Without its heartbeat it is brought again, and whoever gets it finds its record ended.
      this.#warn("An operation could not be taken off the queue", cause);
    }
  }

  #keep(): void {
    if (this.#underWay.size === 0) return;
    const held = [...this.#underWay.keys()].map(attemptOf);
    this.#boss
      .touch(QUEUE, held)
      .catch((cause: unknown) => this.#failed("Operations could not be kept in the queue", cause));
  }
}
