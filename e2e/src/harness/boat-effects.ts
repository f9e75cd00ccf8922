import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { seedsOf } from "./open-session.ts";

/** An API of boats with a log of its own: what was performed, in order, whoever says what of it. */
export interface BoatEffects {
  readonly url: string;
  /** `POST /boats/b1/ping`, … */
  readonly performed: readonly string[];
  /** how often it was asked for rows */
  readonly reads: () => number;
  /** From now on effects wait before they are performed, until `letGo`. */
  hold(): void;
  /** The same, and what is read is not answered either. */
  holdAll(): void;
  letGo(): void;
  close(): Promise<void>;
}

/** Starts it on loopback; `ms` is how long each effect takes. */
export async function startBoatEffects(ms = 0): Promise<BoatEffects> {
  const performed: string[] = [];
  let held: Promise<void> = Promise.resolve();
  let heldReads: Promise<void> = Promise.resolve();
  let letGo: () => void = () => undefined;
  let reads = 0;
  const hold = (): Promise<void> => {
    const before = letGo;
    held = new Promise((resolve) => {
      letGo = () => {
        before();
        resolve();
      };
    });
    return held;
  };
  const server = createServer({ keepAliveTimeout: 75_000 }, (incoming, outgoing) => {
    const answer = async (): Promise<void> => {
      if (incoming.method === "GET") {
        reads += 1;
        await heldReads;
        outgoing.writeHead(200, { "content-type": "application/json" });
        return void outgoing.end('{"items":[]}');
      }
      await held;
      performed.push(`${incoming.method} ${incoming.url}`);
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
      outgoing.writeHead(204).end();
    };
    void answer();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    performed,
    reads: () => reads,
    hold: () => void hold(),
    holdAll: () => void (heldReads = hold()),
    letGo: () => letGo(),
    close: () =>
      new Promise((resolve) => {
        letGo();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A program of so many pings, of boats that no other program names, and what the API performs of it. */
export function pingsOf(of: string, count: number) {
  const ids = Array.from({ length: count }, (_none, n) => `${of}-${n + 1}`);
  return {
    program: ids.map((id) => `Boat("${id}").ping()`).join("\n"),
    performed: ids.map((id) => `POST /boats/${id}/ping`),
  };
}

/** What a call was answered. */
export interface HttpAnswer {
  readonly status: number;
  readonly location: string;
  readonly text: string;
}

/** What a call sends besides its address. */
export interface HttpCall {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls HTTP as a client that knows nothing else; rejects where the connection does. */
export async function call(
  server: string,
  method: string,
  path: string,
  { body, headers = {} }: HttpCall = {},
): Promise<HttpAnswer> {
  const response = await fetch(`${server}${path}`, {
    method,
    redirect: "manual",
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const location = response.headers.get("location") ?? "";
  return { status: response.status, location, text: await response.text() };
}

export const post = (server: string, path: string, body: object): Promise<HttpAnswer> =>
  call(server, "POST", path, { body });

/** Opens a session on boats and gives its path. */
export async function boatSession(server: string, intent: string): Promise<string> {
  const seeds = seedsOf("quay", "Boat");
  const opened = await post(server, "/execute", { intent, seeds, notation: "names" });
  if (opened.location === "") throw new Error(`no session: ${opened.status} ${opened.text}`);
  return opened.location;
}

/** Whether an answer says that what was asked for goes on. */
export const goesOn = ({ text }: HttpAnswer): boolean => /"op":\{[^{}]*"~":"[+~=]"/.test(text);

/** The end of an operation that was accepted, asked for until it has come or `ms` have passed. */
export async function endOf(
  server: string,
  session: string,
  accepted: HttpAnswer,
  ms: number,
): Promise<HttpAnswer> {
  const handle = accepted.location.split("/").at(-1) ?? "";
  const until = Date.now() + ms;
  for (;;) {
    const told = await post(server, session, { program: `wait(${handle})`, wait: true });
    if (!goesOn(told) || Date.now() > until) return told;
  }
}
