import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startSampleApis } from "@plasm/sample-apis";
import { startCountingProxy } from "./counting-proxy.ts";
import { deferred, type Deferred } from "./deferred.ts";

/** Which write to hold, and where: when it arrives, or when it is done and the answer is on its way. */
export interface Hold {
  readonly when: "arrived" | "answered";
  /** counted from 1 since the last `forget` */
  readonly write: number;
  /** of one that has arrived: whether it is performed when it is let go */
  readonly lost: boolean;
}

/** What the register itself says, from its own file. */
export interface Register {
  readonly boats: readonly {
    readonly id: string;
    readonly name: string;
    readonly note: string | null;
    readonly pings: number;
  }[];
  readonly messages: readonly { readonly boat: string; readonly to: string }[];
}

/** The quay API behind a proxy that can hold a write while its sender dies. */
export interface Harbour {
  readonly url: string;
  /** writes that were performed, in order: `create`, `update b1`, `ping b1`, `send b1`, `delete b1` */
  performed(): readonly string[];
  /** as the register's file has it */
  register(): Promise<Register>;
  /** Enters a boat without anybody else's doing. */
  enter(name: string): Promise<string>;
  /** Holds a write; `held` resolves when it is there. */
  hold(which: Hold): void;
  readonly held: Promise<void>;
  /** Lets it go; resolves when it was performed or is lost. */
  release(): Promise<void>;
  /** Forgets all writes. */
  forget(): void;
  close(): Promise<void>;
}

const VERBS: Readonly<Record<string, string>> = { messages: "send", ping: "ping" };

function nameOf(method: string, path: string): string {
  const [id = "", verb = ""] = path.split("/").slice(2);
  if (method === "POST") return id === "" ? "create" : `${VERBS[verb]} ${id}`;
  return `${method === "PATCH" ? "update" : "delete"} ${id}`;
}

interface Held {
  readonly which: Hold;
  readonly reached: Deferred;
  readonly letGo: Deferred;
  /** what was held has been performed, or never will be */
  readonly settled: Deferred;
}

/** Holds at most one write at a time. */
class Lock {
  #held: Held | null = null;
  #arrived = 0;

  get held(): Promise<void> {
    return this.#held?.reached.promise ?? Promise.reject(new Error("nothing is to be held"));
  }

  hold(which: Hold): void {
    this.#held = { which, reached: deferred(), letGo: deferred(), settled: deferred() };
  }

  async release(): Promise<void> {
    const held = this.#held;
    held?.letGo.resolve();
    await held?.settled.promise;
    this.#held = null;
  }

  forget(): void {
    this.#arrived = 0;
  }

  async arrived(): Promise<void> {
    this.#arrived += 1;
    const held = this.#heldAt("arrived");
    if (held === null) return;
    held.reached.resolve();
    await held.letGo.promise;
    if (!held.which.lost) return;
    held.settled.resolve();
    throw new Error("lost on its way");
  }

  async answered(): Promise<void> {
    const held = this.#held;
    if (held === null || held.which.write !== this.#arrived) return;
    held.settled.resolve();
    if (held.which.when !== "answered") return;
    held.reached.resolve();
    await held.letGo.promise;
  }

  #heldAt(when: Hold["when"]): Held | null {
    const held = this.#held;
    return held?.which.when === when && held.which.write === this.#arrived ? held : null;
  }
}

const isWrite = (request: string): boolean => !request.startsWith("GET ");

/** Starts the API on its own directory. */
export async function startHarbour(dataDir: string): Promise<Harbour> {
  const lock = new Lock();
  const apis = await startSampleApis({ dataDir, ports: { quay: 0, yard: 0 } });
  const proxy = await startCountingProxy(apis.quay.url, {
    arrived: async (request) => (isWrite(request) ? lock.arrived() : undefined),
    answered: async (request) => (isWrite(request) ? lock.answered() : undefined),
  });
  const forget = (): void => {
    apis.forgetRequests();
    lock.forget();
  };
  return {
    url: proxy.url,
    performed: () =>
      apis.requests
        .filter(({ method }) => method !== "GET")
        .map(({ method, path }) => nameOf(method, path)),
    register: async () =>
      JSON.parse(await readFile(join(dataDir, "quay.json"), "utf8")) as Register,
    enter: async (name) => {
      const response = await fetch(`${apis.quay.url}/boats`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name, owner: "ann" }),
      });
      if (!response.ok) throw new Error(`${name} could not be entered: ${response.status}`);
      return ((await response.json()) as { readonly id: string }).id;
    },
    hold: (which) => lock.hold(which),
    get held() {
      return lock.held;
    },
    release: () => lock.release(),
    forget,
    close: async () => {
      await proxy.close();
      await apis.close();
    },
  };
}
