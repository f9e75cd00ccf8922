import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startSampleApis } from "@plasm/sample-apis";
import { startCountingProxy } from "../harness/counting-proxy.ts";
import { type Hold, Lock } from "./lock.ts";

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

/** The quay API behind doors that can hold a request while its sender dies: one for each host. */
export interface Harbour {
  /** where each host finds it */
  readonly doors: readonly string[];
  /** writes that were performed, in order: `create`, `update b1`, `ping b1`, `send b1`, `delete b1` */
  performed(): readonly string[];
  /** as the register's file has it */
  register(): Promise<Register>;
  /** Enters a boat without anybody else's doing. */
  enter(name: string): Promise<string>;
  /** Holds a request; `held` resolves when it is there, with the door by which it came. */
  hold(which: Hold): void;
  readonly held: Promise<number>;
  /** Lets it go; resolves when it was performed or is lost. */
  release(): Promise<void>;
  /** the door by which the last request came; null before the first */
  readonly lastDoor: number | null;
  /** Forgets all requests. */
  forget(): void;
  close(): Promise<void>;
}

const VERBS: Readonly<Record<string, string>> = { messages: "send", ping: "ping" };

function nameOf(method: string, path: string): string {
  const [id = "", verb = ""] = path.split("/").slice(2);
  if (method === "POST") return id === "" ? "create" : `${VERBS[verb]} ${id}`;
  return `${method === "PATCH" ? "update" : "delete"} ${id}`;
}

async function enterAt(url: string, name: string): Promise<string> {
  const response = await fetch(`${url}/boats`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, owner: "ann" }),
  });
  if (!response.ok) throw new Error(`${name} could not be entered: ${response.status}`);
  return ((await response.json()) as { readonly id: string }).id;
}

/** Starts the API on its own directory, with so many doors. */
export async function startHarbour(dataDir: string, doorCount: number): Promise<Harbour> {
  const lock = new Lock();
  let lastDoor: number | null = null;
  const apis = await startSampleApis({ dataDir, ports: { quay: 0, yard: 0 } });
  const doors = await Promise.all(
    Array.from({ length: doorCount }, (_, door) =>
      startCountingProxy(apis.quay.url, {
        arrived: (request) => {
          lastDoor = door;
          return lock.arrived(request, door);
        },
        answered: (request) => lock.answered(request, door),
      }),
    ),
  );
  return {
    doors: doors.map(({ url }) => url),
    performed: () =>
      apis.requests
        .filter(({ method }) => method !== "GET")
        .map(({ method, path }) => nameOf(method, path)),
    register: async () =>
      JSON.parse(await readFile(join(dataDir, "quay.json"), "utf8")) as Register,
    enter: (name) => enterAt(apis.quay.url, name),
    hold: (which) => lock.hold(which),
    get held() {
      return lock.held;
    },
    release: () => lock.release(),
    get lastDoor() {
      return lastDoor;
    },
    forget: () => {
      apis.forgetRequests();
      lock.forget();
      lastDoor = null;
    },
    close: async () => {
      await Promise.all(doors.map((door) => door.close()));
      await apis.close();
    },
  };
}
