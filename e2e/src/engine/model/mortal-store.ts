import type { Store, StoreOps } from "@plasm/agent-core";

/** How a replica loses its store: at which of its calls, and whether that call is still made. */
export interface Death {
  readonly at: number;
  readonly when: "before" | "after";
}

/** The life of one replica's connection to its store. */
export class Life {
  dead = false;
  #calls = 0;
  #death: Death | null = null;

  /** Lets it end at the n-th store call from now, or not at all. */
  endAt(death: Death | null): void {
    this.#calls = 0;
    this.#death = death;
  }

  /** Makes a call, unless the connection has failed or fails before or after it. */
  async call<T>(work: () => Promise<T>): Promise<T> {
    this.#check();
    this.#calls += 1;
    const death = this.#death !== null && this.#calls >= this.#death.at ? this.#death : null;
    if (death?.when === "before") this.dead = true;
    this.#check();
    const result = await work();
    // It may have been spared meanwhile.
    if (death !== null && death === this.#death) this.dead = true;
    this.#check();
    return result;
  }

  #check(): void {
    if (this.dead) throw new Error("The connection to the store has failed");
  }
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;

const UNTOUCHED = new Set(["now", "foreignChanges", "close", "transaction"]);

function around<T extends StoreOps>(ops: T, call: (work: Method) => Method): T {
  const methods = Object.entries(ops).map(([name, method]: [string, unknown]) => [
    name,
    UNTOUCHED.has(name) ? method : call(method as Method),
  ]);
  return { ...ops, ...(Object.fromEntries(methods) as Partial<T>) };
}

/**
 * The same store over a connection that may fail at any call, those within a transaction included. Each
 * call waits for its turn first; `close` leaves the store open, for it is shared.
 */
export function mortalStore(store: Store, life: Life, pass: () => Promise<void>): Store {
  const living =
    (work: Method): Method =>
    (...args) =>
      life.call(() => work(...args));
  const outer = around(store, (work) => async (...args) => {
    await pass();
    return living(work)(...args);
  });
  return {
    ...outer,
    transaction: async <T>(work: (tx: StoreOps) => Promise<T>): Promise<T> => {
      await pass();
      return life.call(() => store.transaction((tx) => work(around(tx, living))));
    },
    close: async () => undefined,
  };
}
