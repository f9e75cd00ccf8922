import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { type Host, openHost } from "@plasm/host";
import { connectTransport } from "@plasm/mcp";
import { startSampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import type { Pair } from "./pair.ts";
import { connectPeer, type McpPeer } from "./peers/mcp-side.ts";

export interface TracingPairs {
  readonly pairs: readonly Pair[];
  /** how often the collector was sent spans */
  readonly exports: () => number;
  /** Ends the servers and removes what they kept. */
  close(): Promise<void>;
}

/** A collector that takes what it is sent and looks at nothing. */
async function startCollector() {
  let exports = 0;
  const server = createServer((request, response) => {
    exports += 1;
    request.resume().once("end", () => {
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exports: () => exports,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/**
 * OpenTelemetry of this process, on and off. A host turns it on for the whole process, as it does in
 * production; this one is for that alone, so that both sides of a pair call the same engine.
 */
function tracingSwitch(dataDir: string, collector: string) {
  let on: Host | null = null;
  return {
    on: async (): Promise<void> => {
      on ??= await openHost({
        dataDir,
        catalogs: [],
        env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector },
      });
    },
    off: async (): Promise<void> => {
      const host = on;
      on = null;
      await host?.close();
    },
  };
}

/** Programs by how many requests they make. */
const PROGRAMS = [
  { name: "one request", program: 'Boat("b1")[id, name]' },
  { name: "ten requests", program: "Boat.limit(9)[id, name, note]" },
] as const;

/** A call of the same server by the same client, with spans and without; the first of a side turns the switch. */
function pairOf(
  peer: McpPeer,
  tracing: ReturnType<typeof tracingSwitch>,
  { name, program }: (typeof PROGRAMS)[number],
): Pair {
  const args = { logical_session_ref: "s0", program, force: true, wait: true };
  return {
    name: `tracing, ${name}`,
    ours: {
      what: "call plasm_run, its spans sent to a collector",
      run: async () => {
        await tracing.on();
        return peer.call("plasm_run", args);
      },
    },
    base: {
      what: "the same call without OpenTelemetry",
      run: async () => {
        await tracing.off();
        return peer.call("plasm_run", args);
      },
    },
  };
}

/** What OpenTelemetry costs a call: in one process, with the embedded store and the sample APIs on loopback. */
export async function tracingPairs(): Promise<TracingPairs> {
  const dir = await mkdtemp(join(tmpdir(), "plasm-bench-"));
  const ends: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const ports = { quay: 0, yard: 0 };
    const apis = await startSampleApis({ dataDir: join(dir, "apis"), ports, keepRequests: 0 });
    ends.push(() => apis.close());
    const collector = await startCollector();
    ends.push(() => collector.close());
    const host = await openHost({
      dataDir: join(dir, "data"),
      catalogs: [fixtureCatalogDir("quay")],
      env: { PLASM_BACKEND_QUAY: apis.quay.url, PLASM_SEND_TRACEPARENT: "1" },
    });
    ends.push(() => host.close());
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = connectTransport(far, host);
    ends.push(() => server.close());
    const peer = await connectPeer(near);
    ends.push(() => peer.close());
    const tracing = tracingSwitch(join(dir, "switch"), collector.url);
    ends.push(() => tracing.off());
    const seeds = [{ api: "quay", entity: "Boat" }];
    await peer.call("plasm_context", { intent: "benchmark", seeds, notation: "names" });
    const pairs = PROGRAMS.map((one) => pairOf(peer, tracing, one));
    return { pairs, exports: collector.exports, close };
  } catch (error) {
    await close();
    throw error;
  }
}
