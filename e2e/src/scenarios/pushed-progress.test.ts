import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedsOf } from "../harness/open-session.ts";
import { startPlasmServer, type PlasmServer } from "../harness/plasm-server.ts";

const PATIENCE = { timeout: 30_000, interval: 20 };
const CHAIN = /^\/boats\/chain(\d+)\/twin$/;
const STEPS = 3;

const TWIN = {
  name: "a twin",
  owner: "ann",
  length: 12,
  state: "moored",
  built: "2001-02-03",
  note: "",
  flags: [],
  meta: null,
  logs: [],
};

/** A chain of boats, each the twin of the one before, so that each step is a request. */
const PROGRAM = [
  'c1 = Boat("chain1").twin',
  ...Array.from({ length: STEPS - 1 }, (_none, at) => `c${at + 2} = c${at + 1}.twin`),
  `c${STEPS}`,
].join("\n");

/** Paged, and nothing of its condition is sent: many answers make one step (OPS-6). */
const PAGES = "long = Boat{length>10}[id, name]\nlong";

interface Line {
  readonly n: number;
  readonly line: string;
}

let dir: string;
let apis: SampleApis;
let server: PlasmServer;
let client: Client;
/** what MCP told, in order */
const notified: Line[] = [];
/** requests of the chain that wait for their answer */
const waiting: (() => void)[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-pushed-"));
  apis = await startSampleApis({
    dataDir: join(dir, "apis"),
    ports: { quay: 0, yard: 0 },
    onRequest: async ({ path }) => {
      const at = CHAIN.exec(path)?.[1];
      if (at === undefined) return undefined;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return Response.json({ ...TWIN, id: `chain${Number(at) + 1}` });
    },
  });
  const env = { PLASM_BACKEND_QUAY: apis.quay.url };
  const catalogs = [fixtureCatalogDir("quay")];
  server = await startPlasmServer({ dataDir: join(dir, "data"), catalogs, env });
  client = new Client({ name: "told", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (method === "notifications/plasm/op") notified.push(params as unknown as Line);
  };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url)));
});

afterAll(async () => {
  for (const letGo of waiting) letGo();
  await client.close();
  await server.stop();
  await apis.close();
  await rm(dir, { recursive: true, force: true });
});

interface Opened {
  readonly ref: string;
  /** where HTTP has the same session */
  readonly place: string;
}

async function open(intent: string): Promise<Opened> {
  const args = { intent, seeds: seedsOf("quay", "Boat"), notation: "names" };
  const { _meta: meta } = await client.callTool({ name: "plasm_context", arguments: args });
  const { plasm } = meta as unknown as {
    readonly plasm: {
      readonly logical_session_ref: string;
      readonly execute_binding: { readonly prompt_hash: string; readonly session_id: string };
    };
  };
  const { prompt_hash: hash, session_id: id } = plasm.execute_binding;
  return { ref: plasm.logical_session_ref, place: `${server.url}/execute/${hash}/${id}` };
}

const call = async (name: string, ref: string, program: string, more: object = {}) => {
  const args = { logical_session_ref: ref, program, ...more };
  return JSON.stringify(await client.callTool({ name, arguments: args }));
};

/** What a stream tells, while it goes on; `over` resolves at its end. */
function readStream(url: string): { readonly lines: Line[]; readonly over: Promise<void> } {
  const lines: Line[] = [];
  const read = async (): Promise<void> => {
    const { body } = await fetch(url);
    let text = "";
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      lines.length = 0;
      for (const [, id, line = ""] of text.matchAll(/^id: (\d+)\ndata: (.*)$/gm)) {
        lines.push({ n: Number(id), line });
      }
    }
  };
  return { lines, over: read() };
}

/** Starts an operation and follows it over HTTP; MCP tells of it by itself. */
async function start({ ref, place }: Opened, program: string) {
  const told = await call("plasm_run", ref, program, { wait: false, force: true });
  const [, handle = ""] = /wait\((\w+)\)/.exec(told) ?? [];
  const stream = readStream(`${place}/operations/${handle}/stream`);
  const notes = (): readonly Line[] => notified.filter(({ line }) => line.startsWith(`${handle} `));
  return { handle, stream, notes };
}

test("L43 OPS-22 OPS-23 each step is pushed on both surfaces, to who asks for nothing", async () => {
  const session = await open("a chain of boats");
  const { handle, stream, notes } = await start(session, PROGRAM);
  for (let step = 1; step <= STEPS; step += 1) {
    await expect.poll(() => waiting.length, PATIENCE).toBe(1);
    const line = expect.stringMatching(
      new RegExp(`^${handle} ~ step ${step}/${STEPS} · c${step} · `),
    );
    for (const lines of [() => stream.lines, notes]) {
      await expect.poll(() => lines().at(-1)?.line, PATIENCE).toEqual(line);
    }
    waiting.shift()?.();
  }
  await stream.over;
  await expect.poll(() => notes().at(-1)?.line, PATIENCE).toBe(`${handle} ! 1 rows`);
  // Both tell the same of the same event, and MCP each of them once.
  const told = notes();
  expect(told.map(({ n }) => n)).toEqual(Array.from({ length: STEPS + 2 }, (_none, at) => at + 1));
  const byNumber = new Map(told.map(({ n, line }) => [n, line]));
  expect(stream.lines.filter(({ n, line }) => n > 1 && byNumber.get(n) !== line)).toEqual([]);
});

test("L43 OPS-20 rows of one step are told together on both surfaces", async () => {
  const session = await open("many pages");
  apis.forgetRequests();
  const began = performance.now();
  const { handle, stream, notes } = await start(session, PAGES);
  await stream.over;
  await expect.poll(() => notes().at(-1)?.line, PATIENCE).toMatch(`${handle} ! `);
  const seconds = (performance.now() - began) / 1_000;
  expect(apis.requests.length).toBeGreaterThan(3);
  const last = notes().at(-1);
  const steps = Number(/ step \d+\/(\d+)/.exec(notes().at(-2)?.line ?? "")?.[1]);
  expect(last?.n).toBeLessThanOrEqual(2 + steps + seconds / 2);
  expect(stream.lines.at(-1)).toEqual(last);
});

test("L43 OPS-2 a plan of 200 nodes has one ref on both surfaces", async () => {
  const { ref, place } = await open("many nodes");
  const reads = Array.from(
    { length: 66 },
    (_none, at) => `Boat{owner=o${at}}.sort(length, desc)[id, name]`,
  );
  const program = [...reads, 'Boat("b1")', 'Boat("b2")'].join("\n");
  const response = await fetch(place, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ program, mode: "plan" }),
  });
  const overHttp = JSON.stringify(await response.json());
  const overMcp = await call("plasm", ref, program.replaceAll(" desc", "  desc"));
  for (const told of [overHttp, overMcp]) expect(told).toContain('"plan_commit_ref":"pc0"');
  expect(overHttp).toContain('"n200"');
  expect(await call("plasm", ref, reads.join("\n"))).toContain('"plan_commit_ref":"pc1"');
});
