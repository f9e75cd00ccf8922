import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CountingProxy, startCountingProxy } from "../harness/counting-proxy.ts";
import { plasmServe, type PlasmOptions } from "../harness/plasm-command.ts";
import { startPlasmServer, type PlasmServer } from "../harness/plasm-server.ts";
import { openRawMcp } from "../harness/raw-mcp.ts";

/** A read that is held, and an effect that waits for it. */
const PROGRAM = 'Boat{owner="ann"}.limit(1) => _.update(note="cancelled too late")';
const RUN = { program: PROGRAM, force: true, wait: true };
const SEEDS = [{ api: "quay", entity: "Boat" }];

let dir: string;
let apis: SampleApis;
let proxy: CountingProxy;
let options: PlasmOptions;
let server: PlasmServer;
const clients: Client[] = [];

let held: Promise<void> = Promise.resolve();
let letGo: () => void = () => undefined;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-cancels-"));
  apis = await startSampleApis({ dataDir: join(dir, "apis"), ports: { quay: 0, yard: 0 } });
  proxy = await startCountingProxy(apis.quay.url, { arrived: () => held });
  options = {
    dataDir: join(dir, "data"),
    catalogs: [fixtureCatalogDir("quay")],
    env: { PLASM_BACKEND_QUAY: proxy.url },
  };
  server = await startPlasmServer(options);
});

afterAll(async () => {
  letGo();
  for (const client of clients) await client.close();
  await server.stop();
  await proxy.close();
  await apis.close();
  await rm(dir, { recursive: true, force: true });
});

interface Runs {
  readonly runs: readonly { readonly state: string; readonly effects: readonly object[] }[];
}

/** What is kept of the runs of an intent's session, as HTTP lists it. */
async function runsOf(intent: string): Promise<Runs["runs"]> {
  const opened = await fetch(`${server.url}/execute`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ intent, seeds: SEEDS }),
  });
  const listed = await fetch(`${server.url}${opened.headers.get("location")}/runs`);
  return ((await listed.json()) as Runs).runs;
}

/** A call of plasm_run under way; what ends it early, and its answer, if anybody still waits for one. */
interface Call {
  readonly stop: () => Promise<unknown>;
  readonly answer: Promise<unknown>;
}

const open = (intent: string) => ({ intent, seeds: SEEDS, notation: "names" });
const refIn = (result: object): string =>
  /logical_session_ref":"(s\d+)"/.exec(JSON.stringify(result))?.[1] ?? "";

async function bySdk(client: Client, intent: string): Promise<Call> {
  clients.push(client);
  const opened = await client.callTool({ name: "plasm_context", arguments: open(intent) });
  const abort = new AbortController();
  const args = { logical_session_ref: refIn(opened), ...RUN };
  const call = client.callTool({ name: "plasm_run", arguments: args }, { signal: abort.signal });
  return { stop: async () => abort.abort("not wanted"), answer: call.catch(() => null) };
}

const sdkClient = (era: "2025" | "2026"): Client =>
  new Client(
    { name: "cancels", version: "1" },
    { versionNegotiation: { mode: era === "2025" ? "legacy" : { pin: "2026-07-28" } } },
  );

const overHttp = (era: "2025" | "2026") => async (intent: string) => {
  const client = sdkClient(era);
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url)));
  return bySdk(client, intent);
};

const overStdio = (era: "2025" | "2026") => async (intent: string) => {
  const { command, args, env } = plasmServe(options, ["--stdio"]);
  const client = sdkClient(era);
  const spawned = { command, args: [...args], env: { ...env } };
  await client.connect(new StdioClientTransport({ ...spawned, stderr: "inherit" }));
  return bySdk(client, intent);
};

/** 2025 over HTTP: the response is closed, and no message is sent. */
async function closed2025(intent: string): Promise<Call> {
  const mcp = await openRawMcp(server.url);
  const opened = await mcp.call(1, "plasm_context", open(intent));
  const abort = new AbortController();
  const args = { logical_session_ref: refIn(opened), ...RUN };
  const answer = mcp.call(2, "plasm_run", args, abort.signal).catch(() => null);
  return { stop: async () => abort.abort(), answer };
}

async function plainHttp(intent: string): Promise<Call> {
  const headers = { "content-type": "application/json" };
  const send = (path: string, body: object, signal?: AbortSignal) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      redirect: "manual",
      headers,
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  const session = (await send("/execute", open(intent))).headers.get("location") ?? "";
  const abort = new AbortController();
  const answer = send(session, RUN, abort.signal).catch(() => null);
  return { stop: async () => abort.abort(), answer };
}

const CASES = [
  { what: "a cancel message, 2025 over HTTP", call: overHttp("2025"), state: "cancelled" },
  { what: "a cancel message, 2025 over stdio", call: overStdio("2025"), state: "cancelled" },
  { what: "a cancel message, 2026-07-28 over stdio", call: overStdio("2026"), state: "cancelled" },
  { what: "a closed response, 2026-07-28", call: overHttp("2026"), state: "cancelled" },
  { what: "a closed response, plain HTTP", call: plainHttp, state: "cancelled" },
  { what: "a closed response alone, 2025", call: closed2025, state: "succeeded" },
];

test.each(CASES)("F25 OPS-11 $what: the run is $state", async ({ what, call, state }) => {
  held = new Promise((resolve) => (letGo = resolve));
  proxy.forgetRequests();
  const { stop, answer } = await call(what);
  await expect.poll(() => proxy.requests.length, { timeout: 20_000 }).toBe(1);
  await stop();
  // A cancelled run ends though its read is never answered; the other one waits for it.
  if (state === "succeeded") letGo();
  const stateOf = async () => (await runsOf(what))[0]?.state;
  await expect.poll(stateOf, { timeout: 20_000 }).toBe(state);
  letGo();
  const [run] = await runsOf(what);
  const statuses = run?.effects.map((effect) => (effect as { status: string }).status);
  expect(statuses).toEqual(state === "succeeded" ? ["done"] : ["skipped"]);
  const patches = proxy.requests.filter((request) => request.startsWith("PATCH"));
  expect(patches).toHaveLength(state === "succeeded" ? 1 : 0);
  await answer;
});
