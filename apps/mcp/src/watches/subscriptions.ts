import type { Caller, Engine } from "@plasm/agent-core";
import { parseResourceUri } from "@plasm/agent-core/internal";
import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";

/** Watches that one connection, or one stream, is told of. */
const MOST = 50;

interface OpenSubscription {
  /** how often it was added and not removed */
  times: number;
  readonly stop: AbortController;
  /** whether it is a watch that the caller may read */
  readonly begun: Promise<boolean>;
}

/**
 * The watches that a connection is told of, of those that its caller may read: `updated` hears once of each reading that found something
 * since the watch was added (WATCH-06).
 */
export class Subscriptions {
  readonly #engine: Engine;
  readonly #caller: Caller;
  readonly #updated: (uri: string) => void;
  readonly #open = new Map<string, OpenSubscription>();
  #closed = false;

  constructor(engine: Engine, caller: Caller, updated: (uri: string) => void) {
    this.#engine = engine;
    this.#caller = caller;
    this.#updated = updated;
  }

  /** Adds those of these that are watches which the caller may read, as far as there is room, and says which. */
  async add(uris: readonly string[]): Promise<readonly string[]> {
    const added: string[] = [];
    for (const uri of new Set(uris)) if (await this.#addOne(uri)) added.push(uri);
    return added;
  }

  /** Ends what `add` began, once for each time. */
  remove(uris: readonly string[]): void {
    for (const uri of uris) {
      const one = this.#open.get(uri);
      if (one === undefined) continue;
      one.times -= 1;
      if (one.times === 0) this.#end(uri);
    }
  }

  close(): void {
    this.#closed = true;
    for (const uri of this.#open.keys()) this.#end(uri);
  }

  #addOne(uri: string): Promise<boolean> {
    const address = parseResourceUri(uri);
    if (this.#closed || address?.kind !== "watch" || address.after !== null) {
      return Promise.resolve(false);
    }
    const known = this.#open.get(uri);
    if (known !== undefined) {
      known.times += 1;
      return known.begun;
    }
    if (this.#open.size >= MOST) return Promise.resolve(false);
    const stop = new AbortController();
    const begun = this.#begin(uri, address.id, stop.signal);
    this.#open.set(uri, { times: 1, stop, begun });
    return begun;
  }

  async #begin(uri: string, id: string, signal: AbortSignal): Promise<boolean> {
    const events = await this.#eventsOf(id, signal);
    if (events === null) this.#end(uri);
    else void this.#follow(uri, events);
    return events !== null;
  }

  /** What the watch finds from now on; null where the caller has no such watch. */
  async #eventsOf(id: string, signal: AbortSignal) {
    try {
      const { watch } = await this.#engine.schedules.find(this.#caller, id);
      if (watch === null) return null;
      const after = watch.last_event_id;
      return await this.#engine.schedules.follow(this.#caller, id, { after, signal });
    } catch {
      return null;
    }
  }

  async #follow(
    uri: string,
    events: Awaited<ReturnType<Engine["schedules"]["follow"]>>,
  ): Promise<void> {
    let told = -1;
    try {
      for await (const { reading } of events) {
        if (reading !== told) this.#updated(uri);
        told = reading;
      }
    } catch {
      // The store is out of reach, or the watch has gone: whoever reads the resource is told which.
    } finally {
      this.#end(uri);
    }
  }

  #end(uri: string): void {
    this.#open.get(uri)?.stop.abort();
    this.#open.delete(uri);
  }
}

/** Serves `resources/subscribe` of the 2025 protocols on a connection that stands (WATCH-06). */
export function serveSubscribing(server: Server, watched: Subscriptions): void {
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    if ((await watched.add([uri])).length === 1) return {};
    const text = `${JSON.stringify(uri)} is not told of. A watch of yours is, as plasm://watch/SCHEDULE_UUID, and up to 50 of them: see "plasm programs schedules", or GET /v1/schedules.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    watched.remove([uri]);
    return {};
  });
}
