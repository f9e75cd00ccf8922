import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { seedsOf } from "./open-session.ts";

/** How an operation stands, as one of those who are told of it has it. */
export interface Standing {
  readonly n: number;
  /** the signal of its line (OPS-18) */
  readonly signal: string;
}

interface Meta {
  readonly plasm?: {
    readonly logical_session_ref?: string;
    readonly execute_binding?: { readonly prompt_hash: string; readonly session_id: string };
    readonly op?: { readonly n: number; readonly "~": string };
  };
}

/** One agent at one server, which is told of an operation in every way there is. */
export interface Follower {
  /** MCP: calls `plasm_run`; the handle in its answer */
  run(program: string, more?: object): Promise<string>;
  /** MCP: what `wait(h)` or `cancel(h)` tells */
  poll(program: string, more?: object): Promise<Standing>;
  /** HTTP: the same, asked as a program */
  post(program: string, more?: object): Promise<Standing>;
  /** HTTP: how the operation stands */
  view(handle: string): Promise<Standing>;
  /** HTTP: the last event of its stream, once that has ended */
  stream(handle: string): Promise<Standing>;
  /** MCP: the last notification of it; null before the first */
  notified(handle: string): Standing | null;
  close(): Promise<void>;
}

function standingOf(op: { readonly n: number; readonly "~": string } | undefined): Standing {
  if (op === undefined) throw new Error("An answer tells nothing of an operation");
  return { n: op.n, signal: op["~"] };
}

/** `s0_o1 x step 3/8`. */
const signalIn = (line: string): string => line.split(" ")[1] ?? "";

const lastOf = (text: string, pattern: RegExp): string =>
  [...text.matchAll(pattern)].at(-1)?.[1] ?? "";

interface Opened {
  readonly ref: string;
  /** address of its execute session */
  readonly place: string;
}

async function open(client: Client, url: string, intent: string): Promise<Opened> {
  const args = { intent, seeds: seedsOf("quay", "Boat"), notation: "names" };
  const { _meta: meta } = await client.callTool({ name: "plasm_context", arguments: args });
  const { logical_session_ref: ref, execute_binding: binding } = (meta as Meta).plasm ?? {};
  if (ref === undefined || binding === undefined) throw new Error("No session was opened");
  return { ref, place: `${url}/execute/${binding.prompt_hash}/${binding.session_id}` };
}

async function overHttp(place: string, program: string, more: object): Promise<Standing> {
  const response = await fetch(place, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ program, ...more }),
  });
  const body = (await response.json()) as Meta["plasm"] & { readonly _meta?: Meta };
  return standingOf(body.op ?? body._meta?.plasm?.op);
}

/** Connects an agent of the one principal to a server, with a session for an intent. */
export async function follow(url: string, intent: string): Promise<Follower> {
  const client = new Client(
    { name: "follower", version: "1" },
    { versionNegotiation: { mode: "legacy" } },
  );
  const notes: { readonly line: string; readonly n: number }[] = [];
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (method === "notifications/plasm/op")
      notes.push(params as unknown as (typeof notes)[number]);
  };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url)));
  const { ref, place } = await open(client, url, intent);
  const call = (program: string, more: object) =>
    client.callTool({
      name: "plasm_run",
      arguments: { logical_session_ref: ref, program, ...more },
    });
  return {
    run: async (program, more = {}) => {
      const text = JSON.stringify((await call(program, more)).content);
      const [, handle] = /wait\((\w+)\)/.exec(text) ?? [];
      if (handle === undefined) throw new Error(`no handle in ${text}`);
      return handle;
    },
    poll: async (program, more = {}) =>
      standingOf(((await call(program, more))._meta as Meta).plasm?.op),
    post: (program, more = {}) => overHttp(place, program, more),
    view: async (handle) => {
      const response = await fetch(`${place}/operations/${handle}`);
      return standingOf(((await response.json()) as NonNullable<Meta["plasm"]>).op);
    },
    stream: async (handle) => {
      const text = await (await fetch(`${place}/operations/${handle}/stream`)).text();
      const n = Number(lastOf(text, /^id: (\d+)$/gm));
      return { n, signal: signalIn(lastOf(text, /^data: (.*)$/gm)) };
    },
    notified: (handle) => {
      const last = notes.findLast(({ line }) => line.startsWith(`${handle} `));
      return last === undefined ? null : { n: last.n, signal: signalIn(last.line) };
    },
    close: () => client.close(),
  };
}
