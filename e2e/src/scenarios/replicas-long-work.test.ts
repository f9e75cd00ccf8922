import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import { createDatabase, type TestDatabase } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type CountingProxy, startCountingProxy } from "../harness/counting-proxy.ts";
import { seedsOf } from "../harness/open-session.ts";
import { openRawMcp } from "../harness/raw-mcp.ts";
import { startPlasmServer, type PlasmServer } from "../harness/plasm-server.ts";

/** A lease that has 30 s left, and what else may take time on a busy machine (OPS-31). */
const TAKEN_OVER_MS = 90_000;
const PATIENCE = { timeout: TAKEN_OVER_MS, interval: 100 };

/** Paged, and nothing of its condition is sent: expensive, so that nobody waits for it (OPS-9). */
const LONG = "long = Boat{length>10}[id, name]\nlong";

/** A server with a way of its own to the API, so that it shows whose request arrives. */
interface Replica {
  readonly server: PlasmServer;
  readonly proxy: CountingProxy;
  alive: boolean;
}

let dir: string;
let apis: SampleApis;
let database: TestDatabase;
let replicas: readonly [Replica, Replica];

/** Requests wait here until the test lets them go on. */
let held: Promise<void> = Promise.resolve();
let letGo: () => void = () => undefined;
const hold = (): void => {
  held = new Promise((resolve) => (letGo = resolve));
};

/** With a data directory of its own, like a machine of its own. */
async function start(name: string): Promise<Replica> {
  const proxy = await startCountingProxy(apis.quay.url, { arrived: () => held });
  const server = await startPlasmServer({
    dataDir: join(dir, name),
    catalogs: [fixtureCatalogDir("quay")],
    env: { PLASM_BACKEND_QUAY: proxy.url, PLASM_DATABASE_URL: database.url },
  });
  return { server, proxy, alive: true };
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-replicas-long-"));
  [apis, database] = await Promise.all([
    startSampleApis({ dataDir: join(dir, "apis"), ports: { quay: 0, yard: 0 } }),
    createDatabase(inject("postgresUrl")),
  ]);
  replicas = await Promise.all([start("a"), start("b")]);
});

afterAll(async () => {
  letGo();
  await Promise.all(replicas.map(async ({ server, alive }) => alive && (await server.stop())));
  await Promise.all(replicas.map(({ proxy }) => proxy.close()));
  await apis.close();
  await database.drop();
  await rm(dir, { recursive: true, force: true });
});

interface Told {
  readonly status: number;
  readonly location: string;
  readonly text: string;
  readonly body: {
    readonly op?: { readonly "~": string };
    readonly results?: readonly { readonly rows: unknown }[];
  };
}

async function post({ server }: Replica, path: string, body: object): Promise<Told> {
  const response = await fetch(`${server.url}${path}`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const location = response.headers.get("location") ?? "";
  return { status: response.status, location, text, body: text === "" ? {} : JSON.parse(text) };
}

/** An operation that one replica has accepted, as any of them is asked of it. */
interface Accepted {
  readonly handle: string;
  readonly program: (replica: Replica, program: string, more?: object) => Promise<Told>;
  /** all of its stream, once that has ended */
  readonly stream: (replica: Replica) => Promise<string>;
}

async function accept(replica: Replica): Promise<Accepted> {
  for (const { proxy } of replicas) proxy.forgetRequests();
  const { location: session } = await post(replica, "/execute", { seeds: seedsOf("quay", "Boat") });
  const told = await post(replica, session, { program: LONG, force: true, wait: false });
  expect(told, told.text).toMatchObject({ status: 202, body: { op: { n: 1, "~": "+" } } });
  return {
    handle: told.location.split("/").at(-1) ?? "",
    program: (asked, program, more = {}) => post(asked, session, { program, ...more }),
    stream: async ({ server }) => (await fetch(`${server.url}${told.location}/stream`)).text(),
  };
}

/** The replica whose request is held, and the other. */
async function runnerOf(): Promise<readonly [Replica, Replica]> {
  const [one, other] = replicas;
  const sent = (): number => one.proxy.requests.length + other.proxy.requests.length;
  await expect.poll(sent, PATIENCE).toBe(1);
  return one.proxy.requests.length > 0 ? [one, other] : [other, one];
}

const rowsOf = ({ body }: Told): unknown => body.results?.map(({ rows }) => rows);

const signalOf = ({ body }: Told): string | undefined => body.op?.["~"];

/** From how it stands to its end, with numbers that never go back (OPS-22, OPS-33). */
function expectWholeStream(text: string, handle: string): void {
  expect(text).toMatch(new RegExp(`^event: snapshot\\nid: \\d+\\ndata: ${handle} [+~=]`));
  expect(text).toMatch(
    new RegExp(`event: terminal\\nid: \\d+\\ndata: ${handle} ! \\d+ rows\\n\\n$`),
  );
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
}

test("OPS-15 OPS-22 accepted on one replica, its progress and result asked of both", async () => {
  hold();
  const { handle, program, stream } = await accept(replicas[0]);
  const streams = replicas.map(stream);
  await runnerOf();
  for (const replica of replicas) {
    const pending = await program(replica, `wait(${handle})`, { wait: false });
    expect(["+", "~", "="], pending.text).toContain(signalOf(pending));
  }
  const waiting = replicas.map((replica) => program(replica, `wait(${handle})`, { wait: true }));
  letGo();
  const same = rowsOf(await program(replicas[1], LONG, { force: true, wait: true }));
  for (const ended of await Promise.all(waiting)) {
    expect(signalOf(ended), ended.text).toBe("!");
    expect(rowsOf(ended)).toEqual(same);
  }
  for (const text of await Promise.all(streams)) expectWholeStream(text, handle);
});

test("OPS-16 cancelled on the replica that does not run it", async () => {
  hold();
  const { handle, program } = await accept(replicas[0]);
  const [runner, other] = await runnerOf();
  for (const replica of [other, runner]) {
    const { text } = await program(replica, `cancel(${handle})`);
    expect(text).toContain(`${handle} x`);
  }
  letGo();
});

/** A client at a replica, with a session of the same intent, and what it is told of operations. */
async function listener({ server }: Replica, intent: string) {
  const client = new Client(
    { name: "listener", version: "1" },
    { versionNegotiation: { mode: "legacy" } },
  );
  const told: { readonly line: string; readonly n: number; readonly c?: string }[] = [];
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (method === "notifications/plasm/op") told.push(params as unknown as (typeof told)[number]);
  };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url)));
  const args = { intent, seeds: seedsOf("quay", "Boat"), notation: "names" };
  const opened = await client.callTool({ name: "plasm_context", arguments: args });
  const [, ref = ""] = /"logical_session_ref":"(s\d+)"/.exec(JSON.stringify(opened)) ?? [];
  const run = (program: string, more: object = {}) =>
    client.callTool({
      name: "plasm_run",
      arguments: { logical_session_ref: ref, program, ...more },
    });
  return { client, told, ref, run };
}

test("OPS-23 L41 F16 clients at both replicas are told of an operation, whichever runs it", async () => {
  hold();
  for (const { proxy } of replicas) proxy.forgetRequests();
  const [a, b] = await Promise.all(replicas.map((replica) => listener(replica, "long boats")));
  const other = await listener(replicas[1], "other boats");
  if (a === undefined || b === undefined) throw new Error("two listeners");
  await a.run(LONG, { force: true, wait: false });
  await runnerOf();
  letGo();
  const last = ({ told }: typeof a): string => told.at(-1)?.line ?? "";
  for (const one of [a, b]) {
    await expect.poll(() => last(one), PATIENCE).toMatch(new RegExp(`^${one.ref}_o1 ! \\d+ rows$`));
    const numbers = one.told.map(({ n }) => n);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((x, y) => x - y));
  }
  expect(a.told[0]).toEqual({ line: `${a.ref}_o1 + pc0 ok`, n: 1, c: "pc0" });
  expect(other.told).toEqual([]);
  for (const { client } of [a, b, other]) await client.close();
});

test("OPS-11 F25 a cancel message that arrives at the other replica ends the run", async () => {
  hold();
  for (const { proxy } of replicas) proxy.forgetRequests();
  const [here, there] = replicas;
  const mcp = await openRawMcp(here.server.url);
  const args = { intent: "cancelled", seeds: seedsOf("quay", "Boat"), notation: "names" };
  const opened = JSON.stringify(await mcp.call(1, "plasm_context", args));
  const [, ref = ""] = /"logical_session_ref":"(s\d+)"/.exec(opened) ?? [];
  const program = { logical_session_ref: ref, program: "Boat.limit(2)[id]" };
  const answer = mcp.call(2, "plasm_run", program);
  await expect.poll(() => here.proxy.requests.length, PATIENCE).toBe(1);
  expect(await mcp.cancel(2, there.server.url)).toBe(202);
  expect(JSON.stringify(await answer)).toContain('"code":"cancelled"');
  letGo();
});

test(
  "F13 OPS-31 OPS-33 the replica that runs it is killed: the other one takes over, under the same handle",
  async () => {
    hold();
    const { handle, program, stream } = await accept(replicas[0]);
    const [runner, other] = await runnerOf();
    const followed = stream(other);
    await runner.server.kill();
    runner.alive = false;
    letGo();
    const wait = (): Promise<Told> => program(other, `wait(${handle})`, { wait: true });
    await expect.poll(async () => signalOf(await wait()), PATIENCE).toBe("!");
    expect(other.proxy.requests.length).toBeGreaterThan(0);
    const same = await program(other, LONG, { force: true, wait: true });
    expect(rowsOf(await wait())).toEqual(rowsOf(same));
    expectWholeStream(await followed, handle);
  },
  TAKEN_OVER_MS,
);
