import type { Client } from "pg";
import { readAddress } from "./address.ts";
import { openingError } from "./postgres-error.ts";

/**
 * Short news between the processes on one database, over LISTEN and NOTIFY. It holds no truth and may
 * lose some: who polls the store misses nothing without it, and only learns things later.
 */
export interface News {
  /** Tells every process, this one too. News that could not be sent yet are told once each. */
  announce(text: string): void;
  /**
   * Calls `heard` with each news, with null where some may have been missed: after a connection was
   * lost, and for a text that is too long to be sent. The function it gives ends that.
   */
  listen(heard: (text: string | null) => void): () => void;
  stop(): Promise<void>;
}

/** How news among replicas is listened to. */
export interface NewsOptions {
  /** as the store's */
  readonly url: string;
  /** how long the first pause before a new connection is, in ms; 10 s at most in the end */
  readonly firstPauseMs?: number;
}

const CHANNEL = "plasm_news";
/** PostgreSQL's own limit, in bytes. */
const LONGEST = 7_999;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** More than that while there is no connection are told as one. */
const MOST_UNSENT = 1_000;
/** How often a connection that says nothing is asked whether it still is one. */
const LOOK_MS = 10_000;
const ANSWER_MS = 10_000;

const NOTIFY = `select pg_notify('${CHANNEL}', text) from unnest($1::text[]) as text`;

async function connect(url: string): Promise<Client> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    application_name: "plasm news",
    keepAlive: true,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    connectionString: url,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    return client;
  } catch (thrown) {
    void client.end().catch(() => undefined);
    throw thrown;
  }
}

class PostgresNews implements News {
  readonly #url: string;
  readonly #firstPauseMs: number;
  readonly #listeners = new Set<(text: string | null) => void>();
  readonly #unsent = new Set<string>();
  #client: Client | null = null;
  #sending = false;
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(url: string, firstPauseMs: number) {
    this.#url = url;
    this.#firstPauseMs = firstPauseMs;
  }

  announce(text: string): void {
    if (this.#stopped) return;
    this.#keep(text);
    void this.#send();
  }

  listen(heard: (text: string | null) => void): () => void {
    this.#listeners.add(heard);
    return () => void this.#listeners.delete(heard);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#listeners.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#client?.end();
  }

  /** Takes a connection into use; another takes its place when it is lost. */
  use(client: Client): void {
    this.#client = client;
    client.on("notification", ({ payload = "" }) => this.#tell(payload === "" ? null : payload));
    client.once("end", () => this.#lost(client));
    this.#lookLater(client);
    void this.#send();
  }

  #tell(text: string | null): void {
    for (const heard of this.#listeners) heard(text);
  }

  /** The empty text tells to look, in place of a text too long and of more than are kept. */
  #keep(text: string): void {
    if (this.#unsent.has("")) return;
    const many = this.#unsent.size >= MOST_UNSENT;
    if (many) this.#unsent.clear();
    this.#unsent.add(many || Buffer.byteLength(text) > LONGEST ? "" : text);
  }

  async #send(): Promise<void> {
    const client = this.#client;
    if (client === null || this.#sending) return;
    this.#sending = true;
    let texts: readonly string[] = [];
    try {
      while (this.#unsent.size > 0) {
        texts = [...this.#unsent];
        this.#unsent.clear();
        await client.query(NOTIFY, [texts]);
      }
    } catch {
      for (const text of texts) this.#keep(text);
      this.#drop(client);
    } finally {
      this.#sending = false;
    }
  }

  #later(ms: number, work: () => void): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(work, ms).unref();
  }

  #lookLater(client: Client): void {
    this.#later(LOOK_MS, () => {
      client.query("select 1").then(
        () => this.#client === client && this.#lookLater(client),
        () => this.#drop(client),
      );
    });
  }

  /** Ends a connection that does not answer; its end brings the next. */
  #drop(client: Client): void {
    void client.end().catch(() => undefined);
    this.#lost(client);
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#again(this.#firstPauseMs);
  }

  #again(pauseMs: number): void {
    this.#later(pauseMs * (0.5 + Math.random()), () => {
      connect(this.#url).then(
        (client) => {
          if (this.#stopped) return void client.end().catch(() => undefined);
          this.use(client);
          this.#tell(null);
        },
        () => this.#again(Math.min(LONGEST_PAUSE_MS, pauseMs * 2)),
      );
    });
  }
}

/**
 * Listens to the news of a database on a connection of its own, which no pooler in transaction mode may
 * stand before. Throws StoreUnavailableError if the first connection cannot be made; later ones are made
 * again until one is.
 */
export async function openPostgresNews(options: NewsOptions): Promise<News> {
  const address = await readAddress(options.url);
  const news = new PostgresNews(options.url, options.firstPauseMs ?? FIRST_PAUSE_MS);
  try {
    news.use(await connect(options.url));
    return news;
  } catch (thrown) {
    throw openingError(address, thrown);
  }
}
