import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSampleServer, type SampleServer } from "../harness/sample-server.ts";
import { tokens } from "../harness/tokens.ts";
import { heldRequests } from "./held-requests.ts";
import { holdTour } from "./hold-tour.ts";
import { callsClaimed, movesOf, pageWith } from "./tour-page.ts";

const PAGE = join(import.meta.dirname, "../../../docs/tour.md");
const PATIENCE = { timeout: 60_000, interval: 20 };

const requests = heldRequests();
let dir: string;
let apis: SampleApis;
let server: SampleServer;
let client: Client;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-tour-"));
  const ports = { quay: 0, yard: 0 };
  apis = await startSampleApis({ dataDir: join(dir, "apis"), ports, onRequest: requests.hook });
  server = await startSampleServer(join(dir, "data"), apis);
  client = new Client({ name: "tour", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url)));
});
afterAll(async () => {
  requests.release();
  await client.close();
  await server.close();
  await apis.close();
  await rm(dir, { recursive: true, force: true });
});

test("docs/tour.md is what an agent and this server say to each other", async () => {
  const page = await readFile(PAGE, "utf8");
  const moves = movesOf(page);
  expect(moves.filter(({ kind }) => kind === "call")).toHaveLength(callsClaimed(page));
  expect(moves.length).toBeGreaterThan(20);
  const told = await holdTour(moves, {
    client,
    url: server.url,
    requests,
    until: async (look, expected) => {
      await expect.poll(look, PATIENCE).toBe(expected);
    },
  });
  const { tools } = await client.listTools();
  const fixed = tokens(client.getInstructions() ?? "") + tokens(JSON.stringify(tools));
  await expect(pageWith(page, told, fixed)).toMatchFileSnapshot(PAGE);
});
